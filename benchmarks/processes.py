"""Processes of the service, timed and weighed from outside."""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from common import ROOT, Cell, Goal, Report, say, watched
from filling import fill, questions

COMMAND = Path(sys.executable).with_name("hindsight-memory")
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
LIBRARY = """
import sys
from hindsight_memory import Hindsight
with Hindsight.open("sqlite:///" + sys.argv[1]) as memory:
    print(len(memory.search(sys.argv[2]).hits), flush=True)
"""
RUNS = 10
SEARCHES = 200
MEGABYTE = 1e6
TIMEOUT_SECONDS = 60


def start(report: Report) -> None:
    """From process start to the first answer, in fresh processes."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "memory.db")
        fill(path, 1_000)
        asked = iter(questions(4 * RUNS))
        measured = {
            "an empty Python": lambda: _until_output([sys.executable, "-c", "print()"]),
            "tools/list over stdio": lambda: _until_output(_mcp(path), LIST),
            "first search, library": lambda: _until_output(
                [sys.executable, "-c", LIBRARY, str(path), next(asked)]
            ),
            "first search over MCP": lambda: _until_output(_mcp(path), _search(next(asked))),
        }
        seconds = _alternately(measured)
    rows: list[dict[str, Cell]] = [
        {
            "until the answer": name,
            "median ms": 1000 * statistics.median(taken),
            "fastest ms": 1000 * min(taken),
            "slowest ms": 1000 * max(taken),
        }
        for name, taken in seconds.items()
    ]
    report.table(f"From process start, {RUNS} fresh processes each", rows)
    for name, most in (
        ("tools/list over stdio", 0.5),
        ("first search, library", 1.0),
        ("first search over MCP", 1.0),
    ):
        report.goals.append(Goal(f"seconds to {name}", statistics.median(seconds[name]), most=most))


def memory(report: Report) -> None:
    """Resident memory of serving processes at 20,000 memories of one user."""
    if not Path("/proc/self/status").exists():
        say("skipped: resident memory is read from /proc, which only Linux has")
        return
    with TemporaryDirectory() as folder:
        path = Path(folder, "memory.db")
        fill(path, 20_000)
        served = {"mcp (stdio)": _weigh_mcp(path), "serve (REST)": _weigh_rest(path)}
    rows: list[dict[str, Cell]] = [
        {"process": name, "RSS MB": resident} for name, resident in served.items()
    ]
    report.table(f"Resident memory after {SEARCHES} searches of 20,000 memories", rows)
    report.goals.append(Goal("MB resident", max(served.values()), most=300))


def install(report: Report) -> None:
    """A fresh virtual environment with the locked runtime requirements and the package."""
    with TemporaryDirectory() as folder:
        python = Path(folder, "bin", "python")
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        locked = ["--require-hashes", "-r", str(ROOT / "requirements" / "runtime.txt")]
        try:
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            empty = _size(Path(folder))
            subprocess.run([*pip, *locked], check=True)
            subprocess.run([*pip, "--no-deps", str(ROOT)], check=True)
        except subprocess.CalledProcessError as error:
            say(f"skipped: no fresh install here ({error})")
            return
        whole = _size(Path(folder))
        largest = _largest(Path(folder))
    rows: list[dict[str, Cell]] = [{"part": "all", "MB": whole}, {"part": "venv, pip", "MB": empty}]
    rows += [{"part": name, "MB": size} for name, size in largest]
    report.table("Runtime install", rows)
    report.goals.append(Goal("MB installed", whole, most=250))


def _alternately(measured: dict[str, Callable[[], float]]) -> dict[str, list[float]]:
    """Each once per round, so that a busy moment of the machine meets all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in measured}
    for _ in watched(range(RUNS), "starting processes"):
        for name, measure in measured.items():
            seconds[name].append(measure())
    return seconds


def _mcp(path: Path) -> list[str]:
    return [str(COMMAND), "mcp", "--store", f"sqlite:///{path}"]


def _search(query: str) -> dict[str, Any]:
    call = {"name": "memory_search", "arguments": {"query": query}}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"


def _until_output(command: Sequence[str], message: dict[str, Any] | None = None) -> float:
    """Seconds from the start of a process until its first line; it must end well."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    if message is not None:
        process.stdin.write(_line(message))
        process.stdin.flush()
    answer = process.stdout.readline()
    seconds = time.perf_counter() - began
    process.communicate(timeout=TIMEOUT_SECONDS)
    assert process.returncode == 0
    if message is not None:
        assert "result" in json.loads(answer)
    return seconds


def _weigh_mcp(path: Path) -> float:
    process = subprocess.Popen(_mcp(path), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    for query in watched(questions(SEARCHES), "searching over MCP"):
        process.stdin.write(_line(_search(query)))
        process.stdin.flush()
        assert b'"hits"' in process.stdout.readline()
    resident = _resident(process.pid)
    process.communicate(timeout=TIMEOUT_SECONDS)
    return resident


def _weigh_rest(path: Path) -> float:
    command = [str(COMMAND), "serve", "--json", "--port", "0", "--store", f"sqlite:///{path}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    try:
        url = json.loads(process.stdout.readline())["rest"]
        for query in watched(questions(SEARCHES), "searching over REST"):
            _post(url, {"query": query})
        return _resident(process.pid)
    finally:
        process.terminate()
        process.communicate(timeout=TIMEOUT_SECONDS)


def _post(url: str, given: dict[str, Any]) -> None:
    """Searches through REST; something must be found."""
    place = urlsplit(url)
    with closing(HTTPConnection(place.netloc, timeout=TIMEOUT_SECONDS)) as connection:
        headers = {"Content-Type": "application/json"}
        connection.request("POST", f"{place.path}/memories/search", json.dumps(given), headers)
        assert json.load(connection.getresponse())["hits"]


def _resident(pid: int) -> float:
    """In megabytes."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    [line] = [each for each in status.splitlines() if each.startswith("VmRSS")]
    return int(line.split()[1]) * 1024 / MEGABYTE


def _size(folder: Path) -> float:
    """What its files hold, in megabytes."""
    paths = (Path(where, name) for where, _, names in os.walk(folder) for name in names)
    return sum(path.lstat().st_size for path in paths) / MEGABYTE


def _largest(folder: Path) -> list[tuple[str, float]]:
    [packages] = folder.glob("lib/python*/site-packages")
    sizes = [(path.name, _size(path)) for path in packages.iterdir() if path.is_dir()]
    return sorted(sizes, key=lambda each: -each[1])[:8]
