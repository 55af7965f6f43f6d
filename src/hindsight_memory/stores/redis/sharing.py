"""What a server shares with the other replicas of its store, by a Redis."""

from collections.abc import Mapping

from hindsight_memory.core.ports import Embedder, Limiter
from hindsight_memory.core.services import Companion, Pace
from hindsight_memory.core.side_ports import Sessions
from hindsight_memory.stores.redis.buckets import RedisBucket, RedisBuckets
from hindsight_memory.stores.redis.connection import RedisServer, Shared
from hindsight_memory.stores.redis.sessions import RedisSessions, name_of_store
from hindsight_memory.stores.redis.vectors import SharedEmbedder

NAME = "redis"


class RedisSharing:
    """working: that of the store, which also keeps the store's name."""

    def __init__(self, server: RedisServer, working: Sessions) -> None:
        self._server = server
        self._shared = Shared(server, name_of_store(working))

    def sessions(self, of_store: Sessions) -> Sessions:
        """Where working memory is read and written."""
        return RedisSessions(of_store, self._shared)

    def embedder(self, inner: Embedder) -> Embedder:
        """``inner``, asked for what no replica has embedded."""
        return SharedEmbedder(inner, self._shared)

    def pace(self, name: str, per_second: float, alone: Pace) -> Pace:
        """How often all replicas together do what ``name`` says; ``alone`` without Redis."""
        return RedisBucket(self._shared, name, per_second, alone=alone)

    def companions(self) -> Mapping[str, Companion]:
        return {NAME: self._server}

    def troubles(self) -> Mapping[str, str]:
        """Why Redis did not answer when it was last asked; empty where it did."""
        return {NAME: self._server.trouble} if self._server.trouble else {}


def shared_limiter(url: str, keys: str, per_second: float, alone: Limiter) -> Limiter:
    """How often each may ask all replicas together. keys: what only these replicas know."""
    return RedisBuckets(Shared(RedisServer.open(url), keys), per_second, alone=alone)
