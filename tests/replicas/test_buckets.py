"""One rate for all replicas; each for itself while Redis is away."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from redis import Redis

from hindsight_memory.providers.buckets import Bucket, Buckets
from hindsight_memory.stores.redis.buckets import RedisBucket, RedisBuckets
from hindsight_memory.stores.redis.connection import RedisServer, Shared
from hindsight_memory.testing.redis_server import RedisProcess

SLOW = 0.001
"""Tokens a second: none comes while a test runs, and a thousand seconds make one."""


@pytest.fixture
def replicas(process: RedisProcess, raw: Redis) -> Iterator[list[Shared]]:
    with (
        closing(RedisServer.open(process.url)) as one,
        closing(RedisServer.open(process.url)) as other,
    ):
        yield [Shared(server, "store") for server in (one, other)]


def away() -> Shared:
    return Shared(RedisServer.open("redis://127.0.0.1:1"), "store")


def bucket(
    shared: Shared, waits: list[float], name: str = "model", rate: float = SLOW
) -> RedisBucket:
    alone = Bucket(rate, now=lambda: 0.0, sleep=lambda seconds: waits.append(-seconds))
    return RedisBucket(shared, name, rate, alone=alone, sleep=waits.append)


def test_turns_are_given_in_the_order_of_all_processes(replicas: list[Shared]) -> None:
    waits: list[float] = []
    one, other = (bucket(each, waits) for each in replicas)
    for each in (one, other, one, other):
        each.take()
    assert waits == pytest.approx([1000, 2000, 3000], abs=30)


def test_other_names_are_other_buckets(replicas: list[Shared]) -> None:
    waits: list[float] = []
    for name in ("model", "模型"):
        bucket(replicas[0], waits, name).take()
    assert waits == []


def test_who_may_not_go_on_is_told_when_and_takes_nothing(replicas: list[Shared]) -> None:
    one, other = (RedisBuckets(each, SLOW, alone=Buckets(SLOW)) for each in replicas)
    assert one.take("key") == 0.0
    assert [other.take("key"), one.take("key")] == pytest.approx([1000, 1000], abs=30)
    assert other.take("another") == 0.0


def test_a_bucket_fills_by_the_clock_of_redis_and_no_further(
    replicas: list[Shared], raw: Redis
) -> None:
    limits = RedisBuckets(replicas[0], 2.0, alone=Buckets(SLOW))
    assert [limits.take("key"), limits.take("key")] == [0.0, 0.0]
    [key] = raw.scan_iter()
    raw.hset(key, mapping={"level": "-100", "at": "1"})
    assert [limits.take("key"), limits.take("key")] == [0.0, 0.0]
    assert 0 < limits.take("key") <= 0.5


def test_a_clock_that_was_set_back_holds_nobody_up(replicas: list[Shared], raw: Redis) -> None:
    limits = RedisBuckets(replicas[0], SLOW, alone=Buckets(SLOW))
    limits.take("key")
    [key] = raw.scan_iter()
    raw.hset(key, mapping={"level": "1", "at": "9999999999"})
    assert limits.take("key") == 0.0
    assert limits.take("key") == pytest.approx(1000, abs=30)


def test_a_full_bucket_is_not_kept(replicas: list[Shared], raw: Redis) -> None:
    RedisBuckets(replicas[0], 10.0, alone=Buckets(SLOW)).take("key")
    [key] = raw.scan_iter()
    assert 0 < raw.pttl(key) <= 1_100


def test_while_redis_is_away_each_limits_by_itself() -> None:
    waits: list[float] = []
    one, other = bucket(away(), waits), bucket(away(), waits)
    for each in (one, one, other):
        each.take()
    assert waits == [-1000]
    limits = RedisBuckets(away(), SLOW, alone=Buckets(SLOW, now=lambda: 0.0))
    assert [limits.take("key"), limits.take("key"), limits.take("other")] == [0.0, 1000.0, 0.0]
