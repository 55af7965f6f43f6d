"""Whether an English value can be one of an attribute, so that "lives in fear" is no residence."""

import re

from hindsight_memory.core.conflict import english_rows as rows
from hindsight_memory.core.conflict import english_words as w
from hindsight_memory.core.conflict.english_claims import is_named
from hindsight_memory.core.conflict.english_clauses import Clause
from hindsight_memory.core.conflict.kinds import kind_of
from hindsight_memory.core.conflict.places import is_organisation, is_place


def is_fit(clause: Clause, name: str, said: str, rest: list[str]) -> bool:
    """Whether the value can be one of such an attribute: not so "lives in fear"."""
    match name:
        case "location" if not clause.verb:
            return is_place(said)
        case "schedule":
            return "version" not in said and (is_time(said) or any(map(str.isdigit, said)))
        case "language" if clause.verb == "forget":
            return (kind_of(said) or ("",))[0] == "language" and " " not in said
        case "age":
            return said.isdigit()
        case "party" if clause.verb == "vote":
            return (kind_of(said) or ("",))[0] == "party"
        case _:
            return name not in rows.SOMEWHERE or is_somewhere(clause, said, rest)


def attribute_name(name: str, said: str, classifier: str) -> str:
    noun = last(said)
    if name == "employer" and (said[:1].isdigit() or is_time(said)):
        return "schedule"
    if name == "employer" and noun in {"team", "department"}:
        return "team"
    if name == "employer" and noun in rows.CLUBS:
        return "membership"
    return f"{name} {classifier}" if classifier in rows.WIDE else name


def last(said: str) -> str:
    return said.rpartition(" ")[2]


def is_somewhere(clause: Clause, said: str, rest: list[str]) -> bool:
    if is_named(said, clause.names) or is_place(said):
        return True
    if clause.verb == "join":
        return last(said) in rows.WORKPLACES
    if is_organisation(said):
        return True
    return rest[:1] != [] and rest[0] in _SOME and last(said) not in rows.NOWHERE


_SOME = w.DETERMINERS - {"the"}


def is_time(said: str) -> bool:
    return any(word in rows.TIMES for word in said.split())


_DATED = frozenset({"schedule", "deadline", "hours", "birthday"})
_PLACED = frozenset({"location", "residence", "capital", "region", "citizenship"})


def is_value_of(attribute: str, said: str) -> bool:
    """Not so when a release, which is also a version, is postponed to Thursday."""
    if is_time(said):
        return attribute in _DATED
    return not is_place(said) or attribute in _PLACED


def is_clock(said: str) -> bool:
    return (
        is_time(said)
        or re.fullmatch(r"\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?| o'clock)?", said) is not None
    )
