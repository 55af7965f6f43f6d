"""The values of conflict resolution: what a text states, and what is decided about two of them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Self

from hindsight_memory.core.model import Memory
from hindsight_memory.core.policy import TRUST, MemoryType, Source

Period = tuple[int, int]
"""First and last month of a time named in a text, counted from year 0 (year * 12 + month - 1)."""


UNKNOWN = "?"
"""The subject of a sentence about somebody who is not named in it: such a sentence is not read."""


class Polarity(StrEnum):
    """Whether a value is said to hold, not to hold, or to have held until now."""

    HOLDS = "holds"
    DENIED = "denied"
    ENDED = "ended"


class Tense(StrEnum):
    """former: said to be over ("used to"); past: a plain past tense, which may still hold."""

    PRESENT = "present"
    PAST = "past"
    FORMER = "former"
    OPEN = "open"
    """Not a fact yet: a plan, a wish, a guess, a condition or a question."""


class Verdict(StrEnum):
    """What a newer statement means for an older one.

    refuted: the older was never true. superseded: it was, and no longer is. tension: they do not go
    together, and the words do not say which one holds. complementary: both hold, about one subject.
    """

    REFUTED = "refuted"
    SUPERSEDED = "superseded"
    TENSION = "tension"
    COMPLEMENTARY = "complementary"
    UNRELATED = "unrelated"


RETIRING = frozenset({Verdict.REFUTED, Verdict.SUPERSEDED})


class Likeness(StrEnum):
    """How a statement in the words of an older one takes its place, told to who wrote it."""

    ANOTHER_AMOUNT = "the same words with another amount"
    CHANGED = "the same words with another circumstance, and it speaks of a change"
    OVER = "it says that this is over"


class Resolution(StrEnum):
    """Which of two statements stay current."""

    KEEP_OLD = "keep_old"
    KEEP_NEW = "keep_new"
    KEEP_BOTH = "keep_both"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One value that a text gives to one attribute; all folded, and named alike in both languages.

    subject: "" when nobody is named; "user" is the person whose memory it is.
    value: "" stands for any value: in "has no pets" and "overcame the fear".
    is_single_valued: another value of the same attribute cannot hold at the same time.
    """

    subject: str
    attribute: str
    value: str
    polarity: Polarity = Polarity.HOLDS
    is_single_valued: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A slot as it was said.

    replaces: said as a change ("switched to"), so that it ends what was there.
    instead_of: what it is said to take the place of; "" where nobody says.
    is_named: the value looks like a name or holds a digit, so that another one contradicts it.
    scene: words that limit it ("in staging", 周末); empty means always.
    clause: which clause of its text says so, from 0.
    """

    slot: Slot
    tense: Tense = Tense.PRESENT
    replaces: bool = False
    instead_of: str = ""
    is_named: bool = False
    scene: frozenset[str] = frozenset()
    period: Period | None = None
    clause: int = 0
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A clause that says something by itself, whether or not a table reads it.

    number: which clause of its text it is, as in ``Claim``.
    """

    number: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What conflict resolution sees of a memory.

    happened_at: from when it holds; when it was said, if nothing better is known.
    time_is_inferred: ``happened_at`` was read out of the text and not given by anybody.
    valid_to: None means that no end is known, which is not to say that it still holds.
    trust: what its source is worth, in [0, 1].
    """

    content: str
    happened_at: datetime
    source: Source = Source.USER_EXPLICIT
    trust: float = TRUST[Source.USER_EXPLICIT].trust
    memory_type: MemoryType = MemoryType.FACT
    tags: frozenset[str] = frozenset()
    time_is_inferred: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None

    @classmethod
    def of(cls, memory: Memory, *, time_is_inferred: bool = False) -> Self:
        return cls(
            content=memory.content,
            happened_at=memory.happened_at,
            source=memory.source,
            trust=memory.trust,
            memory_type=memory.memory_type,
            tags=memory.tags,
            time_is_inferred=time_is_inferred,
            valid_from=memory.valid_from,
            valid_to=memory.valid_to,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the newer of two statements means for the older, and why.

    rule: a stable name, from the ladder. evidence: the words of the older and of the newer.
    required, actual: what the rule asks for, and what it found.
    remaining: what the older states besides, and the newer leaves untouched, clause by clause.
    """

    verdict: Verdict
    rule: str
    evidence: tuple[str, str] = ("", "")
    required: str = ""
    actual: str = ""
    remaining: tuple[str, ...] = ()

    @property
    def is_partial(self) -> bool:
        return self.remaining != ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Disposition:
    """What is to be done. is_disputed: both stay, and both are shown as doubtful."""

    resolution: Resolution
    reason: str
    is_disputed: bool = False
