"""How far a memory can be believed now, as a factor on its score and as a word."""

from datetime import datetime

from hindsight_memory.core.model import Memory
from hindsight_memory.core.policy import POLICIES, Source, Status
from hindsight_memory.core.retrieval import Verdict

DOUBT = 0.1
"""The most that trust and confirmation together take off a score."""

TENTATIVE = 0.8
"""What an unconfirmed statement is worth, of its source's trust."""


def is_doubted(memory: Memory, now: datetime) -> bool:
    """Whether nobody has confirmed, repeated or changed it for as long as its type allows."""
    patience = POLICIES[memory.memory_type].doubted_after
    is_confirmed = memory.status is Status.CONFIRMED
    return patience is not None and not is_confirmed and now - memory.updated_at >= patience


FACTORS = (
    (0.5, lambda memory, now: memory.source is Source.EXTERNAL),
    (0.5, lambda memory, now: memory.status is Status.DISPUTED),
    (0.5, lambda memory, now: memory.is_superseded),
    (0.1, is_doubted),
    (0.09, lambda memory, now: memory.status is Status.DEPRECATED or memory.is_expired(now)),
)
"""Reasons to believe a memory less, each with its factor (design, section 5)."""


def validity(memory: Memory, now: datetime) -> float:
    """In (0, 1]: 1 for what its user confirmed."""
    belief = memory.trust * (1.0 if memory.status is Status.CONFIRMED else TENTATIVE)
    factor = 1.0 - DOUBT * (1.0 - belief)
    for doubt, applies in FACTORS:
        if applies(memory, now):
            factor *= doubt
    return factor


def verdict(memory: Memory, now: datetime) -> Verdict:
    if memory.is_superseded or memory.status is Status.DEPRECATED or memory.is_expired(now):
        return "stale"
    if memory.status is Status.DISPUTED:
        return "disputed"
    return "current" if memory.status is Status.CONFIRMED else "unverified"
