"""What was found to be untrue does not come back by another door. Pure."""

from collections.abc import Iterable
from datetime import datetime

from hindsight_memory.core.changes import Rejection
from hindsight_memory.core.conflict import claims_the_same, rejection_key
from hindsight_memory.core.identity import digest
from hindsight_memory.core.model import Memory
from hindsight_memory.core.policy import TRUST, Source

OF_THE_USER = frozenset({Source.USER_CONFIRMED, Source.USER_EXPLICIT})


def key(memory: Memory) -> str:
    """Equal for statements of one project that differ in nothing but their looks."""
    return digest(memory.project, "rejected", rejection_key(memory.content))


def keys(memory: Memory, past: Iterable[Memory]) -> list[str]:
    """Under which ``memory`` may have been rejected: in its words, or in those of one of ``past``
    that was never true and claims the same.
    """
    same = (each for each in past if claims_the_same(each.content, memory.content))
    return list(dict.fromkeys([key(memory), *(key(each) for each in same if _was_never(each))]))


def _was_never(memory: Memory) -> bool:
    ended = memory.valid_to is None or memory.valid_to <= memory.happened_at
    return memory.is_superseded and ended


def rejection(old: Memory, *, trust: float, at: datetime) -> Rejection:
    """That ``old`` was never true, by the word of somebody with this trust."""
    return Rejection(key=key(old), user_id=old.user_id, memory_id=old.id, trust=trust, at=at)


def is_by_person(rejected: Rejection) -> bool:
    """Through a door that is a person's, and not by what an agent says of the user."""
    return rejected.trust >= TRUST[Source.USER_CONFIRMED].trust


def may_return(rejected: Rejection, memory: Memory) -> bool:
    """Whether a better source says it again, or the user, who may change their mind."""
    if memory.trust == rejected.trust:
        return memory.source in OF_THE_USER
    return memory.trust > rejected.trust


def told(rejected: Rejection) -> str:
    """Why it may not be said again, and who may say it."""
    return (
        f"this was rejected as untrue on {rejected.at:%Y-%m-%d} (memory {rejected.memory_id!r}); "
        "the user, or a better source, may state it again"
    )


def may_come_back(rejected: Rejection, memory: Memory) -> bool:
    """Whether a current ``memory`` of an export outweighs what was rejected here.

    By a better source, or by the user's word since then: an import does not make an old word new.
    """
    is_later = memory.updated_at > rejected.at
    return memory.trust > rejected.trust or (is_later and may_return(rejected, memory))
