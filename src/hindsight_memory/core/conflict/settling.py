"""What to do about two judged statements, by who says them and when (design, section 6)."""

from collections.abc import Callable
from dataclasses import dataclass

from hindsight_memory.core.conflict.model import (
    RETIRING,
    Disposition,
    Judgement,
    Resolution,
    Statement,
    Verdict,
)
from hindsight_memory.core.policy import TRUST, Source

_PERSON = TRUST[Source.USER_CONFIRMED].trust


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """The first row that applies settles it. reason: ``{still}`` is what remains of the older."""

    resolution: Resolution
    reason: str
    applies: Callable[[Judgement, Statement, Statement], bool]
    is_disputed: bool = False


def _coincide_by_people(judgement: Judgement, old: Statement, new: Statement) -> bool:
    return judgement.rule == "same_time" and min(old.trust, new.trust) >= _PERSON


_ROWS: tuple[_Row, ...] = (
    _Row(
        resolution=Resolution.MANUAL,
        reason="two people say different things of the same time; a person has to decide",
        applies=_coincide_by_people,
    ),
    _Row(
        resolution=Resolution.KEEP_BOTH,
        reason="different values at the same time; both are kept until somebody decides",
        applies=lambda judgement, _old, _new: judgement.rule == "same_time",
        is_disputed=True,
    ),
    _Row(
        resolution=Resolution.KEEP_OLD,
        reason="the newer tells of an earlier time; it is kept as history",
        applies=lambda judgement, _old, _new: judgement.rule in {"back_filled", "older_years"},
    ),
    _Row(
        resolution=Resolution.KEEP_BOTH,
        reason="both can be true",
        applies=lambda judgement, _old, _new: judgement.verdict not in RETIRING | {Verdict.TENSION},
    ),
    _Row(
        resolution=Resolution.KEEP_BOTH,
        reason="they do not go together, and not enough is known to retire one",
        applies=lambda judgement, _old, _new: judgement.verdict is Verdict.TENSION,
    ),
    _Row(
        resolution=Resolution.KEEP_BOTH,
        reason="the older comes from a better source; both are kept until somebody decides",
        applies=lambda _judgement, old, new: new.trust < old.trust,
        is_disputed=True,
    ),
    _Row(
        resolution=Resolution.KEEP_BOTH,
        reason="the older also says {still}; only a part of it has fallen",
        applies=lambda judgement, _old, _new: judgement.remaining != (),
    ),
    _Row(
        resolution=Resolution.KEEP_NEW,
        reason="the newer shows that the older was never true",
        applies=lambda judgement, _old, _new: judgement.verdict is Verdict.REFUTED,
    ),
    _Row(
        resolution=Resolution.KEEP_NEW,
        reason="the newer holds from later on, and its source is at least as good",
        applies=lambda _judgement, _old, _new: True,
    ),
)


def settle(judgement: Judgement, old: Statement, new: Statement) -> Disposition:
    """Which of the two stays current, and why."""
    row = next(row for row in _ROWS if row.applies(judgement, old, new))
    still = "; ".join(judgement.remaining)
    return Disposition(
        resolution=row.resolution,
        reason=f"{row.reason.format(still=repr(still))} ({judgement.rule})",
        is_disputed=row.is_disputed,
    )
