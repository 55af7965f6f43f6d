-- A memory is judged anew when one of its counter-examples falls, as with its evidence: both are in
-- supports from now on.
INSERT INTO supports (tenant, supporter_id, seq)
SELECT DISTINCT m.tenant, c.value, m.seq FROM memories m JOIN json_each(m.counter_examples) AS c
 WHERE m.counter_examples <> '[]'
ON CONFLICT DO NOTHING;
