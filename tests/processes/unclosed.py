"""A process that ends without closing its memory: ``unclosed.py FILE``.

It says the id of what it wrote and then of each recall; the recalls are still to be kept when it
ends.
"""

import sys
from threading import Event

from hindsight_memory import Hindsight

SEARCHES = 20
is_ending = Event()


def wait() -> None:
    is_ending.wait()


if __name__ == "__main__":
    memory = Hindsight.open(f"sqlite:///{sys.argv[1]}", embedder="hashing:64")
    written = memory.write("Ann is allergic to peanuts.")
    assert written.memory is not None
    print(written.memory.id)  # noqa: T201  # to the test
    memory.memories.parts.behind.submit(wait)
    for _ in range(SEARCHES):
        print(memory.search("peanuts").recall_id)  # noqa: T201
    is_ending.set()
