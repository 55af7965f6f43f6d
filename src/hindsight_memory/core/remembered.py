"""What a text was read as, for the next question about the same text.

One write asks several times about each of its neighbours, and the next write about many of them
again; so does a search about its hits. Pure functions only.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

TEXTS = 1024
LONGEST = 400
"""Characters. What longer texts give is not kept, so that this stays within 35 MB for each function
whatever is written.
"""

Given = TypeVar("Given")


def remembered(function: Callable[[str], Given]) -> Callable[[str], Given]:
    """``function``, which does not work twice for one of the last ``TEXTS`` texts."""
    kept = lru_cache(TEXTS)(function)

    @wraps(function)
    def asked(text: str) -> Given:
        return kept(text) if len(text) <= LONGEST else function(text)

    return asked
