"""When two memories would be the same row, two requests the same write, two versions the same."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, replace

from hindsight_memory.core.codec import NOT_HISTORY, draft_to_json, iso
from hindsight_memory.core.model import Draft, Json, Layer, Memory, Visibility

_FRACTIONS = frozenset(field.name for field in fields(Memory) if field.type is float)


def identity(memory: Memory) -> str:
    """Equal for memories with the same content in the same place.

    The place is user and project, the author where the memory is private, and for an episode its
    session and time: the same thing happening again is another episode.
    """
    is_episode = memory.layer is Layer.EPISODIC
    key = [
        memory.tenant,
        memory.user_id,
        memory.project,
        memory.agent_id if memory.visibility is Visibility.PRIVATE else "",
        memory.layer.value,
        memory.session_id if is_episode else "",
        iso(memory.valid_from) if is_episode and memory.valid_from else "",
        memory.content,
    ]
    return digest(*key)


def request_digest(draft: Draft) -> str:
    """Equal for two drafts that ask for the same, whatever the order of their fields, and also
    after an upgrade that adds fields.
    """
    plain = replace(draft, idempotency_key=None, notes=())
    return digest(json.dumps(draft_to_json(plain), sort_keys=True))


def seal(said: Mapping[str, Json], salt: str, reason: str) -> str:
    """A digest of one version of a memory, by which an edit behind the store's back is noticed.

    said: its fields (core.codec); of those that change without a version none counts. A whole
    number in place of a fraction is the same. reason: why the version was made.
    """
    kept = {
        name: float(value) if name in _FRACTIONS and isinstance(value, int) else value
        for name, value in said.items()
        if name == "version" or name not in NOT_HISTORY
    }
    return digest(salt, reason, json.dumps(kept, sort_keys=True))


def digest(*parts: str) -> str:
    """One hash over ``parts`` and the boundaries between them."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
