"""How far episodes bear out what was concluded from them: support, counter-examples, status. Pure.

The same with or without a language model, which only ever words a conclusion. A new kind of
conclusion is a row of ``RULES``, a new step between statuses a row of ``_STEPS``.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from hindsight_memory.core.model import Json, Memory
from hindsight_memory.core.policy import Source, Status

KEY = "retrospection"
"""Where in the metadata of a memory is what retrospection knows of it; its ``kind`` names a row."""

DECIDED = "is_decided"
"""In what retrospection knows of a memory: its status is somebody's decision, and stays."""

DOUBTFUL = 0.5
"""A score that is not above this asserts nothing (design, section 6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What one kind of conclusion asks for (design, section 6).

    per_session: episodes of one session that count, at most.
    forms_at: support from which there is such a memory at all.
    confirms_at, sessions: support, and from how many sessions, from which it is confirmed.
    is_statement: whether it states something of the world, so that another statement can
    contradict it; all else is contradicted by episodes only.
    is_for_users: whether the word of the user among its evidence confirms it at once.
    highest: how far it is believed, at most, unless the user says so.
    """

    per_session: int = 2
    forms_at: int = 2
    confirms_at: int = 3
    sessions: int = 2
    is_statement: bool = False
    is_for_users: bool = False
    highest: Status = Status.CONFIRMED


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "contrast": Rule(),
        "failure": Rule(),
        "correction": Rule(is_statement=True),
        "decision": Rule(is_statement=True, is_for_users=True),
        # What was done once, or often on one bad day, is a way round and no habit.
        "habit": Rule(per_session=1, forms_at=3, sessions=3),
        # Seen across other conclusions, and by no episode of its own.
        "conclusion": Rule(highest=Status.TENTATIVE),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Induction:
    """What the episodes amount to, and why.

    support: distinct episodes that count, from ``sessions`` sessions. counter: distinct ones that
    say otherwise. injected: those that count zero, because the memory itself was shown there.
    is_formed: whether the support is enough to write it down.
    """

    status: Status
    score: float
    support: int
    sessions: int
    counter: int
    injected: int
    is_formed: bool
    required: str

    @property
    def actual(self) -> str:
        counted = (
            f"support {self.support} from {_counted(self.sessions, 'session')}, "
            f"{_counted(self.counter, 'counter-example')}, score {self.score:.2f}"
        )
        if not self.injected:
            return counted
        return f"{counted}; {_counted(self.injected, 'episode')} not counted: it was shown there"

    @property
    def reason(self) -> str:
        """In a line, for whoever asks why it is believed as far as it is."""
        step = self.status.value if self.is_formed else "not formed"
        return f"{step}: required {self.required}; actual {self.actual}"


def weigh(
    rule: Rule,
    supporting: Iterable[Memory],
    contradicting: Iterable[Memory] = (),
    *,
    injected: Collection[str] = (),
    is_users_word: bool = False,
) -> Induction:
    """What these episodes make of a conclusion; their order and repetitions do not matter.

    supporting, contradicting: episodes that stand; one that is both only contradicts.
    injected: ids of episodes in which the conclusion itself had been shown.
    is_users_word: whether the user said it.
    """
    against = {each.id: each for each in contradicting}
    found = {each.id: each for each in supporting if each.id not in against}
    counted = [each for each in found.values() if each.id not in injected]
    per_session = Counter(each.session_id for each in counted)
    support = sum(min(count, rule.per_session) for count in per_session.values())
    is_said = is_users_word or (rule.is_for_users and any(map(_is_said_by_user, counted)))
    weights = _Weights(
        rule=rule,
        support=support,
        sessions=len(per_session),
        counter=len(against),
        score=(support + 1) / (support + len(against) + 2),
        is_said=is_said,
    )
    step = next(step for step in _STEPS if step.applies(weights))
    return Induction(
        status=min(step.status, rule.highest, key=_BELIEF.index) if not is_said else step.status,
        score=weights.score,
        support=support,
        sessions=weights.sessions,
        counter=weights.counter,
        injected=len(found) - len(counted),
        is_formed=is_said or support >= rule.forms_at,
        required=_formed(rule) if support < rule.forms_at and not is_said else step.required(rule),
    )


def rule_of(memory: Memory) -> Rule | None:
    """By which rule its evidence is weighed; None for what was not induced from episodes."""
    found = noted(memory)
    kind = None if found is None else found.get("kind")
    return RULES.get(kind) if isinstance(kind, str) and memory.evidence else None


def noted(memory: Memory) -> Mapping[str, Json] | None:
    """What retrospection noted in the metadata of a memory, if it did."""
    found = memory.metadata.get(KEY)
    return found if isinstance(found, dict) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weights:
    rule: Rule
    support: int
    sessions: int
    counter: int
    score: float
    is_said: bool


@dataclass(frozen=True, slots=True)
class _Step:
    """One status, when it applies, and what it asks for."""

    status: Status
    applies: Callable[[_Weights], bool]
    required: Callable[[Rule], str]


def _is_confirmed(found: _Weights) -> bool:
    return found.support >= found.rule.confirms_at and found.sessions >= found.rule.sessions


def _formed(rule: Rule) -> str:
    return f"support >= {rule.forms_at}"


def _confirming(rule: Rule) -> str:
    sessions = f">= {_counted(rule.sessions, 'session')}"
    return f"support >= {rule.confirms_at} from {sessions}, no counter-example"


_STEPS: Sequence[_Step] = (
    _Step(
        Status.DISPUTED,
        lambda found: found.is_said and found.counter > 0,
        lambda _rule: "no counter-example to the user's word",
    ),
    _Step(Status.CONFIRMED, lambda found: found.is_said, lambda _rule: "the user's word"),
    _Step(Status.DEPRECATED, lambda found: found.support == 0, lambda _rule: "support >= 1"),
    _Step(
        Status.DEPRECATED,
        lambda found: found.score <= DOUBTFUL,
        lambda _rule: f"a score > {DOUBTFUL}",
    ),
    _Step(Status.DISPUTED, lambda found: found.counter > 0, lambda _rule: "no counter-example"),
    _Step(Status.CONFIRMED, _is_confirmed, _confirming),
    _Step(
        Status.TENTATIVE,
        lambda _found: True,
        lambda rule: f"{_formed(rule)} (to be confirmed: {_confirming(rule)})",
    ),
)
"""The first that applies decides."""

_BELIEF = (Status.DEPRECATED, Status.DISPUTED, Status.TENTATIVE, Status.CONFIRMED)


def _is_said_by_user(episode: Memory) -> bool:
    return episode.source in {Source.USER_EXPLICIT, Source.USER_CONFIRMED}


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
