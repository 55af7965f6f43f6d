"""What is changed behind the store's back does not agree with the chain of the audit log."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.changes import AuditHead
from hindsight_memory.core.model import Memory
from hindsight_memory.core.ports import Store
from hindsight_memory.stores.auditing import audit_hash
from hindsight_memory.testing.backends import Backend
from hindsight_memory.testing.samples import (
    ANN,
    NOON,
    a_memory,
    changed,
    fresh_tenant,
    memories,
    on_one_store,
    put,
    some_changes,
)
from hindsight_memory.testing.store_restores import IMPORTED

BEHIND_ITS_BACK = {
    "content": "UPDATE memories SET content = 'coffee'",
    "type": "UPDATE memories SET memory_type = 'task'",
    "belief": "UPDATE memories SET confidence = 1.0, status = 'confirmed'",
    "time": "UPDATE memories SET valid_from = '2020-01-01T00:00:00.000000+00:00'",
    "owner": "UPDATE memories SET agent_id = 'bot'",
    "salt": "UPDATE memories SET salt = 'x'",
}
IN_THE_HISTORY = {
    "what was before": """UPDATE revisions SET before = '{"importance": 0.1}' WHERE version = 2""",
    "why it was made": "UPDATE revisions SET reason = 'because' WHERE version = 1",
    "the seal": "UPDATE audit SET seal = '' WHERE version = 1",
    "a row back": "UPDATE memories SET version = 1; DELETE FROM revisions WHERE version = 2",
}


@pytest.fixture
def store(backend: Backend) -> Iterator[Store]:
    with closing(backend.open()) as store:
        yield store


@pytest.fixture
def tea(store: Store) -> Memory:
    """At version 2, with nothing wrong so far."""
    first = a_memory(content="喝茶 tea")
    put(store, first)
    second = changed(first, importance=0.9)
    put(store, second)
    assert (store.integrity("acme", "m1"), store.problems()) == ([], [])
    return second


def forget_seals(backend: Backend) -> None:
    """As the database was before there were any."""
    backend.run("UPDATE memories SET salt = ''; UPDATE audit SET seal = ''")
    names = ("entry", "tenant", "at", "actor", "operation", "id", "version", "seal")
    previous = ""
    for row in backend.run(
        "SELECT entry, tenant, at, actor, operation, memory_id, version, seal FROM audit"
        " ORDER BY entry"
    ):
        entry = dict(zip(names, row, strict=True))
        previous = audit_hash(previous, entry)
        backend.run(f"UPDATE audit SET hash = '{previous}' WHERE entry = {row[0]}")  # noqa: S608


@pytest.mark.parametrize("sql", BEHIND_ITS_BACK.values(), ids=BEHIND_ITS_BACK)
def test_a_row_that_was_edited_is_found(
    store: Store, tea: Memory, backend: Backend, sql: str
) -> None:
    backend.run(sql)
    told = "version 2 of 'm1' is not as the audit log has sealed it"
    assert told in store.integrity("acme", tea.id)
    assert told in store.problems()


@pytest.mark.parametrize("sql", IN_THE_HISTORY.values(), ids=IN_THE_HISTORY)
def test_a_history_that_was_edited_is_found(
    store: Store, tea: Memory, backend: Backend, sql: str
) -> None:
    backend.run(sql)
    assert store.integrity("acme", tea.id) != []


def test_a_row_that_was_deleted_is_missed(store: Store, tea: Memory, backend: Backend) -> None:
    backend.run("DELETE FROM memories; DELETE FROM revisions")
    assert f"memory {tea.id!r} is gone, and nobody has purged it" in store.problems()


def test_that_a_memory_is_read_and_used_is_no_change(store: Store, tea: Memory) -> None:
    store.apply(some_changes(accessed=(tea.id,), used=(tea.id,)))
    assert (store.integrity("acme", "m1"), store.problems()) == ([], [])


@pytest.mark.parametrize("link", ["related_ids", "evidence", "counter_examples"])
def test_a_purge_may_take_links_out_of_what_is_sealed(store: Store, link: str) -> None:
    linked = a_memory("2", **{link: ("m1", "m3")})
    put(store, a_memory(), linked, a_memory("3", supersedes="m1", retired_at=NOON))
    put(store, changed(linked, importance=0.9))
    store.apply(some_changes(purges=("m1",)))
    put(store, changed(store.get(ANN, ["2"])[0], importance=0.1))
    for each in ("2", "3"):
        assert store.integrity("acme", each) == []
    assert store.problems() == []


def test_nothing_of_a_purged_memory_can_be_tried_out(
    store: Store, tea: Memory, backend: Backend
) -> None:
    [(salt,)] = backend.run("SELECT salt FROM memories")
    store.apply(some_changes(purges=(tea.id,)))
    assert len(salt) == 32
    assert backend.run("SELECT count(*) FROM audit WHERE seal <> ''") == [(2,)]
    assert backend.run("SELECT count(*) FROM memories") == [(0,)]


def test_an_imported_memory_is_sealed_as_it_came(
    store: Store, tea: Memory, backend: Backend
) -> None:
    history = store.history(ANN, tea.id)
    store.apply(some_changes(purges=(tea.id,)))
    store.restore(some_changes(tea, note=IMPORTED), {tea.id: history})
    assert (store.integrity("acme", tea.id), store.problems()) == ([], [])
    backend.run("UPDATE memories SET content = 'coffee'")
    assert "version 2 of 'm1' is not as the audit log has sealed it" in store.problems()


def test_what_an_older_release_wrote_is_sealed_from_its_next_version_on(
    store: Store, tea: Memory, backend: Backend
) -> None:
    forget_seals(backend)
    assert (store.integrity("acme", "m1"), store.problems()) == ([], [])
    put(store, changed(tea, importance=0.2))
    assert (store.integrity("acme", "m1"), store.problems()) == ([], [])
    backend.run("UPDATE memories SET importance = 0.3")
    assert store.integrity("acme", "m1") != []


@given(st.data())
@on_one_store
def test_whatever_is_stored_agrees_with_its_seal(store: Store, data: st.DataObject) -> None:
    tenant = fresh_tenant()
    found = data.draw(memories(tenant))
    put(store, *found, vector=None)
    put(store, *(changed(memory, importance=1) for memory in found), vector=None)
    assert [store.integrity(tenant, memory.id) for memory in found] == [[]] * len(found)


def test_the_head_of_the_log_moves_and_knows_what_was_before(store: Store) -> None:
    assert store.audit_heads() == []
    put(store, a_memory("1"), a_memory("2"))
    [head] = store.audit_heads()
    assert head == AuditHead(tenant="acme", entries=2, hash=head.hash)
    put(store, a_memory("3", tenant="other", created_at=NOON + timedelta(days=1)))
    put(store, a_memory("4"))
    assert [(each.tenant, each.entries) for each in store.audit_heads()] == [
        ("acme", 3),
        ("other", 1),
    ]
    assert head not in store.audit_heads()
    assert store.has_audit_entry(head.hash)
    assert not store.has_audit_entry(head.hash[::-1])


def test_a_log_that_was_cut_off_does_not_know_its_head(
    store: Store, tea: Memory, backend: Backend
) -> None:
    [head] = store.audit_heads()
    backend.run("DELETE FROM audit WHERE version = 2")
    assert not store.has_audit_entry(head.hash)
