"""The time of this machine."""

from datetime import UTC, datetime


class SystemClock:
    """May jump, backwards too: it follows the machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)
