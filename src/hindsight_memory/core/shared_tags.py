"""What a write does to a memory under its own tags, where the tables of conflicts know no slot.

Tags bring statements together, and say nothing of a slot: the port is 80, was 81 and might be 82
under one tag. So the judgement of ``core.conflict`` comes first, and only what it leaves open is
compared word by word.
"""

from hindsight_memory.core import values
from hindsight_memory.core.belief import Decision
from hindsight_memory.core.conflict import (
    Disposition,
    Judgement,
    Resolution,
    Statement,
    Verdict,
    is_open,
    judge,
    likeness,
)
from hindsight_memory.core.model import Layer, Memory
from hindsight_memory.core.policy import MemoryType

_RULE = "same_tags"


def decision(old: Memory, new: Memory) -> Decision | None:
    """``old`` gives way; None when it stays, or is not for this rule to decide.

    Needs the same tags, a source as good, and no earlier time; the same subject is in the words.
    """
    if not _are_filed_together(old, new) or not is_open(*_judged(old, new)):
        return None
    how = _how(old, new)
    if not how:
        return None
    judgement = Judgement(
        verdict=Verdict.SUPERSEDED, rule=_RULE, evidence=(old.content, new.content)
    )
    reason = f"the same tags, and {how}"
    won = Disposition(resolution=Resolution.KEEP_NEW, reason=reason)
    return Decision(old=old, judgement=judgement, disposition=won)


def _are_filed_together(old: Memory, new: Memory) -> bool:
    return (
        bool(old.tags)
        and old.tags == new.tags
        and old.layer is new.layer is Layer.SEMANTIC
        and old.memory_type is not MemoryType.EVENT
        and new.happened_at >= old.happened_at
        and new.trust >= old.trust
    )


def _judged(old: Memory, new: Memory) -> tuple[Judgement, str, str]:
    return judge(Statement.of(old), Statement.of(new)), old.content, new.content


def _how(old: Memory, new: Memory) -> str:
    if values.changed_value(old.content, new.content):
        return "the same wording with another value"
    found = likeness(old.content, new.content)
    return "" if found is None else found.value
