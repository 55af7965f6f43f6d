"""What two statements in the same words differ in, for what no table knows.

Only for statements that somebody filed under one tag: they speak of one matter, yet not of one
slot. So they have to agree in all but an amount, or but what follows one preposition and a word of
change; or the newer says that exactly what the older states is over. What is past, denied, guessed,
planned or dated is no value of now, and neither retires nor is retired.
"""

from collections.abc import Callable
from functools import cache

from hindsight_memory.core.conflict.attributes import OTHER, row_of
from hindsight_memory.core.conflict.model import Judgement, Likeness
from hindsight_memory.core.conflict.reading import LONGEST, parts, read
from hindsight_memory.core.script import has_han

_NOTHING_FOUND = frozenset({"another_slot", "another_subject", "compatible"})
"""Rules of a judgement that found no contradiction; any other one is a decision."""
_COUNTED = "number of "


def is_open(judgement: Judgement, old: str, new: str) -> bool:
    """Whether the tables have no say, as they know no slot of the one or of the other."""
    return judgement.rule in _NOTHING_FOUND and not (_has_slot(old) and _has_slot(new))


def _has_slot(text: str) -> bool:
    """Not by a verb without a row: it says neither how many values it has nor which exclude it."""
    names = (claim.slot.attribute for claim in read(text).claims)
    return any(row_of(name) is not OTHER or name.startswith(_COUNTED) for name in names)


def likeness(old: str, new: str) -> Likeness | None:
    """How ``new`` gives another value to what ``old`` says in the same words; None in doubt."""
    if has_han(old) is not has_han(new) or max(len(old), len(new)) > LONGEST:
        return None
    found = _compared(is_chinese=has_han(new))(old, new)
    is_only_a_part = found is Likeness.OVER and len(parts(old)) > 1
    return None if is_only_a_part else found


@cache
def _compared(*, is_chinese: bool) -> Callable[[str, str], Likeness | None]:
    """On first use, as the tables that it reads."""
    if is_chinese:
        from hindsight_memory.core.conflict import chinese_alike

        return chinese_alike.likeness
    from hindsight_memory.core.conflict import english_alike

    return english_alike.likeness
