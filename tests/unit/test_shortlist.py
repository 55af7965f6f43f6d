"""No statement twice, and no more than the caller can read."""

from datetime import UTC, datetime

from hindsight_memory.core.model import Memory
from hindsight_memory.core.retrieval import Hit
from hindsight_memory.core.shortlist import collapse, within_budget

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def hit(content: str, memory_id: str = "") -> Hit:
    memory = Memory(
        id=memory_id or content,
        tenant="t",
        user_id="u",
        agent_id="a",
        content=content,
        created_at=NOW,
        updated_at=NOW,
    )
    return Hit(memory=memory, score=1.0, parts={}, sources=(memory,))


def test_equal_statements_become_one_hit_with_all_sources() -> None:
    found = collapse([hit("用户喜欢茶", "1"), hit("port 1"), hit("用户喜欢茶。", "2")], top_k=5)
    assert [[s.id for s in h.sources] for h in found] == [["1", "2"], ["port 1"]]


def test_the_same_sentence_with_another_value_stays() -> None:
    found = collapse([hit("the port is 8000"), hit("the port is 9000")], top_k=5)
    assert len(found) == 2


def test_collapsing_makes_room_for_the_next() -> None:
    found = collapse([hit("tea", "1"), hit("Tea.", "2"), hit("milk"), hit("salt")], top_k=2)
    assert [h.memory.id for h in found] == ["1", "milk"]


def test_a_long_hit_leaves_room_to_a_short_one() -> None:
    fitting, left_out = within_budget([hit("short"), hit("word " * 500), hit("brief")], 20)
    assert ([h.memory.content for h in fitting], left_out) == (["short", "brief"], 1)


def test_without_a_budget_everything_fits() -> None:
    assert within_budget([hit("a"), hit("b")], None) == ([hit("a"), hit("b")], 0)
