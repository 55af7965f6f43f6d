"""What a server shares where it is alone: nothing. By Redis: stores.redis.sharing."""

from collections.abc import Mapping

from hindsight_memory.core.ports import Embedder
from hindsight_memory.core.services import Companion, Pace
from hindsight_memory.core.side_ports import Sessions


class Alone:
    def sessions(self, of_store: Sessions) -> Sessions:
        return of_store

    def embedder(self, inner: Embedder) -> Embedder:
        return inner

    def pace(self, _name: str, _per_second: float, alone: Pace) -> Pace:
        return alone

    def companions(self) -> Mapping[str, Companion]:
        return {}

    def troubles(self) -> Mapping[str, str]:
        return {}
