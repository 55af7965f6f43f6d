"""How each type of memory lives, and what each source is worth, in tables.

Changing how a type lives is changing its row of ``POLICIES``; adding a type is adding a row.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from types import MappingProxyType


class MemoryType(StrEnum):
    PREFERENCE = "preference"
    FACT = "fact"
    TASK = "task"
    DECISION = "decision"
    FEEDBACK = "feedback"
    LESSON = "lesson"
    EVENT = "event"


class Status(StrEnum):
    """How far a memory is believed."""

    TENTATIVE = "tentative"
    CONFIRMED = "confirmed"
    DISPUTED = "disputed"
    DEPRECATED = "deprecated"
    QUARANTINED = "quarantined"


class Source(StrEnum):
    """Who says so."""

    USER_CONFIRMED = "user_confirmed"
    USER_EXPLICIT = "user_explicit"
    TOOL_RESULT = "tool_result"
    DOCUMENT = "document"
    RETROSPECTION = "retrospection"
    AGENT_INFERENCE = "agent_inference"
    EXTERNAL = "external"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How one type of memory lives and ends (design, section 7). None: the rule is not for it.

    half_life: age at which the recency signal falls to 0.5; None means it never ages.
    keeps: it never cools, is never archived and counts towards no cap.
    keeps_confirmed: the same, where it is confirmed.
    doubted_after: unconfirmed for this long, it weighs a tenth.
    archived_after_end: how long after its ``valid_to`` it is archived.
    archived_after: how long after its last change it is archived, or purged where asked for.
    compressed_after: how long untouched, and cold, until an episode joins its like in a summary.
    """

    half_life: timedelta | None = None
    keeps: bool = False
    keeps_confirmed: bool = False
    doubted_after: timedelta | None = None
    archived_after_end: timedelta | None = None
    archived_after: timedelta | None = None
    compressed_after: timedelta | None = None


POLICIES: Mapping[MemoryType, Policy] = MappingProxyType(
    {
        MemoryType.PREFERENCE: Policy(keeps=True),
        MemoryType.FACT: Policy(
            half_life=timedelta(days=180), keeps_confirmed=True, doubted_after=timedelta(days=180)
        ),
        MemoryType.TASK: Policy(
            half_life=timedelta(days=30), archived_after_end=timedelta(days=30)
        ),
        MemoryType.DECISION: Policy(keeps=True),
        MemoryType.FEEDBACK: Policy(
            half_life=timedelta(days=30), archived_after=timedelta(days=90)
        ),
        MemoryType.LESSON: Policy(keeps=True),
        MemoryType.EVENT: Policy(half_life=timedelta(days=30), compressed_after=timedelta(days=90)),
    }
)

LIFETIMES: Mapping[tuple[MemoryType | None, str], timedelta] = MappingProxyType(
    {
        (None, "temporary"): timedelta(days=1),
        (None, "临时"): timedelta(days=1),
    }
)
"""How long a memory of a type (None: of any) and scene is wanted; all others have no such end."""


def lifetime(memory_type: MemoryType, scene: str) -> timedelta | None:
    """What a new memory's ``expires_at`` is counted by; None for all that has no end of its own.

    Never one for a type that keeps: no label ends an allergy.
    """
    if POLICIES[memory_type].keeps:
        return None
    return LIFETIMES.get((memory_type, scene), LIFETIMES.get((None, scene)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a new memory from one source starts with.

    trust: what the source is worth, in [0, 1].
    status: the highest belief that this source alone can give.
    confidence: how likely such a statement is true, in [0, 1].
    """

    trust: float
    status: Status
    confidence: float


TRUST: Mapping[Source, Standing] = MappingProxyType(
    {
        Source.USER_CONFIRMED: Standing(trust=1.0, status=Status.CONFIRMED, confidence=0.99),
        Source.USER_EXPLICIT: Standing(trust=0.9, status=Status.CONFIRMED, confidence=0.95),
        Source.TOOL_RESULT: Standing(trust=0.8, status=Status.CONFIRMED, confidence=0.90),
        Source.DOCUMENT: Standing(trust=0.6, status=Status.TENTATIVE, confidence=0.80),
        # A derived memory is worth the least of its evidence, which caps this from above.
        Source.RETROSPECTION: Standing(trust=0.6, status=Status.TENTATIVE, confidence=0.60),
        Source.AGENT_INFERENCE: Standing(trust=0.5, status=Status.TENTATIVE, confidence=0.60),
        Source.EXTERNAL: Standing(trust=0.2, status=Status.TENTATIVE, confidence=0.40),
    }
)
