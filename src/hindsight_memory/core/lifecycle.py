"""What becomes of a memory that is edited, forgotten, restored or used. Pure."""

from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from hindsight_memory.core import values
from hindsight_memory.core.model import Edit, Memory, Tier
from hindsight_memory.core.policy import TRUST, Status
from hindsight_memory.errors import Conflict, InvalidInput

Value = TypeVar("Value")


def edited(memory: Memory, edit: Edit, now: datetime) -> Memory:
    """``memory`` after ``edit``.

    Raises Conflict when it is not at the expected version, InvalidInput for what may not be.
    """
    if edit.expected_version not in {None, memory.version}:
        message = f"memory {memory.id!r} is at version {memory.version}"
        raise Conflict(f"{message}, not {edit.expected_version}; read it again")
    content = memory.content if edit.content is None else edit.content
    after = replace(
        memory,
        content=content,
        subject=values.subject(content),
        confidence=_either(edit.confidence, memory.confidence),
        importance=_either(edit.importance, memory.importance),
        tags=_either(edit.tags, memory.tags),
        memory_type=_either(edit.memory_type, memory.memory_type),
        status=_allowed_status(memory, edit.status),
        tier=_either(edit.tier, memory.tier),
        heat=_either(edit.heat, memory.heat),
        updated_at=now,
        version=memory.version + 1,
    )
    return restored(after, now) if edit.restore else after


def restored(memory: Memory, now: datetime) -> Memory:
    """Back in use, and for good where its time was over.

    One that was superseded is current again: what took its place has to give way (``gave_way``).
    """
    is_over = memory.expires_at is not None and memory.expires_at <= now
    return replace(
        memory,
        deleted_at=None,
        retired_at=None,
        superseded_by=None,
        valid_to=None if memory.is_superseded else memory.valid_to,
        tier=Tier.ACTIVE,
        expires_at=None if is_over else memory.expires_at,
    )


def gave_way(successor: Memory, restored_one: Memory, now: datetime) -> Memory:
    """``successor`` after what it had superseded was restored: the decision is turned round, and it
    was true at no time.
    """
    return replace(
        successor,
        superseded_by=restored_one.id,
        retired_at=now,
        supersedes=None,
        valid_to=None,
        updated_at=now,
        version=successor.version + 1,
    )


def brought_back(memory: Memory) -> Memory | None:
    """Active again, because it was used; None where it is active, or not current."""
    if memory.tier is Tier.ACTIVE or memory.is_forgotten or memory.is_superseded:
        return None
    return replace(memory, tier=Tier.ACTIVE, version=memory.version + 1)


def forgotten(memory: Memory, now: datetime) -> Memory:
    return replace(memory, deleted_at=now, updated_at=now, version=memory.version + 1)


def _allowed_status(memory: Memory, wanted: Status | None) -> Status:
    """Raises InvalidInput for what only a person may decide."""
    if wanted is None or wanted is memory.status:
        return memory.status
    if memory.status is Status.QUARANTINED:
        raise InvalidInput("a quarantined memory is released by a person only")
    if wanted is Status.CONFIRMED and TRUST[memory.source].status is not Status.CONFIRMED:
        message = f"source {memory.source.value!r} cannot be confirmed by an update"
        raise InvalidInput(f"{message}; write it again with the source that confirms it")
    return wanted


def _either(given: Value | None, otherwise: Value) -> Value:
    return otherwise if given is None else given
