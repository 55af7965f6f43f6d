"""What has to be taken out of Redis, and is remembered while it is away."""

import threading
from collections.abc import Callable, Collection, Hashable
from typing import Generic, TypeVar

from redis import Redis
from redis.client import Pipeline

from hindsight_memory.errors import Unavailable
from hindsight_memory.stores.redis.connection import RedisServer

MOST = 10_000
"""Remembered at once; what is beyond ends by its own time."""

Item = TypeVar("Item", bound=Hashable)


class Owed(Generic[Item]):
    """Safe to share between threads. take_out: queues the commands that take out one item."""

    def __init__(self, server: RedisServer, take_out: Callable[[Pipeline, Item], None]) -> None:
        self._server, self._take_out = server, take_out
        self._lock = threading.Lock()
        self._items: set[Item] = set()

    def take_out(self, items: Collection[Item]) -> str:
        """Now, or before Redis is asked anything else. Returns why it was not done now, or ""."""
        with self._lock:
            if len(self._items) < MOST:
                self._items.update(items)
        try:
            self.pay()
        except Unavailable as error:
            return str(error)
        return ""

    def pay(self) -> None:
        """Take out what is owed. Raises Unavailable."""
        if not self._items:
            return
        with self._lock:
            items = tuple(self._items)
        self._server.ask(lambda redis: self._send(redis, items))
        with self._lock:
            self._items.difference_update(items)

    def _send(self, redis: Redis, items: Collection[Item]) -> None:
        with redis.pipeline(transaction=True) as pipe:
            for item in items:
                self._take_out(pipe, item)
            pipe.execute()
