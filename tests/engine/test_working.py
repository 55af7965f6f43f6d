"""Working memory through the engine: kept from call to call, shared, ended, purged."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from hindsight_memory.core.model import Scope
from hindsight_memory.core.working import AddFact, Document, Fact
from hindsight_memory.engine.maintain import maintain
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.working import WorkingMemory
from hindsight_memory.errors import Conflict
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.fakes import FrozenClock
from hindsight_memory.testing.session_suite import a_session

WEEK = timedelta(days=7)
GBK = AddFact(fact="文件是 gbk 编码")


def facts(memories: Memories, scope: Scope, session_id: str = "s1") -> list[str]:
    document = memories.working(scope, session_id).session.document
    return [each.fact for each in document.confirmed_facts]


def test_a_session_begins_empty_and_is_not_kept_until_it_is_not(
    memories: Memories, scope: Scope
) -> None:
    told = memories.working(scope, "s1")
    assert (told.session.document, told.session.version) == (Document(), 0)
    working = memories.parts.store.working
    assert working.of_user("default", "default", now=memories.now(), after="", limit=9) == []


def test_patches_add_up_and_survive_a_restart(
    memories: Memories, store: SqliteStore, scope: Scope
) -> None:
    memories.working(scope, "s1", [GBK])
    memories.working(scope, "s1", [AddFact(fact="The sheet has 12 columns")])
    with closing(SqliteStore.open(store._database.path)) as again:
        parts = replace(memories.parts, store=again)
        session = WorkingMemory(parts).get(scope, "s1")
    assert [each.fact for each in session.document.confirmed_facts] == [
        "文件是 gbk 编码",
        "The sheet has 12 columns",
    ]
    assert session.version == 2


def test_what_changes_nothing_is_no_version(
    memories: Memories, scope: Scope, clock: FrozenClock
) -> None:
    first = memories.working(scope, "s1", [GBK]).session
    clock.advance(timedelta(hours=1))
    assert memories.working(scope, "s1", [GBK]).session == first


def test_sessions_users_and_tenants_share_nothing(memories: Memories, scope: Scope) -> None:
    memories.working(scope, "s1", [GBK])
    others = [replace(scope, user_id="bob"), replace(scope, tenant="another")]
    assert [facts(memories, each) for each in others] == [[], []]
    assert facts(memories, scope, "s2") == []
    assert facts(memories, replace(scope, agent_id="another")) == ["文件是 gbk 编码"]


def test_patches_of_many_at_once_are_all_there(memories: Memories, scope: Scope) -> None:
    added = [f"fact {number}" for number in range(16)]

    def add(fact: str) -> None:
        memories.working(scope, "s1", [AddFact(fact=fact)])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, added))
    assert sorted(facts(memories, scope)) == sorted(added)


class Overtaking:
    """Working memory in which another always comes first."""

    def __init__(self, store: SqliteStore) -> None:
        self.working = self
        self.get = store.working.get

    def put(self, _session: object) -> None:
        raise Conflict("overtaken")


def test_a_patch_that_never_comes_first_is_a_conflict(
    memories: Memories, store: SqliteStore, scope: Scope
) -> None:
    parts = replace(memories.parts, store=Overtaking(store))  # type: ignore[arg-type]
    with pytest.raises(Conflict, match="others kept changing session 's1'; retry later"):
        WorkingMemory(parts).patch(scope, "s1", [GBK])


def test_a_session_ends_a_week_after_its_last_change(
    memories: Memories, scope: Scope, clock: FrozenClock
) -> None:
    memories.working(scope, "s1", [GBK])
    clock.advance(WEEK - timedelta(seconds=1))
    memories.working(scope, "s1", [AddFact(fact="rows: 5")])
    clock.advance(WEEK - timedelta(seconds=1))
    assert facts(memories, scope) == ["文件是 gbk 编码", "rows: 5"]
    clock.advance(timedelta(seconds=1))
    assert facts(memories, scope) == []
    assert memories.working(scope, "s1", [GBK]).session.version == 1


@pytest.mark.parametrize(("dry_run", "left"), [(True, 1), (False, 0)])
def test_upkeep_removes_what_is_over(
    memories: Memories, scope: Scope, clock: FrozenClock, *, dry_run: bool, left: int
) -> None:
    memories.working(scope, "s1", [GBK])
    clock.advance(WEEK)
    maintain(memories.parts, "default", dry_run=dry_run)
    assert memories.parts.store.working.expire(clock.now()) == left


@pytest.mark.parametrize("said", ["我对花生过敏", "I am allergic to peanuts"])
def test_a_purge_reaches_into_working_memory(
    memory: Hindsight, store: SqliteStore, said: str, scope: Scope
) -> None:
    written = memory.write(said, source="user_explicit").memory
    assert written is not None
    for session_id in ("s1", "s2"):
        memory.memories.working(scope, session_id, [AddFact(fact=f"{said}。"), GBK])
    memory.memories.working(replace(scope, user_id="bob"), "s1", [AddFact(fact=said)])
    memory.forget(written.id, hard_delete=True)
    assert [facts(memory.memories, scope, each) for each in ("s1", "s2")] == [[GBK.fact]] * 2
    assert facts(memory.memories, replace(scope, user_id="bob")) == [said]


def test_a_purge_reads_all_sessions_of_many(
    memories: Memories, scope: Scope, clock: FrozenClock
) -> None:
    document = Document(confirmed_facts=(Fact(fact="用户住在杭州"),))
    for number in range(205):
        session = a_session(f"s{number:03}", tenant="default", user_id="default", document=document)
        ends = clock.now() + WEEK
        memories.parts.store.working.put(replace(session, updated_at=clock.now(), expires_at=ends))
    WorkingMemory(memories.parts).purge(scope, ["住在杭州"])
    assert facts(memories, scope, "s000") == facts(memories, scope, "s204") == []
