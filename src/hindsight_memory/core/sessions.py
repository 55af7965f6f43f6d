"""What a store knows of a session as a whole."""

from dataclasses import dataclass
from datetime import datetime

from hindsight_memory.core.codec import iso


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionState:
    """episodes: how many it has, whatever their state. last_id: of the last that was written.
    touched_at: the last change of any.
    """

    session_id: str
    episodes: int
    last_id: str
    touched_at: datetime

    @property
    def mark(self) -> str:
        """Another one after any change that somebody made to an episode, a purge included."""
        return f"{self.episodes} {self.last_id} {iso(self.touched_at)}"
