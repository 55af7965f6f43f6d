"""Whether a newer claim speaks against an older one: same subject, same attribute, or nothing."""

import re
from dataclasses import dataclass
from functools import lru_cache

from hindsight_memory.core.conflict.attributes import (
    ACTIVITIES,
    ANY,
    ANYBODY,
    OTHER,
    Arity,
    Attribute,
    Shape,
    ends,
    row_of,
)
from hindsight_memory.core.conflict.english_rows import DAYS, LABELLED
from hindsight_memory.core.conflict.kinds import BREEDS, EXCLUDES, HYPERNYMS, kind_of, spelt
from hindsight_memory.core.conflict.model import Claim, Polarity, Tense
from hindsight_memory.core.conflict.periods import ENDLESS
from hindsight_memory.core.conflict.places import Grain, grain
from hindsight_memory.core.conflict.vocabulary import word_set
from hindsight_memory.core.script import has_han
from hindsight_memory.core.text import terms

_TAILS = word_set("project app application service system program programme initiative")
"""Say what a thing is, and may be left out of its name."""
_YEAR = 12
"""Months: a shorter period says when, and not from when to when."""
_NUMBER = re.compile(r"\d[\d.]*")
_AGENT = re.compile("(?<=[a-z]{3})(?:er|or|e)$")
_PLACED = frozenset({"residence", "location"})
_CONSUMING = frozenset({"do drink", "do eat", "do smoke", "do play", "do watch", "do use"})
"""Who does not do these any more, does not like to either."""
_BY_CHANGE = frozenset({"do drink", "do eat", "use"})
"""Another of these replaces the first when it is said as a change: 改喝茶."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """is_certain: False when the values cannot be compared well enough to retire one of them."""

    rule: str
    is_certain: bool = True


def is_about_the_same(old: Claim, new: Claim) -> bool:
    """Same subject and attribute; without a subject, only of what the table of attributes knows."""
    one, other = old.slot, new.slot
    if other.subject == ANYBODY:
        return _same_attribute(old, new)
    if not one.subject and (row_of(one.attribute) is OTHER or not one.is_single_valued):
        return False
    return _same_subject(one.subject, other.subject, other.attribute) and _same_attribute(old, new)


def _same_subject(one: str, other: str, attribute: str) -> bool:
    """Equal but for a word that says what the thing is: the Atlas migration (project)."""
    if one == other:
        return True
    if attribute == "owner":  # vendor onboarding, and onboarding of vendors
        return _bare(one) == _bare(other) and len(_bare(one)) > 1
    shorter, longer = sorted((one.split(), other.split()), key=len)
    return len(shorter) > 1 and longer[:-1] == shorter and longer[-1] in _TAILS


def _bare(subject: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in subject.split() if word not in _TAILS)


def _same_attribute(old: Claim, new: Claim) -> bool:
    one, other = old.slot.attribute, new.slot.attribute
    if other.startswith(ANY):
        return ends(one, other)
    if one.startswith(ANY):
        return ends(other, one)
    return one == other or any(relates(old, new) for relates in _RELATIONS)


def _is_changed_tool(old: Claim, new: Claim) -> bool:
    """Of "switched to X" nobody may know the kind; it replaces what was used, or another sort."""
    one, other = old.slot.attribute, new.slot.attribute
    if not new.replaces or other != "use":
        return False
    is_open = one == "liking" or one.startswith("do ")
    return one == "do use" or (is_open and _is_another_sort(old.slot.value, new.slot.value))


def _is_of_that_kind(old: Claim, new: Claim) -> bool:
    """A switch to Firefox replaces the favorite browser too."""
    return new.replaces and old.slot.attribute.endswith(f" {new.slot.attribute}")


def _is_all_of_it(old: Claim, new: Claim) -> bool:
    """Who does not fly flies nowhere."""
    return not old.slot.value and new.slot.attribute.startswith(f"{old.slot.attribute} ")


def _is_taken_up(old: Claim, new: Claim) -> bool:
    """What was disliked is eaten again."""
    was_disliked = old.slot.polarity is Polarity.DENIED and old.slot.attribute == "liking"
    return was_disliked and new.replaces and new.slot.attribute in _CONSUMING


def _is_given_up(old: Claim, new: Claim) -> bool:
    is_over = new.slot.value and new.slot.polarity is not Polarity.HOLDS
    return bool(is_over) and old.slot.attribute in ACTIVITIES and new.slot.attribute in _CONSUMING


_RELATIONS = (_is_changed_tool, _is_of_that_kind, _is_all_of_it, _is_taken_up, _is_given_up)
"""When two attributes of different names are about one thing."""


def contradiction(old: Claim, new: Claim) -> Contradiction | None:
    """Why both cannot hold at once; None when they can."""
    if excluded := _excluded(old, new):
        return excluded
    if not is_about_the_same(old, new):
        return None
    was, now = old.slot, new.slot
    if was.polarity is Polarity.HOLDS and now.polarity is Polarity.HOLDS:
        return _another_value(old, new)
    if was.polarity is Polarity.HOLDS:
        is_over = not now.value or _covers(now.value, was.value)
        return Contradiction(f"value_{now.polarity}") if is_over else None
    if now.polarity is Polarity.HOLDS:
        again = not was.value or _covers(was.value, now.value)
        is_certain = new.replaces or not was.attribute.startswith(ANY)
        return Contradiction("value_after_denial", is_certain=is_certain) if again else None
    return None


def _another_value(old: Claim, new: Claim) -> Contradiction | None:
    one, other = old.slot.value, new.slot.value
    attribute = row_of(old.slot.attribute)
    single = old.slot.is_single_valued and new.slot.is_single_valued
    is_other = _has_one_by_change(old, new) or _is_another_sort(one, other) or _is_renamed(old, new)
    by_change = (new.replaces or _comes_after(old, new)) and is_other
    if not single and (not by_change or _is_beside(one, new.instead_of)):
        return None
    if not one or not other or _covers(one, other) or _covers(other, one):
        return None
    if not old.slot.attribute.startswith(("do ", "use")) and not _has_shape(attribute, old, new):
        return None
    if new.slot.attribute == "use":
        return Contradiction("replaced_value", is_certain=_is_another_sort(one, other))
    if not _lie_apart(old, new):
        return None
    rule = "replaced_value" if new.replaces else "single_value"
    is_ordered = new.replaces or _comes_after(old, new)
    return Contradiction(rule, is_certain=is_ordered or _is_comparable(one, other))


def _is_beside(value: str, given_up: str) -> bool:
    """Who goes from MySQL to PostgreSQL keeps Redis."""
    value = spelt(value)
    return given_up != "" and not _covers(value, given_up) and not _covers(given_up, value)


def _comes_after(old: Claim, new: Claim) -> bool:
    """The older tells itself from when to when it was so; the newer begins no earlier than that."""
    if old.period is None or new.period is None or old.tense is not Tense.PAST:
        return False
    is_span = old.period[1] - old.period[0] >= _YEAR and old.period[1] != ENDLESS
    return is_span and new.period[0] > old.period[1] - _YEAR


def _lie_apart(old: Claim, new: Claim) -> bool:
    """Not so a flat, or a district, and the town that it may be in; nor Paris and France, unless
    one has moved.
    """
    if old.slot.attribute not in _PLACED:
        return True
    one, other = grain(old.slot.value), grain(new.slot.value)
    if one is other:
        return True
    return new.replaces and Grain.DWELLING not in {one, other}


def _has_one_by_change(old: Claim, new: Claim) -> bool:
    names = {old.slot.attribute, new.slot.attribute}
    rows = [row for row in map(row_of, names) if row is not OTHER]
    return any(row.arity is not Arity.MANY for row in rows) or bool(names & _BY_CHANGE)


def _is_another_sort(one: str, other: str) -> bool:
    """Aisle and window seats; plan A and plan B; Python 3.9 and 3.12; on Mondays and on Fridays."""
    was, now = one.split(), other.replace("-", " ").split()
    if was[:-1] == now[:-1] and was[-2:-1] != [] and was[-2] in LABELLED:
        return was[-1] != now[-1]
    if len(was) > 1 and len(now) > 1 and was[-1] == now[-1]:
        return was[:-1] != now[:-1]
    if _NUMBER.search(one) and _NUMBER.sub("", one) == _NUMBER.sub("", other):
        return one != other
    return len(was) == len(now) == 1 and {one, other} <= DAYS


def _is_renamed(old: Claim, new: Claim) -> bool:
    """The engineer on call is now Bob."""
    return new.slot.attribute == "is" and old.is_named and new.is_named


def _has_shape(attribute: Attribute, old: Claim, new: Claim) -> bool:
    match attribute.shape:
        case Shape.NAME:
            return old.is_named and new.is_named
        case Shape.AMOUNT:
            return _has_digit(old.slot.value) and _has_digit(new.slot.value)
        case Shape.ANY:
            return True


def _is_comparable(one: str, other: str) -> bool:
    """Not Friday and May 7, which may be one day; not 北京 and Beijing, which are one city."""
    return _has_digit(one) == _has_digit(other) and has_han(one) is has_han(other)


def _has_digit(value: str) -> bool:
    return any(map(str.isdigit, value))


def _covers(general: str, special: str) -> bool:
    """Whether ``special`` is ``general`` told more exactly: black coffee is coffee."""
    if general == special or (has_han(general) and general in special):
        return True
    if not BREEDS.get(general, frozenset()).isdisjoint(special.split()):
        return True
    if (kind := HYPERNYMS.get(general)) and (kind_of(special) or ("",))[0] == kind:
        return True
    return _stems(general) <= _stems(special)


@lru_cache(maxsize=4096)
def _stems(value: str) -> frozenset[str]:
    """Never empty, so that nothing covers everything."""
    return frozenset(map(_root, terms(value))) or frozenset({value})


def _root(term: str) -> str:
    """A teacher is of teaching, a smoker of smoking."""
    return _AGENT.sub("", term)


def _excluded(old: Claim, new: Claim) -> Contradiction | None:
    """A vegetarian eats no meat, and who eats meat again is no vegetarian."""
    diet, food = (new, old) if new.slot.attribute == "diet" else (old, new)
    if diet.slot.attribute != "diet" or food.slot.attribute not in {"liking", "do eat"}:
        return None
    holds = {old.slot.polarity, new.slot.polarity} == {Polarity.HOLDS}
    if not holds or old.slot.subject != new.slot.subject:
        return None
    kind = kind_of(food.slot.value)
    if kind is None or kind[0] not in EXCLUDES.get(diet.slot.value, frozenset()):
        return None
    is_certain = diet is new or food.slot.attribute == "do eat"
    return Contradiction("excluded_by_diet", is_certain=is_certain)
