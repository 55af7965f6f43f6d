"""What a new statement means for those it contradicts: who stays current, and why. Pure.

``core.conflict`` compares two texts; here the verdicts become changed memories. Nothing is deleted
to resolve a conflict, and each decision says what it required and what it found.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from hindsight_memory.core.conflict import (
    Disposition,
    Judgement,
    Resolution,
    Statement,
    Verdict,
    judge,
    settle,
)
from hindsight_memory.core.conflict.model import RETIRING
from hindsight_memory.core.induction import rule_of
from hindsight_memory.core.model import Layer, Memory, Related
from hindsight_memory.core.policy import Status
from hindsight_memory.core.script import HAN, has_han
from hindsight_memory.core.values import subject

SHORT = 20
_HAN = re.compile(f"[{HAN}]")
_NO_NAME = re.compile("[在于从自当]")
"""How a circumstance begins that was taken for a subject."""
_SECOND_CLAUSE = re.compile(r"[,，;；。.]\s*\S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is done about one older memory for a newer one."""

    old: Memory
    judgement: Judgement
    disposition: Disposition

    @property
    def retires(self) -> bool:
        return self.disposition.resolution is Resolution.KEEP_NEW

    @property
    def is_doubtful(self) -> bool:
        """Neither side is retired, and who asks should know of both."""
        if self.disposition.resolution is Resolution.KEEP_OLD:
            return False
        has_fallen_in_part = self.judgement.verdict in RETIRING and self.judgement.is_partial
        return self.disputes_both or has_fallen_in_part

    @property
    def disputes_both(self) -> bool:
        """The newer one is in doubt too, and not only a part of the older."""
        is_left_to_people = self.disposition.resolution is Resolution.MANUAL
        return self.disposition.is_disputed or is_left_to_people

    @property
    def is_refuted(self) -> bool:
        return self.judgement.verdict is Verdict.REFUTED

    @property
    def reason(self) -> str:
        """In a line, for who wrote it."""
        return self.disposition.reason

    @property
    def record(self) -> str:
        """For the history, and complete: rule, words, what was required and what was found."""
        judgement = self.judgement
        words = " / ".join(each for each in judgement.evidence if each)
        found = f" ({words})" if words else ""
        required = f"; required: {judgement.required}" if judgement.required else ""
        actual = f"; found: {judgement.actual}" if judgement.actual else ""
        return f"{judgement.rule}{found}: {self.disposition.reason}{required}{actual}"


def decisions(new: Memory, near: Iterable[Related]) -> list[Decision]:
    """About each of ``near`` that ``new`` has something to say about, in their order.

    Episodes are left alone: that something happened stays true whatever happens later. So are two
    lessons, which episodes contradict and no words: "utf-8 failed, gbk worked" and the reverse.
    """
    if new.layer is Layer.EPISODIC:
        return []
    found = (
        _decision(each.memory, new)
        for each in near
        if each.memory.layer is Layer.SEMANTIC and not (_is_lesson(each.memory) and _is_lesson(new))
    )
    return [each for each in found if each is not None]


def _is_lesson(memory: Memory) -> bool:
    rule = rule_of(memory)
    return rule is not None and not rule.is_statement


def _decision(old: Memory, new: Memory) -> Decision | None:
    if not _may_be_of_one_subject(old.content, new.content):
        return None
    before, after = Statement.of(old), Statement.of(new)
    judgement = judge(before, after)
    decision = Decision(old=old, judgement=judgement, disposition=settle(judgement, before, after))
    is_nothing = decision.disposition.resolution is Resolution.KEEP_BOTH
    return None if is_nothing and not decision.is_doubtful else decision


def _may_be_of_one_subject(one: str, other: str) -> bool:
    """In a longer Chinese text a clause leaves its subject out, and means that of the text, not the
    user: 位于巴黎，建于1900年. Such texts are compared only if both begin with the same subject.

    Without this rule 85 of 3,266 encyclopaedia sentences retired another one, with it none or few.
    """
    if not has_han(one) or not has_han(other) or (_is_short(one) and _is_short(other)):
        return True
    subjects = subject(one), subject(other)
    longer, shorter = sorted(subjects, key=len, reverse=True)
    is_named = bool(shorter) and not _NO_NAME.match(shorter)
    return is_named and longer.startswith(shorter)


def _is_short(text: str) -> bool:
    """One clause of at most ``SHORT`` Chinese characters; a Latin word counts as about one."""
    han = len(_HAN.findall(text))
    return han + (len(text) - han) / 5 <= SHORT and not _SECOND_CLAUSE.search(text)


def retired(old: Memory, new: Memory, *, is_refuted: bool = False) -> Memory:
    """``old`` stays in history: true until ``new`` became so, at the latest, or never, when it was
    refuted.
    """
    ended = old.valid_to
    if is_refuted:
        ended = old.happened_at
    elif new.happened_at >= old.happened_at:
        ended = new.happened_at if ended is None else min(ended, new.happened_at)
    return replace(
        old,
        superseded_by=new.id,
        retired_at=new.created_at,
        valid_to=ended,
        counter_examples=(*old.counter_examples, new.id) if is_refuted else old.counter_examples,
        updated_at=new.created_at,
        version=old.version + 1,
    )


def back_filled(new: Memory, old: Memory) -> Memory:
    """``new`` tells of a time before ``old``: it is history from the start."""
    return replace(
        new,
        superseded_by=old.id,
        retired_at=new.created_at,
        valid_to=old.happened_at if new.valid_to is None else min(new.valid_to, old.happened_at),
    )


def doubted(old: Memory, new: Memory) -> Memory:
    """``old``, which ``new`` contradicts and does not retire; a better source stays as it is."""
    status = Status.DISPUTED if new.trust >= old.trust else old.status
    return replace(
        old,
        status=status,
        counter_examples=tuple(dict.fromkeys((*old.counter_examples, new.id))),
        updated_at=new.created_at,
        version=old.version + 1,
    )


def earliest_later(decided: Iterable[Decision]) -> Decision | None:
    """About the first value that began later than the new one."""
    later = [each for each in decided if each.disposition.resolution is Resolution.KEEP_OLD]
    return min(later, key=lambda each: (each.old.happened_at, each.old.id), default=None)
