"""What probes see, and that what nobody could observe is no change."""

import hashlib
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from hindsight_memory.core import probes
from hindsight_memory.core.probes import Probe, check_probe
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.providers.probes import KINDS, Prober

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
TEST = ("/usr/bin/test", "/bin/sh", "/no/such/program")


def seen(prober: Prober | None = None, now: datetime = NOON, **probe: Any) -> str:
    return (prober or Prober()).observe(probe, now).seen.value


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "配置.toml"
    path.write_bytes(b"port = 8000\n")
    return path


def test_each_kind_is_checked_and_looked_at() -> None:
    assert set(KINDS) == set(probes.KINDS)


def test_a_path_is_there_or_not(file: Path) -> None:
    missing = str(file.with_name("none"))
    assert seen(kind="path_exists", path=str(file)) == "unchanged"
    assert seen(kind="path_exists", path=missing) == "changed"
    assert seen(kind="path_exists", path=missing, exists=False) == "unchanged"
    assert seen(kind="path_exists", path=str(file), exists=False) == "changed"


def test_a_place_that_is_not_there_tells_nothing(file: Path) -> None:
    elsewhere = str(file.with_name("no disk") / "a")
    assert seen(kind="path_exists", path=elsewhere) == "unobservable"
    assert seen(kind="path_exists", path=elsewhere, exists=False) == "unobservable"
    assert seen(kind="file_hash", path=elsewhere, sha256="0" * 64) == "unobservable"


def test_a_file_keeps_its_hash_until_its_content_changes(file: Path) -> None:
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest().upper()
    assert seen(kind="file_hash", path=str(file), sha256=sha256) == "unchanged"
    file.write_bytes(b"port = 9000\n")
    assert seen(kind="file_hash", path=str(file), sha256=sha256) == "changed"
    file.unlink()
    assert seen(kind="file_hash", path=str(file), sha256=sha256) == "changed"


def test_what_cannot_be_read_is_not_observed(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    too_long = "/" + "x" * 300
    for path in (str(pipe), str(tmp_path), too_long):
        assert seen(kind="file_hash", path=path, sha256="0" * 64) == "unobservable"
    assert seen(kind="path_exists", path=too_long) == "unobservable"


def test_a_circle_of_links_tells_nothing(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert seen(kind="path_exists", path=str(loop / "a")) == "unobservable"


@pytest.mark.parametrize(
    ("date", "now", "expected"),
    [
        ("2030-01-01", NOON, "unchanged"),
        ("2029-12-31", NOON, "changed"),
        ("2030-01-01", datetime(2030, 1, 1, 15, 59, tzinfo=UTC), "unchanged"),
        ("2030-01-01", datetime(2030, 1, 1, 16, 0, tzinfo=UTC), "changed"),
        ("2030-01-01T12:00:00+00:00", NOON, "changed"),
        ("2030-01-01T12:00:01Z", NOON, "unchanged"),
    ],
)
def test_a_day_has_passed_when_it_is_over_where_the_user_is(
    date: str, now: datetime, expected: str
) -> None:
    prober = Prober(zone=ZoneInfo("Asia/Shanghai"))
    assert seen(prober, now, kind="date_passed", date=date) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["/usr/bin/test", "1", "=", "1"], "unchanged"),
        (["/usr/bin/test", "1", "=", "2"], "changed"),
        (["/usr/bin/test", "1", "=", "1;", "false"], "changed"),
        (["/bin/sh", "-c", "kill -9 $$"], "unobservable"),
        (["/bin/sh", "-c", "sleep 5"], "unobservable"),
        (["/no/such/program"], "unobservable"),
        (["test", "1", "=", "2"], "unobservable"),
    ],
    ids=str,
)
def test_a_command_says_it_by_its_exit_code(command: list[str], expected: str) -> None:
    prober = Prober(commands=TEST, command_seconds=0.5)
    assert seen(prober, kind="command", command=command) == expected


def test_no_command_runs_unless_it_is_allowed(file: Path) -> None:
    probe: Probe = {"kind": "command", "command": ["/bin/rm", str(file)]}
    observation = Prober().observe(probe, NOON)
    assert observation.seen == "unobservable"
    assert "not among the commands" in observation.detail
    assert file.exists()


WRONG: list[tuple[Any, str]] = [
    ("path_exists", "must be an object"),
    ({}, "kind None; known: path_exists, file_hash, date_passed, command"),
    ({"kind": "shell"}, "'shell'; known"),
    ({"kind": ["x"]}, "known"),
    ({"kind": "path_exists"}, "probe.path cannot be 'None'; give an absolute path"),
    ({"kind": "path_exists", "path": "a/b"}, "probe.path cannot be 'a/b'"),
    ({"kind": "path_exists", "path": "/a", "exists": "yes"}, "true or false"),
    ({"kind": "path_exists", "path": "/a", "sha256": "0"}, "no 'sha256'; it has path, exists"),
    ({"kind": "file_hash", "path": "/a", "sha256": "abc"}, "64 hexadecimal digits"),
    ({"kind": "date_passed", "date": "2030-13-01"}, "a day"),
    ({"kind": "date_passed", "date": "2030-01-01T12:00:00"}, "with its offset"),
    ({"kind": "command", "command": "rm -rf /"}, "a list of 1 to 32 words"),
    ({"kind": "command", "command": []}, "a list of 1 to 32 words"),
]


@pytest.mark.parametrize(("probe", "told"), WRONG, ids=[str(probe) for probe, _ in WRONG])
def test_a_wrong_probe_is_refused_at_the_door_and_unobservable_behind_it(
    memory: Hindsight, probe: Any, told: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        memory.write("tea", metadata={"probe": probe})
    assert told in str(refused.value)
    if isinstance(probe, dict):
        assert seen(**probe) == "unobservable"


def test_a_right_probe_is_kept(memory: Hindsight) -> None:
    probe = {"kind": "date_passed", "date": str((NOON + timedelta(days=1)).date())}
    check_probe(dict(probe))
    written = memory.write("tea", metadata={"probe": probe}).memory
    assert written is not None
    assert written.metadata == {"probe": probe}
