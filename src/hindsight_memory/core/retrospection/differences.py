"""In what two calls of one tool differ: only that can be what made one of them work. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from hindsight_memory.core.calls import normalised
from hindsight_memory.core.model import Json

MOST_DIFFERENCES = 3
"""Arguments that may differ: of more nobody can say which of them did it."""

LONGEST_TEXT = 600
"""Characters of a command that is compared word by word; a longer one is a script."""

LONGEST_PART = 120
"""Characters of what differs in it."""

ALIKE_WORDS = 0.5
"""Share of the words of two commands that are the same, at least (``SequenceMatcher.ratio``)."""

ALIKE_SPELLING = 0.6
"""The same of the letters of a word that another one took the place of: python, python3; not
push, pull."""

_ID_NAME = re.compile(r"(?:^|_)(?:id|ids|uuid|page|offset|cursor|row|line|index|nonce|seed)$")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OPTION = re.compile(r"--?[A-Za-z]|[A-Z][A-Z0-9_]*=")
_DIGIT = re.compile(r"\d")
_FEWEST_DIGITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """failed, worked: the arguments that differ, by name; a name that is missing was not given.

    within: for those that are commands, the words with which both begin; what differs is then the
    part of the command, "" where there is none.
    """

    failed: Mapping[str, Json]
    worked: Mapping[str, Json]
    within: Mapping[str, str]

    @property
    def names(self) -> Sequence[str]:
        return sorted(self.failed.keys() | self.worked.keys())


def difference(failed: Mapping[str, Json], worked: Mapping[str, Json]) -> Difference | None:
    """None where nothing differs, or so much that the two are not about the same thing."""
    one: dict[str, Json] = {}
    other: dict[str, Json] = {}
    within: dict[str, str] = {}
    for name in sorted(failed.keys() | worked.keys()):
        if _is_same(name, failed, worked):
            continue
        if _is_command(failed.get(name)) or _is_command(worked.get(name)):
            parts = _parts(failed.get(name), worked.get(name))
            if parts is None:
                return None
            within[name], one[name], other[name] = parts
            continue
        if _names_a_target(failed.get(name)) or _names_a_target(worked.get(name)):
            return None
        one |= {name: failed[name]} if name in failed else {}
        other |= {name: worked[name]} if name in worked else {}
    found = Difference(failed=one, worked=other, within=within)
    return found if 0 < len(found.names) <= MOST_DIFFERENCES else None


def fits(
    arguments: Mapping[str, Json],
    given: Mapping[str, Json],
    other: Mapping[str, Json],
    within: Mapping[str, str],
) -> bool:
    """Whether a call is made as ``given`` says, and not as the ``other`` side of a difference."""
    for name in given.keys() | other.keys():
        if name in within:
            words, part = tokens(arguments.get(name)), tokens(given[name])
            is_so = _holds(words, tokens(within[name])) and _holds(words, part)
            if not is_so or (not part and _holds(words, tokens(other[name]))):
                return False
        elif name not in given:
            if name in arguments:
                return False
        elif name not in arguments or not _is_equal(form(arguments[name]), form(given[name])):
            return False
    return True


def form(value: Json) -> Json:
    """A value as others of its form: of a date or a number with signs only where its digits are."""
    if not isinstance(value, str):
        return value
    digits = len(_DIGIT.findall(value))
    is_mostly_digits = digits >= _FEWEST_DIGITS and digits * 2 >= len(value)
    return _DIGIT.sub("0", value) if is_mostly_digits else value


def rest(arguments: Mapping[str, Json], names: Sequence[str]) -> Mapping[str, Json]:
    """What the call was about: all but the arguments with these names, and what varies anyway."""
    return {
        name: value
        for name, value in arguments.items()
        if name not in names and not is_id_name(name)
    }


def is_id_name(name: str) -> bool:
    """Whether what it holds differs from call to call by nature."""
    return _ID_NAME.search(_CAMEL.sub("_", name).casefold()) is not None


def tokens(value: Json) -> list[str]:
    return value.split() if isinstance(value, str) else []


def _is_same(name: str, failed: Mapping[str, Json], worked: Mapping[str, Json]) -> bool:
    if name not in failed or name not in worked:
        return False
    one, other = failed[name], worked[name]
    if _is_equal(one, other):
        return True
    general = normalised({"": one})
    is_id = is_id_name(name) or "<id>" in general or "<hash>" in general
    return is_id and general == normalised({"": other})


def _is_equal(one: Json, other: Json) -> bool:
    """To a tool, 1 is not true."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _is_command(value: Json) -> bool:
    return len(tokens(value)) > 1


def _names_a_target(value: Json) -> bool:
    general = normalised({"": value})
    return "<file " in general or "<path>" in general


def _parts(failed: Json, worked: Json) -> tuple[str, str, str] | None:
    """With what both begin, and what is in one and not in the other."""
    one, other = tokens(failed), tokens(worked)
    if max(len(str(failed)), len(str(worked))) > LONGEST_TEXT:
        return None
    compared = SequenceMatcher(a=one, b=other, autojunk=False)
    if compared.ratio() < ALIKE_WORDS:
        return None
    gone: list[str] = []
    come: list[str] = []
    for kind, a, b, c, d in compared.get_opcodes():
        if kind == "equal":
            continue
        if kind == "replace" and not _may_replace(one, (a, b), other[c:d]):
            return None
        gone += one[a:b]
        come += other[c:d]
    parts = " ".join(gone), " ".join(come)
    if max(map(len, parts)) > LONGEST_PART or any(map(_names_a_target, gone + come)):
        return None
    return head(one, other), *parts


def _may_replace(words: Sequence[str], where: tuple[int, int], by: Sequence[str]) -> bool:
    """The value of an option, or another spelling of the same: not another command."""
    start, end = where
    if start > 0 and _OPTION.match(words[start - 1]):
        return True
    if _OPTION.match(words[start]) and _OPTION.match(by[0]):
        return True
    gone, come = " ".join(words[start:end]), " ".join(by)
    return SequenceMatcher(a=gone, b=come, autojunk=False).ratio() >= ALIKE_SPELLING


def head(one: Sequence[str], other: Sequence[str]) -> str:
    """The first two words that two commands share, beside options and files: ``pip install``."""
    shared = [word for word in one if word in other and not _OPTION.match(word)]
    return " ".join([word for word in shared if not _names_a_target(word)][:2])


def _holds(words: Sequence[str], part: Sequence[str]) -> bool:
    """Whether all of ``part`` is there, in this order."""
    left = iter(words)
    return all(word in left for word in part)
