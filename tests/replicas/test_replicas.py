"""Whole servers on one store and one Redis, which is killed under them."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import cast

import pytest
from click.testing import CliRunner
from pydantic import SecretStr
from redis import Redis
from structlog.testing import capture_logs

from hindsight_memory import Hindsight
from hindsight_memory.core.model import Scope
from hindsight_memory.core.working import AddFact, SetGoal
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.cli.main import cli
from hindsight_memory.interfaces.readiness import health_of
from hindsight_memory.settings import Settings
from hindsight_memory.testing.redis_server import RedisProcess
from hindsight_memory.wiring import open_limiter

WORKER = Path(__file__).with_name("worker.py")
SCOPE = Scope("default", "default", "default")
NOWHERE = "redis://127.0.0.1:1"


@pytest.fixture
def store_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/memory.db"


@pytest.fixture
def two(store_url: str, own: RedisProcess) -> Iterator[list[Hindsight]]:
    """Replicas in one process."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(Hindsight.open(store_url, redis_url=own.url, embedder="hashing:64"))
            for _ in range(2)
        ]


def facts(memory: Hindsight, session_id: str = "s1") -> list[str]:
    document = memory.memories.working(SCOPE, session_id).session.document
    return [each.fact for each in document.confirmed_facts]


def add(memory: Hindsight, fact: str) -> None:
    memory.memories.working(SCOPE, "s1", [AddFact(fact=fact)])


def test_killing_redis_stops_no_agent_and_its_return_divides_no_replicas(
    two: list[Hindsight], own: RedisProcess
) -> None:
    one, other = two
    add(one, "数据库在 5432 端口")
    assert facts(other) == ["数据库在 5432 端口"]
    own.kill()
    add(other, "the port is 5433 now")
    add(one, "日志在 /var/log")
    known = ["数据库在 5432 端口", "the port is 5433 now", "日志在 /var/log"]
    assert [facts(one), facts(other)] == [known, known]
    own.start()
    add(one, "again")
    assert [facts(one), facts(other)] == [[*known, "again"]] * 2


def test_two_processes_share_a_session_through_a_kill(store_url: str, own: RedisProcess) -> None:
    command = [sys.executable, str(WORKER), store_url, own.url]
    workers = [
        subprocess.Popen([*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for name in ("甲", "乙")
    ]
    said = [0]
    for turn in range(8):
        {3: own.kill, 5: own.start}.get(turn, lambda: None)()
        for worker in workers:
            assert worker.stdin is not None
            assert worker.stdout is not None
            worker.stdin.write("\n")
            worker.stdin.flush()
            said.append(int(worker.stdout.readline()))
    for worker in workers:
        worker.communicate(timeout=60)
        assert worker.returncode == 0
    assert said == list(range(17))


def test_a_server_starts_and_works_while_redis_is_away(store_url: str) -> None:
    with Hindsight.open(store_url, redis_url=NOWHERE, embedder="hashing:64") as memory:
        add(memory, "tea")
        assert facts(memory) == ["tea"]
        memory.write("tea in the morning")
        assert [hit.memory.content for hit in memory.search("tea").hits] == ["tea in the morning"]
        [(name, reason)] = health_of(memory.memories).without.items()
        assert name == "redis"
        assert reason.startswith("redis://127.0.0.1:1 cannot be reached")


def test_what_one_replica_embedded_the_other_finds_and_a_purge_takes_it_out(
    two: list[Hindsight], own: RedisProcess
) -> None:
    one, other = two
    text = "花生过敏，随身带药"
    written = one.write(text).memory
    assert written is not None
    one.memories.working(SCOPE, "s1", [SetGoal(goal=text)])
    embedder = other.memories.parts.meaning.embedder
    assert embedder is not None
    vector = embedder.passages([text])[0].tobytes()
    assert values(own).count(vector) == 1
    assert text.encode() in b"".join(values(own))
    other.forget(written.id, hard_delete=True)
    assert values(own).count(vector) == 0
    assert text.encode() not in b"".join(values(own))
    assert one.memories.working(SCOPE, "s1").session.document.task_goal == ""


def values(process: RedisProcess) -> list[bytes]:
    with closing(Redis.from_url(process.url)) as raw:
        strings = [raw.get(key) for key in raw.scan_iter(_type="string")]
        fields = [each for key in raw.scan_iter(_type="hash") for each in raw.hvals(key)]
        return cast("list[bytes]", strings + fields)


def test_one_rate_holds_for_a_key_at_all_servers(own: RedisProcess) -> None:
    settings = Settings(
        redis_url=SecretStr(own.url), requests_per_second=0.001, api_keys=SecretStr("ours")
    )
    one, other = open_limiter(settings), open_limiter(settings)
    assert one.take("key 1") == 0.0
    assert other.take("key 1") == pytest.approx(1000, abs=30)
    assert other.take("key 2") == 0.0


# --- what is told ---


def doctor(store_url: str, redis_url: str) -> dict[str, tuple[str, str]]:
    env = {
        "HINDSIGHT_MEMORY_STORE_URL": store_url,
        "HINDSIGHT_MEMORY_REDIS_URL": redis_url,
        "HINDSIGHT_MEMORY_EMBEDDER": "hashing:64",
    }
    said = CliRunner().invoke(cli, ["--json", "doctor"], env=env)
    found = json.loads(said.stdout)["findings"]
    return {each["check"]: (each["state"], each["told"]) for each in found}


def test_the_doctor_names_redis(store_url: str, process: RedisProcess) -> None:
    state, told = doctor(store_url, process.url)["companions"]
    assert (state, told[:17]) == ("ok", "redis://127.0.0.1")
    state, told = doctor(store_url, "redis://:secret@127.0.0.1:1")["companions"]
    assert state == "problem"
    assert told.startswith("work goes on without redis: redis://127.0.0.1:1 cannot be reached")
    assert "secret" not in json.dumps(doctor(store_url, "redis://:secret@127.0.0.1:1"))


def test_a_wrong_password_is_logged_for_a_person(tmp_path: Path, store_url: str) -> None:
    with RedisProcess(tmp_path, requirepass="secret") as process:
        url = process.url.replace("secret", "wrong")
        with (
            capture_logs() as logs,
            Hindsight.open(store_url, redis_url=url, embedder="none") as memory,
        ):
            add(memory, "tea")
            assert facts(memory) == ["tea"]
    [lost] = [each for each in logs if each["event"] == "redis_lost"]
    assert "refuses the name or password in HINDSIGHT_MEMORY_REDIS_URL" in lost["reason"]


@pytest.mark.parametrize("url", ["http://127.0.0.1", "redis://127.0.0.1/main"])
def test_a_url_that_cannot_be_stops_the_start(store_url: str, url: str) -> None:
    with (
        pytest.raises(InvalidInput, match="HINDSIGHT_MEMORY_REDIS_URL"),
        Hindsight.open(store_url, redis_url=url),
    ):
        pass


def test_without_the_package_the_start_says_what_to_install(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with (
        pytest.raises(InvalidInput, match=r"pip install 'hindsight-memory\[redis\]'"),
        Hindsight.open(store_url, redis_url=NOWHERE),
    ):
        pass
