"""Every error that crosses a module boundary.

HindsightError
├── InvalidInput      the caller's fault; retrying the same call cannot help
│   └── NotFound      no such memory that this caller may see
├── Conflict          someone else changed the row; read again and retry
├── Incompatible      the store was written by another version or holds something else
├── Unauthenticated   no API key, or one that this server does not know
├── RateLimited       asked too often; retry when the answer says
└── Unavailable       a store or model did not answer; retry later
    └── Damaged       the store's file is broken; it is left as it is, restore a backup
"""

import re

ECHO_LENGTH = 200
"""Characters of a word of a message: what is longer was given by the caller, who knows it."""

MESSAGE_LENGTH = 1_000

_WORD = re.compile(rf"\S{{{ECHO_LENGTH + 1},}}")


def shortened(message: str) -> str:
    """``message`` without the middle of what is too long: its ends say what it is about."""
    words = _WORD.sub(lambda word: _cut(word[0], ECHO_LENGTH, "…"), message)
    return _cut(words, MESSAGE_LENGTH, " … ")


def _cut(text: str, length: int, gap: str) -> str:
    if len(text) <= length:
        return text
    end = length // 5
    return f"{text[: length - end - len(gap)]}{gap}{text[-end:]}"


class HindsightError(Exception):
    """Base of all errors raised on purpose; ``code`` is part of the public API.

    What a caller gave is repeated in the message up to ``ECHO_LENGTH``.
    """

    code = "error"

    def __init__(self, message: str = "") -> None:
        super().__init__(shortened(message))


class InvalidInput(HindsightError):
    code = "invalid_input"


class NotFound(InvalidInput):
    code = "not_found"


class Conflict(HindsightError):
    code = "conflict"


class Incompatible(HindsightError):
    code = "incompatible"


class Unauthenticated(HindsightError):
    code = "unauthenticated"


class RateLimited(HindsightError):
    code = "rate_limited"


class Unavailable(HindsightError):
    code = "unavailable"


class Damaged(Unavailable):
    code = "damaged"
