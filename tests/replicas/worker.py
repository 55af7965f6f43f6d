"""A replica: ``worker.py STORE REDIS NAME``. For each line of its input it adds a fact to the one
session, and says how many facts it then reads.
"""

import sys

from hindsight_memory import Hindsight
from hindsight_memory.core.model import Scope
from hindsight_memory.core.working import AddFact
from hindsight_memory.logs import configure

SCOPE = Scope("default", "default", "default")

if __name__ == "__main__":
    store, redis, name = sys.argv[1:]
    configure("error")
    with Hindsight.open(store, redis_url=redis, embedder="none") as memory:
        for number, _ in enumerate(sys.stdin):
            fact = AddFact(fact=f"{name} 发现第 {number} 处")
            memory.memories.working(SCOPE, "共同的会话", [fact])
            known = memory.memories.working(SCOPE, "共同的会话").session
            print(len(known.document.confirmed_facts), flush=True)  # noqa: T201  # to the test
