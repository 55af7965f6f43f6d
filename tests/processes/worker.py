"""A process that shares a file of memories: ``worker.py write|read FILE NAME``, one line a result.

A writer says the id of each memory once it is acknowledged. A reader says how many memories it saw,
until its input is closed.
"""

import select
import sys

from hindsight_memory import Hindsight

WRITES = 40


def write(memory: Hindsight, name: str) -> None:
    for number in range(WRITES):
        written = memory.write(f"The {name}{number} service listens on port {7000 + number}.")
        assert written.memory is not None
        print(written.memory.id, flush=True)  # noqa: T201  # to the test


def read(memory: Hindsight, _: str) -> None:
    while not select.select([sys.stdin], [], [], 0)[0]:
        memory.search("which port does the service listen on?")
        seen = memory.memories.parts.store.every("default", after="", limit=1000)
        print(len(seen), flush=True)  # noqa: T201


if __name__ == "__main__":
    task, path, name = sys.argv[1:]
    with Hindsight.open(f"sqlite:///{path}", embedder="hashing:64") as memory:
        {"write": write, "read": read}[task](memory, name)
