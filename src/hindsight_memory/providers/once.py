"""What is costly to make is made when it is first wanted, by whoever comes first."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Once(Generic[Made]):
    """Calling it gives what ``make`` gave first. The others wait meanwhile; what ``make`` raises
    reaches its caller, and the next call tries again.
    """

    def __init__(self, make: Callable[[], Made]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: Made | None = None

    def __call__(self) -> Made:
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made
