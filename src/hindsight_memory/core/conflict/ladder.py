"""Judges two statements: what the newer one means for the older.

First whether any claim of the newer contradicts one of the older (``contradiction``); then, rung by
rung, whether something forbids to retire the older for it. A new reason not to is a row of
``RUNGS``; the first that applies decides. Without a contradiction both stay.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from hindsight_memory.core.conflict.attributes import ANY
from hindsight_memory.core.conflict.contradiction import (
    Contradiction,
    contradiction,
    is_about_the_same,
)
from hindsight_memory.core.conflict.model import (
    RETIRING,
    Claim,
    Judgement,
    Part,
    Polarity,
    Slot,
    Statement,
    Tense,
    Verdict,
)
from hindsight_memory.core.conflict.periods import ENDLESS, is_older
from hindsight_memory.core.conflict.reading import Reading, is_negated, parts, read, stated
from hindsight_memory.core.policy import MemoryType, Source

_YEAR = 12
"""Months. Of a longer period the end was told; "in 2018" may say when something began."""
_ORDER = {verdict: place for place, verdict in enumerate(Verdict)}
_TROUBLE = frozenset(["", "user", "we", "problem", "issue", "trouble", "bug", "fault", "culprit"])
"""Subjects that name no matter: there are many problems."""
_SKELETON = "skeleton"
_SKELETON_OVERLAP = 0.5
"""Share of the words that two statements with one skeleton have in common, at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """Two claims that contradict each other, and where they come from."""

    old: Statement
    new: Statement
    before: Claim
    after: Claim
    rule: Contradiction
    is_correction: bool

    @property
    def both_hold(self) -> bool:
        """Two values are told, not a value and its denial."""
        polarities = {self.before.slot.polarity, self.after.slot.polarity}
        return polarities == {Polarity.HOLDS}

    @property
    def is_bare_cause(self) -> bool:
        """A cause of who knows what: "the problem lies in the cache"."""
        return self.after.slot.attribute == "cause" and self.after.slot.subject in _TROUBLE

    @property
    def is_found_out(self) -> bool:
        """What somebody knows takes the place of what an agent only thought."""
        return self.old.source is Source.AGENT_INFERENCE and self.new.trust > self.old.trust


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """Something that forbids to retire the older statement.

    required: what would have to be so. applies: whether it is not.
    """

    rule: str
    verdict: Verdict
    required: str
    applies: Callable[[_Case], bool]


def _is_past(case: _Case) -> bool:
    """A plain past tense says what was, and not what is; two dates in the past both stay."""
    return case.after.tense is Tense.PAST and not case.is_correction


def _was_past(case: _Case) -> bool:
    """That one lived in Leeds stays true; of two that name years the later stays."""
    before, after = case.before, case.after
    if before.tense is not Tense.PAST or (before.period and after.period):
        return False
    return after.slot.polarity is Polarity.ENDED or (case.both_hold and not after.replaces)


def _differs_in_scene(case: _Case) -> bool:
    if not case.both_hold and not case.after.scene:
        return False  # what has ended everywhere has ended there
    return case.before.scene != case.after.scene


def _is_over_already(case: _Case) -> bool:
    """That the dog that was owned until 2020 has died tells nothing new."""
    period = case.before.period
    if case.both_hold or period is None or period[1] == ENDLESS:
        return False
    return period[1] - period[0] >= _YEAR


def _is_of_older_years(case: _Case) -> bool:
    before, after = case.before.period, case.after.period
    return before is not None and after is not None and is_older(after, before)


def _began_before_it_was_said(case: _Case) -> bool:
    """That Meta was joined in 2022 does not explain why Google was named in 2025."""
    if case.after.period is None or case.before.period is not None:
        return False
    return (case.after.period[0] or case.after.period[1]) // 12 < case.old.happened_at.year


def _is_passing(case: _Case) -> bool:
    ends, until = case.new.valid_to, case.old.valid_to
    return ends is not None and (until is None or ends < until)


def _had_ended(case: _Case) -> bool:
    return case.old.valid_to is not None and case.old.valid_to <= case.new.happened_at


def _is_unexplained(case: _Case) -> bool:
    related = case.is_correction or not case.old.tags.isdisjoint(case.new.tags)
    return case.is_bare_cause and not (related or case.is_found_out)


_Both, _Doubt = Verdict.COMPLEMENTARY, Verdict.TENSION
RUNGS: tuple[Rung, ...] = (
    Rung(
        rule="event",
        verdict=_Both,
        required="the older states a fact, and not what happened once",
        applies=lambda case: case.old.memory_type is MemoryType.EVENT,
    ),
    Rung(
        rule="not_a_fact_before",
        verdict=_Both,
        required="the older states a fact of then",
        applies=lambda case: case.before.tense in {Tense.OPEN, Tense.FORMER},
    ),
    Rung(
        rule="past_before",
        verdict=_Both,
        required="the older speaks of the present, or the newer of a change",
        applies=_was_past,
    ),
    Rung(
        rule="not_a_fact_yet",
        verdict=_Both,
        required="the newer states a fact, not a plan, a wish, a guess or a question",
        applies=lambda case: case.after.tense is Tense.OPEN,
    ),
    Rung(
        rule="over",
        verdict=_Both,
        required="the newer speaks of the present",
        applies=lambda case: case.after.tense is Tense.FORMER and case.both_hold,
    ),
    Rung(
        rule="past",
        verdict=_Both,
        required="the newer speaks of the present",
        applies=_is_past,
    ),
    Rung(
        rule="another_scene",
        verdict=_Both,
        required="the same circumstances",
        applies=_differs_in_scene,
    ),
    Rung(
        rule="over_already",
        verdict=_Both,
        required="the older is not said to have ended",
        applies=_is_over_already,
    ),
    Rung(
        rule="older_years",
        verdict=_Both,
        required="the newer names later years",
        applies=_is_of_older_years,
    ),
    Rung(
        rule="back_filled",
        verdict=_Both,
        required="the newer is valid from later on",
        applies=lambda case: case.new.happened_at < case.old.happened_at,
    ),
    Rung(
        rule="ended_before",
        verdict=_Both,
        required="the older was still valid when the newer began",
        applies=_had_ended,
    ),
    Rung(
        rule="passing",
        verdict=_Both,
        required="the newer has no end, or a later one",
        applies=_is_passing,
    ),
    Rung(
        rule="inferred_time",
        verdict=_Doubt,
        required="a valid time that was given and not inferred from text",
        applies=lambda case: case.new.time_is_inferred,
    ),
    Rung(
        rule="began_before",
        verdict=_Doubt,
        required="the newer began after the older was said",
        applies=_began_before_it_was_said,
    ),
    Rung(
        rule="incomparable",
        verdict=_Doubt,
        required="values of one form, or words of change",
        applies=lambda case: not case.rule.is_certain,
    ),
    Rung(
        rule="unknown_matter",
        verdict=_Doubt,
        required="words of correction, a common tag, or a better source than the guess of an agent,"
        " when neither says what it is a cause of",
        applies=_is_unexplained,
    ),
    Rung(
        rule="same_time",
        verdict=_Doubt,
        required="a later valid time, or words of correction",
        applies=lambda case: (
            case.new.happened_at == case.old.happened_at and not case.is_correction
        ),
    ),
)
_REQUIRED = {
    "same_statement": "another statement",
    "another_slot": "the same subject and attribute",
    "another_subject": "the same subject",
    "compatible": "a value that excludes the other",
}


def judge(old: Statement, new: Statement) -> Judgement:
    """What ``new``, recorded after ``old``, means for it. Both are of one user."""
    before, after = read(old.content), read(new.content)
    found = [(case.before, _decide(case)) for case in _cases(old, new, before, after)]
    if not found:
        return _apart(old, new, before, after)
    best = min((judgement for _, judgement in found), key=lambda each: _ORDER[each.verdict])
    if best.verdict not in RETIRING or best.rule == _SKELETON:
        return best
    fallen = {claim for claim, judgement in found if judgement.verdict in RETIRING}
    return replace(best, remaining=_remaining(old.content, new.content, fallen))


def _cases(old: Statement, new: Statement, before: Reading, after: Reading) -> Iterator[_Case]:
    found = False
    for one in before.claims:
        for other in after.claims:
            if rule := contradiction(one, other):
                found = True
                yield _Case(
                    old=old,
                    new=new,
                    before=one,
                    after=other,
                    rule=rule,
                    is_correction=after.is_correction,
                )
    if not found and _has_one_skeleton(old.content, new.content):
        yield _skeleton_case(old, new, is_correction=after.is_correction)


def _has_one_skeleton(old: str, new: str) -> bool:
    one, other = set(stated(old)), set(stated(new))
    common = len(one & other)
    is_near = common and common >= _SKELETON_OVERLAP * max(len(one), len(other))
    return bool(is_near) and (is_negated(old, new))


def _skeleton_case(old: Statement, new: Statement, *, is_correction: bool) -> _Case:
    blank = Slot(subject="", attribute="", value="")
    return _Case(
        old=old,
        new=new,
        before=Claim(slot=blank, words=old.content),
        after=Claim(slot=blank, words=new.content),
        rule=Contradiction(_SKELETON),
        is_correction=is_correction,
    )


def _decide(case: _Case) -> Judgement:
    rung = next((rung for rung in RUNGS if rung.applies(case)), None)
    refutes = case.is_correction or case.after.slot.attribute == "cause"
    verdict = Verdict.REFUTED if refutes else Verdict.SUPERSEDED
    return Judgement(
        verdict=rung.verdict if rung else verdict,
        rule=rung.rule if rung else case.rule.rule,
        evidence=(case.before.words, case.after.words),
        required=rung.required
        if rung
        else "a later value of the same slot that excludes the older",
        actual=f"{_shown(case.before, case.old)} -> {_shown(case.after, case.new)}",
    )


def _shown(claim: Claim, statement: Statement) -> str:
    slot = claim.slot
    said = "" if slot.polarity is Polarity.HOLDS else f" ({slot.polarity})"
    scene = f" [{' '.join(sorted(claim.scene))}]" if claim.scene else ""
    when = statement.happened_at.isoformat(timespec="seconds")
    return f"{slot.subject}/{slot.attribute}: {slot.value or 'any'}{said}{scene} at {when}"


def _remaining(old: str, new: str, fallen: Collection[Claim]) -> tuple[str, ...]:
    """The clauses of the older of which nothing falls, and that the newer does not say again."""
    before, after = read(old).claims, {claim.slot for claim in read(new).claims}
    answered = {claim.clause for claim in before if claim in fallen or claim.slot in after}
    again = {part.words for part in parts(new)}
    left = [part for part in parts(old) if part.number not in answered]
    whole = [_with_subject(part, before) for part in left if part.words not in again]
    return (*whole, *_values_left(before, after, fallen))


def _values_left(
    before: Iterable[Claim], again: Collection[Slot], fallen: Collection[Claim]
) -> Iterable[str]:
    """Of several values of one attribute those that do not fall: the tea of "tea and coffee"."""
    attributes = {(claim.clause, claim.slot.subject, claim.slot.attribute) for claim in fallen}
    left = (
        claim.slot
        for claim in before
        if (claim.clause, claim.slot.subject, claim.slot.attribute) in attributes
        and claim not in fallen
    )
    return dict.fromkeys(slot.value for slot in left if slot not in again)


_SPEAKERS = ("i ", "my ", "we ", "our ", "我")


def _with_subject(part: Part, claims: Iterable[Claim]) -> str:
    """As the first claim of the clause names it."""
    subjects = (claim.slot.subject for claim in claims if claim.clause == part.number)
    subject = next(subjects, "")
    is_named = subject in part.words or part.words.startswith(_SPEAKERS)
    return part.words if is_named else f"{subject} {part.words}"


def _apart(old: Statement, new: Statement, before: Reading, after: Reading) -> Judgement:
    """No contradiction: both hold, of one attribute, of one subject, or of nothing in common."""
    if stated(old.content) == stated(new.content) != ():
        return _without_contradiction(Verdict.COMPLEMENTARY, "same_statement", old, new)
    pairs = [(one, other) for one in before.claims for other in after.claims]
    if any(_is_on_one_matter(one, other) for one, other in pairs):
        return _without_contradiction(Verdict.COMPLEMENTARY, "compatible", old, new)
    subjects = {one.slot.subject for one in before.claims} - {""}
    if subjects & {other.slot.subject for other in after.claims}:
        return _without_contradiction(Verdict.UNRELATED, "another_slot", old, new)
    return _without_contradiction(Verdict.UNRELATED, "another_subject", old, new)


def _is_on_one_matter(old: Claim, new: Claim) -> bool:
    """Not because one ends anything that has a value which the other lacks."""
    attributes = (old.slot.attribute, new.slot.attribute)
    return not any(name.startswith(ANY) for name in attributes) and is_about_the_same(old, new)


def _without_contradiction(
    verdict: Verdict, rule: str, old: Statement, new: Statement
) -> Judgement:
    return Judgement(
        verdict=verdict,
        rule=rule,
        evidence=(old.content, new.content),
        required=_REQUIRED[rule],
        actual=rule.replace("_", " "),
    )
