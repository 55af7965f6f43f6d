"""Every error that crosses a module boundary.

HindsightError
├── InvalidInput      the caller's fault; retrying the same call cannot help
│   └── NotFound      no such memory that this caller may see
├── Conflict          someone else changed the row; read again and retry
├── Incompatible      the store was written by another version or holds something else
└── Unavailable       a store or model did not answer; retry later
    └── Damaged       the store's file is broken; it is left as it is, restore a backup
"""


class HindsightError(Exception):
    """Base of all errors raised on purpose; ``code`` is part of the public API."""

    code = "error"


class InvalidInput(HindsightError):
    code = "invalid_input"


class NotFound(InvalidInput):
    code = "not_found"


class Conflict(HindsightError):
    code = "conflict"


class Incompatible(HindsightError):
    code = "incompatible"


class Unavailable(HindsightError):
    code = "unavailable"


class Damaged(Unavailable):
    code = "damaged"
