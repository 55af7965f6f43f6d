"""Kills a writing process, again and again: no acknowledged write may be lost, none half-written.

python benchmarks/crash.py [--kills 20] [--writes 500] [--seed 0]
"""

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from hindsight_memory import Hindsight
from hindsight_memory.core.model import Memory, Scope
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.core.text import query_terms
from hindsight_memory.stores.sqlite.store import SqliteStore

OWNER = Scope("default", "default", None)
EMBEDDER = "hashing:64"
WRITER = "--writer"


def content(name: str) -> str:
    return f"The {name} service listens on port {5000 + int(name[-4:])}. 服务{name}的端口已定。"


def write(path: str, first: int, writes: int) -> None:
    """The process that is killed: says each memory's name and id once it is acknowledged."""
    with Hindsight.open(f"sqlite:///{path}", embedder=EMBEDDER) as memory:
        for number in range(first, first + writes):
            name = f"svc{number:04}"
            written = memory.write(content(name)).memory
            assert written is not None
            print(name, written.id, flush=True)


def killed(path: Path, first: int, writes: int, after: int) -> dict[str, str]:
    """Ids by name of what a writer acknowledged before it was killed, ``after`` so many writes."""
    command = [sys.executable, __file__, WRITER, str(path), str(first), str(writes)]
    acknowledged = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for line in writer.stdout:
            acknowledged.append(line)
            if len(acknowledged) == after:
                writer.kill()
    assert writer.returncode in {0, -signal.SIGKILL}, "the writer failed by itself"
    return dict(line.split() for line in acknowledged if line.endswith("\n"))


def complaints(path: Path, acknowledged: dict[str, str]) -> list[str]:
    """What is wrong with the file after a crash, one sentence each."""
    with closing(SqliteStore.open(str(path))) as store:
        found = {memory.id: memory for memory in store.every("default", after="", limit=10**6)}
        names = {memory_id: name for name, memory_id in acknowledged.items()}
        lost = [f"{name} is lost" for memory_id, name in names.items() if memory_id not in found]
        broken = [
            f"{memory.id} is half-written"
            for memory in found.values()
            if not is_whole(store, memory)
        ]
        return [*lost, *broken, *store.problems()]


def is_whole(store: SqliteStore, memory: Memory) -> bool:
    """It has its content, its history, and is found by its own words."""
    name = memory.content.split()[1]
    near = store.candidates(OWNER, query_terms(name), None, where=Filter(), limit=1)
    return (
        memory.content == content(name)
        and len(store.history(OWNER, memory.id)) == memory.version
        and memory.id in {evidence.id for evidence in near.evidence}
    )


def run(kills: int, writes: int, seed: int) -> int:
    """The number of complaints."""
    chance = random.Random(seed)  # noqa: S311  # when to kill
    acknowledged: dict[str, str] = {}
    said: list[str] = []
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "memory.db")
        for kill in range(kills):
            after = chance.randint(1, writes)
            acknowledged |= killed(path, kill * writes, writes, after)
            said += complaints(path, acknowledged)
    seconds = time.perf_counter() - began
    print(*said, sep="\n", end="\n" if said else "")
    print(f"{kills} kills, {len(acknowledged)} acknowledged writes, {seconds:.0f} s:", end=" ")
    print(f"{len(said)} complaints")
    return len(said)


def main(given: Sequence[str]) -> int:
    if given[:1] == [WRITER]:
        path, first, writes = given[1:]
        write(path, int(first), int(writes))
        return 0
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--writes", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(given)
    return min(1, run(args.kills, args.writes, args.seed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
