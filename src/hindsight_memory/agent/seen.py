"""What of a block a model has in view already, so that a hook does not say it at every prompt.

Pure, and cheap to import: it happens before every tool call.
"""

import re
from collections.abc import Collection
from hashlib import sha256

ITEM = "- "
"""What begins a line that says something; the others are the fence and its heading."""

_AGE = re.compile(r", (?:last )?(?:\d+ \w+ ago|just now|in the future)")
"""As ``core.context.age`` tells it: that a memory is a day older makes it no other."""


def keys(block: str) -> list[str]:
    """Of what a block says, line by line; equal for what says the same at another time."""
    return [_key(line) for line in block.splitlines() if line.startswith(ITEM)]


def unseen(block: str, seen: Collection[str]) -> str:
    """``block`` without the lines whose keys are ``seen``; "" where nothing is left to say."""
    lines = block.splitlines()
    kept = [line for line in lines if not line.startswith(ITEM) or _key(line) not in seen]
    return "\n".join(kept) if any(line.startswith(ITEM) for line in kept) else ""


def _key(line: str) -> str:
    return sha256(_AGE.sub("", line).encode()).hexdigest()[:16]
