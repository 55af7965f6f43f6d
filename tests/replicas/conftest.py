"""A real server for all tests here, emptied before each. In CI none may be missing."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from redis import Redis

from hindsight_memory.stores.redis.connection import RedisServer, Shared
from hindsight_memory.testing.redis_server import RedisProcess, find_binary

pytest.register_assert_rewrite("hindsight_memory.testing.session_suite")


@pytest.fixture(scope="session")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    require_binary()
    with RedisProcess(tmp_path_factory.mktemp("redis")) as process:
        yield process


@pytest.fixture
def own(tmp_path: Path) -> Iterator[RedisProcess]:
    """One to be killed."""
    require_binary()
    with RedisProcess(tmp_path) as process:
        yield process


@pytest.fixture
def raw(process: RedisProcess) -> Iterator[Redis]:
    """To look into what is there."""
    with closing(Redis.from_url(process.url)) as redis:
        redis.flushall()
        yield redis


@pytest.fixture
def server(process: RedisProcess, raw: Redis) -> Iterator[RedisServer]:
    with closing(RedisServer.open(process.url)) as server:
        yield server


@pytest.fixture
def shared(server: RedisServer) -> Shared:
    return Shared(server, "store")


def require_binary() -> None:
    if find_binary() is not None:
        return
    if os.environ.get("CI") == "true":
        pytest.fail("no Redis to test with: install the group dev, or redis-server")
    pytest.skip("no Redis to test with")
