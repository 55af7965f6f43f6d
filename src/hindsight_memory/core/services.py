"""More ports: services beside the store, and how often something is asked of one."""

from typing import Protocol


class Companion(Protocol):
    """A service without which work goes on."""

    def look(self) -> str:
        """What answers there, asked now. Raises Unavailable."""
        ...


class Pace(Protocol):
    """How often something may happen."""

    def take(self) -> None:
        """Waits for its turn."""
        ...
