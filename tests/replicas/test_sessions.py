"""Copies in Redis before a store: the contract of Sessions, and never older than the store."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, nullcontext
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis import Redis

from hindsight_memory.core.working import AddFact, Document, Fact, Session, patched
from hindsight_memory.errors import Conflict, Unavailable
from hindsight_memory.stores.redis.connection import RedisServer, Shared
from hindsight_memory.stores.redis.sessions import (
    BELIEVED,
    MOST_BYTES,
    RedisSessions,
    name_of_store,
)
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.fakes import LocalSessions
from hindsight_memory.testing.redis_server import RedisProcess
from hindsight_memory.testing.relay import Relay
from hindsight_memory.testing.samples import NOON
from hindsight_memory.testing.session_suite import FULL, WEEK, SessionSuite, a_session, got

SECOND = a_session(version=2, document=FULL)


class TestRedisSessions(SessionSuite):
    @pytest.fixture
    def sessions(self, tmp_path: Path, shared: Shared) -> Iterator[RedisSessions]:
        with closing(SqliteStore.open(str(tmp_path / "memory.db"))) as store:
            yield RedisSessions(store.working, shared)


class TestWithoutRedis(SessionSuite):
    """It meets the same contract while nothing answers."""

    @pytest.fixture
    def sessions(self) -> RedisSessions:
        return RedisSessions(LocalSessions(), Shared(RedisServer.open("redis://127.0.0.1:1"), "s"))


class Watched(LocalSessions):
    """A store that counts its reads, and in which something may happen around one call."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0
        self.after_get: list[Callable[[], object]] = []
        self.before_put: list[Callable[[], object]] = []
        self.after_put: list[Callable[[], object]] = []

    def get(self, tenant: str, user_id: str, session_id: str, *, now: datetime) -> Session | None:
        self.reads += 1
        found = super().get(tenant, user_id, session_id, now=now)
        run(self.after_get)
        return found

    def put(self, session: Session) -> None:
        run(self.before_put)
        super().put(session)
        run(self.after_put)


def run(steps: list[Callable[[], object]]) -> None:
    """Once."""
    while steps:
        steps.pop(0)()


def break_off() -> None:
    raise Unavailable("the store broke off")


@pytest.fixture
def store() -> Watched:
    return Watched()


@pytest.fixture
def replicas(store: Watched, process: RedisProcess, raw: Redis) -> Iterator[list[RedisSessions]]:
    """Two, as in two processes, on one store and one Redis."""
    with (
        closing(RedisServer.open(process.url)) as one,
        closing(RedisServer.open(process.url)) as other,
    ):
        yield [RedisSessions(store, Shared(server, "store")) for server in (one, other)]


def hashes(raw: Redis) -> dict[bytes, dict[bytes, bytes]]:
    found = raw.scan_iter(_type="hash")
    return {key: cast("dict[bytes, bytes]", raw.hgetall(key)) for key in found}


def copies(raw: Redis) -> list[bytes]:
    held = [value for fields in hashes(raw).values() for value in fields.values()]
    return [value for value in held if value.startswith(b"copy ")]


# --- what it is for ---


def test_what_one_replica_wrote_the_other_reads_without_the_store(
    replicas: list[RedisSessions], store: Watched
) -> None:
    one, other = replicas
    one.put(a_session(document=FULL))
    assert got(other) == a_session(document=FULL)
    other.put(SECOND)
    assert got(one) == SECOND
    assert store.reads == 0


def test_what_the_store_was_asked_for_once_it_is_not_asked_for_again(
    replicas: list[RedisSessions], store: Watched
) -> None:
    store.put(a_session(document=FULL))
    assert [got(each) for each in (*replicas, *replicas)] == [a_session(document=FULL)] * 4
    assert store.reads == 1


def test_racing_replicas_lose_no_patch(replicas: list[RedisSessions], store: Watched) -> None:
    def add(number: int) -> None:
        sessions = replicas[number % 2]
        while True:
            known = got(sessions) or a_session(version=0)
            document = patched(known.document, [AddFact(fact=f"第 {number} 条")]).document
            try:
                sessions.put(replace(known, version=known.version + 1, document=document))
            except Conflict:
                continue
            return

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(40)))
    kept = got(store)
    assert kept is not None
    assert kept.version == 40
    assert {each.fact for each in kept.document.confirmed_facts} == {
        f"第 {number} 条" for number in range(40)
    }
    assert [got(each) for each in replicas] == [kept, kept]


# --- never older than the store ---


def test_what_a_reader_had_under_way_does_not_come_after_a_change(
    replicas: list[RedisSessions], store: Watched
) -> None:
    one, other = replicas
    store.put(a_session())
    store.after_get.append(lambda: other.put(SECOND))
    assert got(one) == a_session()
    assert [got(each) for each in replicas] == [SECOND, SECOND]


def test_what_a_reader_had_under_way_does_not_come_after_a_deletion(
    replicas: list[RedisSessions], store: Watched, raw: Redis
) -> None:
    one, other = replicas
    store.put(a_session(document=FULL))
    store.after_get.append(lambda: other.delete("acme", "ann"))
    assert got(one) == a_session(document=FULL)
    assert [got(each) for each in replicas] == [None, None]
    assert copies(raw) == []


def test_what_is_read_between_a_change_and_its_end_does_not_stay(
    replicas: list[RedisSessions], store: Watched
) -> None:
    one, other = replicas
    one.put(a_session())
    seen: list[Session | None] = []
    store.after_put.append(lambda: seen.append(got(other)))
    one.put(SECOND)
    assert seen == [SECOND]
    store.after_put.append(lambda: other.put(replace(SECOND, version=4)))
    one.put(replace(SECOND, version=3))
    assert [got(each) for each in replicas] == [replace(SECOND, version=4)] * 2


def test_a_deletion_between_a_change_and_its_end_is_not_undone(
    replicas: list[RedisSessions], store: Watched, raw: Redis
) -> None:
    one, other = replicas
    store.after_put.append(lambda: other.delete("acme", "ann", "s1"))
    one.put(a_session(document=FULL))
    assert [got(each) for each in replicas] == [None, None]
    assert copies(raw) == []


@pytest.mark.parametrize("breaks_off", [False, True])
def test_who_reads_just_before_a_change_leaves_no_old_copy_after_it(
    replicas: list[RedisSessions], store: Watched, *, breaks_off: bool
) -> None:
    """Also where the store made the change and could not say so."""
    one, other = replicas
    store.put(a_session())
    has_read, is_changed = Event(), Event()

    def read_slowly() -> None:
        store.after_get += [has_read.set, lambda: is_changed.wait(20)]
        assert got(other) == a_session()

    with ThreadPoolExecutor(1) as pool:
        readings: list[Future[None]] = []
        store.before_put.append(lambda: readings.append(pool.submit(read_slowly)))
        store.before_put.append(lambda: has_read.wait(20))
        store.after_put += [break_off] if breaks_off else []
        with pytest.raises(Unavailable) if breaks_off else nullcontext():
            one.put(SECOND)
        is_changed.set()
        readings[0].result()
    assert [got(each) for each in replicas] == [SECOND, SECOND]


@pytest.mark.parametrize("appendonly", ["yes", "no"])
def test_after_a_restart_no_copy_counts_that_missed_a_change(
    tmp_path: Path, store: Watched, appendonly: str
) -> None:
    options = {"appendonly": appendonly, "appendfsync": "always"}
    with RedisProcess(tmp_path, **options) as process, closing(Redis.from_url(process.url)) as raw:
        one, other = (
            RedisSessions(store, Shared(RedisServer.open(process.url), "store")) for _ in range(2)
        )
        one.put(a_session(document=FULL))
        process.kill()
        one.put(replace(SECOND, document=Document()))
        process.start()
        assert len(copies(raw)) == (appendonly == "yes")
        assert got(other) == replace(SECOND, document=Document())


def test_a_replica_that_was_cut_off_takes_out_what_it_changed_when_it_is_back(
    process: RedisProcess, raw: Redis, store: Watched, server: RedisServer
) -> None:
    instant = 0.0
    with Relay(process.port) as relay:
        cut_off = RedisServer.open(f"redis://127.0.0.1:{relay.port}", now=lambda: instant)
        one, other = (RedisSessions(store, Shared(each, "store")) for each in (cut_off, server))
        one.put(a_session())
        relay.cut()
        one.put(SECOND)
        assert got(one) == SECOND
        assert got(other) == a_session()  # until then, or for BELIEVED
        relay.mend()
        instant = 10.0
        assert got(one) == SECOND
        assert got(other) == SECOND
        cut_off.close()


def test_an_old_copy_costs_a_writer_one_conflict(
    replicas: list[RedisSessions], store: Watched
) -> None:
    one, _ = replicas
    one.put(a_session())
    store.put(SECOND)  # by somebody who does not reach Redis
    assert got(one) == a_session()
    with pytest.raises(Conflict):
        one.put(replace(SECOND, document=Document()))
    assert got(one) == SECOND


OWNERS = st.sampled_from(["ann", "安"])
NAMES = st.sampled_from(["s1", "会话"])
STEPS = st.one_of(
    st.tuples(st.just("get"), st.booleans(), OWNERS, NAMES),
    st.tuples(st.just("put"), st.booleans(), OWNERS, NAMES),
    st.tuples(st.just("delete"), st.booleans(), OWNERS, NAMES | st.none()),
    st.tuples(st.just("flush"), st.booleans(), OWNERS, NAMES),
)


@given(st.lists(STEPS, max_size=30))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_happens_in_whatever_order_both_replicas_read_what_the_store_has(
    server: RedisServer, raw: Redis, steps: list[tuple[str, bool, str, str | None]]
) -> None:
    store = LocalSessions()
    shared = Shared(server, name_of_store(store))
    replicas = [RedisSessions(store, shared), RedisSessions(store, shared)]
    for what, which, user_id, session_id in steps:
        sessions = replicas[which]
        known = got(sessions, user_id=user_id, session_id=session_id or "")
        assert known == got(store, user_id=user_id, session_id=session_id or "")
        if what == "put" and session_id:
            version = 1 if known is None else known.version + 1
            sessions.put(a_session(session_id, user_id=user_id, version=version))
        elif what == "delete":
            sessions.delete("acme", user_id, session_id)
        elif what == "flush":
            raw.flushall()


# --- what is left in Redis ---


def test_a_copy_ends_by_itself(replicas: list[RedisSessions], raw: Redis) -> None:
    replicas[0].put(a_session(expires_at=NOON + WEEK * 50))
    ends = [raw.pttl(key) for key in raw.scan_iter()]
    assert len(ends) == 2
    assert all(0 < end <= BELIEVED.total_seconds() * 1000 for end in ends)


def test_of_many_sessions_those_whose_copies_ended_make_room(
    replicas: list[RedisSessions], raw: Redis
) -> None:
    for number in range(5):
        replicas[0].put(a_session(f"s{number}"))
    [until] = raw.scan_iter(_type="zset")
    for field, _ in raw.zscan_iter(until):
        raw.zadd(until, {field: 1})
    assert len(copies(raw)) == 5
    replicas[0].put(a_session("s5"))
    assert len(copies(raw)) == 1
    assert raw.zcard(until) == 1


def test_what_is_deleted_leaves_nothing(replicas: list[RedisSessions], raw: Redis) -> None:
    sessions = replicas[0]
    for name in ("s1", "s2"):
        sessions.put(a_session(name, document=FULL))
    assert len(copies(raw)) == 2
    assert "导入一月订单".encode() in copies(raw)[0]
    sessions.delete("acme", "ann", "s1")
    assert len(copies(raw)) == 1
    sessions.delete("acme", "ann")
    assert raw.keys("*") == []


def test_no_id_is_told_by_a_key_nor_reaches_into_another(
    replicas: list[RedisSessions], raw: Redis
) -> None:
    owners = [("a", "b:c", "d"), ("a:b", "c", "d"), ("a", "b", "c:d"), ("a\0b", "}{c", "d")]
    names = ("tenant", "user_id", "session_id")
    kept = [a_session(**dict(zip(names, owner, strict=True))) for owner in owners]
    for each in kept:
        replicas[0].put(each)
    assert [replicas[1].get(*owner, now=NOON) for owner in owners] == kept
    assert len(raw.keys("hindsight-memory:working:{????????????????????????????????*}")) == 4
    assert len(raw.keys("*")) == 8


def test_two_stores_on_one_redis_have_nothing_in_common(server: RedisServer) -> None:
    stores = [Watched(), Watched()]
    theirs = [RedisSessions(each, Shared(server, name_of_store(each))) for each in stores]
    theirs[0].put(a_session(document=FULL))
    assert got(theirs[1]) is None
    assert got(theirs[0]) == a_session(document=FULL)


def test_a_store_has_one_name(tmp_path: Path) -> None:
    with closing(SqliteStore.open(str(tmp_path / "memory.db"))) as store:
        with ThreadPoolExecutor(8) as pool:
            names = set(pool.map(name_of_store, [store.working] * 8))
        assert store.working.expire(NOON + WEEK * 1000) == 0
        assert names == {name_of_store(store.working)}


@pytest.mark.parametrize(
    "odd",
    [
        lambda _copy: b'{"version":1}',
        lambda _copy: b"[]",
        lambda _copy: b"\xff",
        lambda copy: copy.replace(b'"ann"', b'"bob"'),
        lambda copy: copy.replace(b'"folded"', b'"folds"'),
    ],
    ids=["incomplete", "list", "not text", "not his", "another field"],
)
def test_a_copy_that_cannot_be_used_is_read_from_the_store(
    replicas: list[RedisSessions], store: Watched, raw: Redis, odd: Callable[[bytes], bytes]
) -> None:
    sessions = replicas[0]
    sessions.put(a_session())
    [(key, fields)] = hashes(raw).items()
    [(field, value)] = fields.items()
    mark, run, copy = value.split(b" ")
    assert odd(copy) != copy
    raw.hset(key, field, b" ".join((mark, run, odd(copy))))
    assert got(sessions) == a_session()
    assert store.reads == 1


def test_what_is_too_large_is_not_copied(replicas: list[RedisSessions], raw: Redis) -> None:
    large = a_session(document=Document(confirmed_facts=(Fact(fact="长" * MOST_BYTES),)))
    replicas[0].put(large)
    assert got(replicas[1]) == large
    assert copies(raw) == []
