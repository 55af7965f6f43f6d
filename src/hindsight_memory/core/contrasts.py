"""What worked where a call, made as it is about to be made, has failed. Pure.

The difference between a failure and a success of one tool is what looking back learns from, too
(core.retrospection.differences); here it has to hold for one call, so it says where it was seen.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from hindsight_memory.core.calls import Call
from hindsight_memory.core.mishaps import Kind, kind_of
from hindsight_memory.core.model import Json
from hindsight_memory.core.places import place
from hindsight_memory.core.retrospection.differences import Difference, difference, fits, tokens
from hindsight_memory.core.retrospection.tools import HELPS_AGAINST_LIMITS, SAFEGUARD

REACH = 12
"""Calls of the tool after a failure, in its session, among which is the one that got it to work."""

COMPARED = 30
"""Failures of a tool for which that is looked for: the newest."""

FEWEST_UNEXPLAINED = 2
"""Failures with an error that says nothing of the call, until another way is the reason."""

FEWEST_PLACES = 2
"""Places at which the same way had to be changed in the same manner, until others like them are
expected to want it, too."""

FEWEST_SESSIONS = 2
"""Sessions in which an argument was changed, where its name does not tell that it says how."""

_HOW = re.compile(
    r"\w*(?:encod|charset|format|fmt|sep\b|separator|delimiter|dialect|mode|engine|driver|protocol"
    r"|version|method|type|header|locale|lang|time_?zone|tz\b|unit|quot|escap|compress|strict|verify"
    r"|option|flag|style|precision|scheme|codec|newline|line_?ending|order|parser|backend|dtype"
    r"|content_type|accept|auth|size|depth|level|max|min|limit|index(?:_url)?$|mirror|registry|proxy"
    r"|errors?\b)\w*|编码|格式|分隔符|方言|模式|引擎|协议|版本|方法|类型|时区|单位|语言",
    re.IGNORECASE,
)
"""Names of arguments that say how a thing is done."""

_WHAT = re.compile(
    r"\w*(?:service|host|server|database|db|schema|table|collection|user|account|customer|name|title"
    r"|query|question|prompt|text|content|message|body|subject|branch|repo|city|country|symbol"
    r"|ticker|topic|channel|bucket|target|source|destination|recipient|to|from|path|file|dir|folder"
    r"|url|uri|key|date|day|month|year|start|end|value|sql|input|old_string|new_string|pattern)"
    r"|服务|数据库|表|用户|名称|标题|问题|内容|城市|日期|路径|文件",
    re.IGNORECASE,
)
"""Names that say to what: what worked on another thing shows nothing about this one."""

_JOINT = re.compile(r"&&|\|\||[;|&<>\n]")
"""What may follow in a command line is another command, or a file."""

_VARIABLE = re.compile(r"[A-Za-z_]\w*=\S*")


class Where(StrEnum):
    """How near the place is at which a way was seen, the nearest first."""

    HERE = "here"
    ANYWHERE = "anywhere"
    """The tool itself takes no such arguments, whatever they are about."""

    LIKE_HERE = "like_here"
    """At several places of the same folder."""

    NEARBY = "nearby"
    """At one other place of the same folder: it may be so here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Another way to make a call. failures: of the way it is about to be made; successes: of this
    one; the newest last.
    """

    difference: Difference
    where: Where
    failures: Sequence[Call] = field(default=())
    successes: Sequence[Call] = field(default=())

    @property
    def is_safe(self) -> bool:
        """Whether it may be told: what works by switching a safeguard off is not."""
        said = (f"{name} {value}" for name, value in self.difference.worked.items())
        return not any(map(SAFEGUARD.search, said))

    def taken(self, arguments: Mapping[str, Json]) -> dict[str, Json] | None:
        """``arguments`` with what differs as it worked; None where it cannot be put in."""
        return changed(arguments, self.difference)


def ways(asked: Mapping[str, Json], calls: Iterable[Call]) -> list[Way]:
    """Those that nothing speaks against, the nearest first and of these the latest that worked.

    calls: of the same tool, oldest first.
    """
    known = [each for each in calls if each.outcome != "unknown"]
    found = [way for group in _groups(asked, known) for way in _judged(asked, group, known)]
    return sorted(found, key=_rank)


def changed(arguments: Mapping[str, Json], apart: Difference) -> dict[str, Json] | None:
    """``arguments`` made as ``apart`` says it worked; None where that cannot be put in, as where a
    date differs: which form it wants is known, and not how this one is put into it.
    """
    made = dict(arguments)
    for name in apart.names:
        if name in apart.failed.keys() - apart.within and made.get(name) != apart.failed[name]:
            return None
        if name in apart.within:
            command = _edited(str(made.get(name, "")), apart.failed[name], apart.worked[name])
            if command is None:
                return None
            made[name] = command
        elif name in apart.worked:
            made[name] = apart.worked[name]
        else:
            made.pop(name, None)
    return made


def _edited(command: str, gone: Json, come: Json) -> str | None:
    """``command`` with the words ``come`` in the place of ``gone``. What nothing made room for goes
    where it may stand in any command: variables before it, options after it.
    """
    if gone:
        where = re.compile(rf"(?<!\S){re.escape(str(gone))}(?!\S)")
        found = where.search(command)
        if found is None:
            return None
        before, after = command[: found.start()], command[found.end() :]
        return f"{before}{come}{after}" if come else f"{before.rstrip()} {after.lstrip()}".strip()
    if _JOINT.search(command):
        return None  # nobody knows to which of the commands
    if all(map(_VARIABLE.fullmatch, tokens(come))):
        return f"{come} {command}"
    return f"{command} {come}" if str(come).startswith("-") else None


@dataclass(frozen=True, slots=True)
class _Group:
    """Pairs with one difference."""

    difference: Difference
    failures: list[Call]


def _groups(asked: Mapping[str, Json], calls: Sequence[Call]) -> list[_Group]:
    """The failures of calls made like ``asked``, by what made them work."""
    groups: dict[str, _Group] = {}
    for failure, apart in _pairs(asked, calls):
        key = repr((apart.names, sorted(apart.worked.items(), key=str)))
        groups.setdefault(key, _Group(apart, [])).failures.append(failure)
    return list(groups.values())


def _pairs(asked: Mapping[str, Json], calls: Sequence[Call]) -> Iterator[tuple[Call, Difference]]:
    """Each failure with what differs least in what then worked, and of these in the first."""
    region = place(asked, is_wide=True)
    failed = [each for each in calls if each.outcome == "failure"][-COMPARED:]
    for failure in failed:
        kind = kind_of(failure.error)
        if kind is not Kind.FORM and place(failure.arguments, is_wide=True) != region:
            continue
        found = (difference(failure.arguments, each.arguments) for each in _next(failure, calls))
        apart = [each for each in found if each is not None and _TEACHES[kind](each)]
        nearest = min(apart, key=lambda each: len(each.names), default=None)
        if nearest is not None and _is_made_so(asked, nearest):
            yield failure, nearest


def _next(failure: Call, calls: Sequence[Call]) -> list[Call]:
    """The calls of its session after ``failure`` that worked, as far as it reaches."""
    own = [each for each in calls if each.session_id == failure.session_id]
    after = own[own.index(failure) + 1 :][:REACH]
    return [each for each in after if each.outcome == "success"]


def _is_made_so(asked: Mapping[str, Json], apart: Difference) -> bool:
    is_so = fits(asked, apart.failed, apart.worked, apart.within)
    return is_so and not fits(asked, apart.worked, apart.failed, apart.within)


def _about_limits(apart: Difference) -> bool:
    return all(map(HELPS_AGAINST_LIMITS.fullmatch, apart.names))


def _may_say_how(apart: Difference) -> bool:
    return not any(_is_what(name) for name in apart.names if name not in apart.within)


def _is_what(name: str) -> bool:
    return _HOW.fullmatch(name) is None and _WHAT.fullmatch(name) is not None


def _says_how(apart: Difference) -> bool:
    return all(name in apart.within or _HOW.fullmatch(name) for name in apart.names)


_TEACHES: Mapping[Kind, Callable[[Difference], bool]] = MappingProxyType(
    {
        Kind.PASSING: lambda _apart: False,
        Kind.LIMIT: _about_limits,
        Kind.TARGET: lambda _apart: False,
        Kind.FORM: lambda _apart: True,
        Kind.UNFIT: _may_say_how,
        Kind.UNKNOWN: _may_say_how,
    }
)
"""Whether a success that differs so shows what was wrong with a failure of each kind."""


def _judged(asked: Mapping[str, Json], group: _Group, calls: Sequence[Call]) -> Iterator[Way]:
    """The group as a way, at the nearest place where it was seen."""
    for where, is_there in _PLACES.items():
        way = _at(where, [each for each in calls if is_there(asked, each, group)], group)
        if way is not None and _WELL_SEEN[where](way, group):
            yield way
            return


def _at(where: Where, calls: Sequence[Call], group: _Group) -> Way | None:
    """None where it was not seen there, or something there speaks against it."""
    apart = group.difference
    failures = [each for each in group.failures if each in calls]
    tried = [
        each for each in calls if fits(each.arguments, apart.worked, apart.failed, apart.within)
    ]
    tried = [each for each in tried if each.outcome == "success" or _is_its_own(each)]
    if not failures or not tried or tried[-1].outcome != "success":
        return None
    others = [each for each in calls if each.outcome == "success" and each not in tried]
    if where is Where.HERE:
        others = [each for each in others if each.at >= failures[-1].at]
    elif any(_is_rival(each, group) for each in others):
        return None
    if any(_is_made_so(each.arguments, apart) for each in others):
        return None
    successes = [each for each in tried if each.outcome == "success"]
    return Way(difference=apart, where=where, failures=failures, successes=successes)


def _is_its_own(call: Call) -> bool:
    return kind_of(call.error) not in {Kind.PASSING, Kind.LIMIT, Kind.TARGET}


def _is_rival(success: Call, group: _Group) -> bool:
    """Whether it solved such a failure by something else: then it depends on the place."""
    names = set(group.difference.names)
    return all(
        name in success.arguments and success.arguments[name] != group.difference.worked.get(name)
        for name in names
    )


def _is_here(asked: Mapping[str, Json], call: Call, group: _Group) -> bool:
    names = group.difference.names
    return place(call.arguments, but=names) == place(asked, but=names)


def _is_in_region(asked: Mapping[str, Json], call: Call, group: _Group) -> bool:
    names = group.difference.names
    region = place(asked, but=names, is_wide=True)
    return place(call.arguments, but=names, is_wide=True) == region


def _is_anywhere(_asked: Mapping[str, Json], _call: Call, group: _Group) -> bool:
    return kind_of(group.failures[-1].error) is Kind.FORM


_PLACES: Mapping[Where, Callable[[Mapping[str, Json], Call, _Group], bool]] = MappingProxyType(
    {
        Where.HERE: _is_here,
        Where.ANYWHERE: _is_anywhere,
        Where.LIKE_HERE: _is_in_region,
        Where.NEARBY: _is_in_region,
    }
)


def _is_explained(way: Way, group: _Group) -> bool:
    """By the errors, and by the names of what was changed; or else by repetition."""
    unexplained = [each for each in way.failures if kind_of(each.error) is Kind.UNKNOWN]
    if len(unexplained) == len(way.failures) < FEWEST_UNEXPLAINED:
        return False
    sessions = {each.session_id for each in way.failures}
    is_limit = kind_of(way.failures[-1].error) is Kind.LIMIT
    return is_limit or _says_how(group.difference) or len(sessions) >= FEWEST_SESSIONS


def _is_seen_at_several(way: Way, group: _Group) -> bool:
    places = {place(each.arguments, but=group.difference.names) for each in way.failures}
    return len(places) >= FEWEST_PLACES and _is_explained(way, group)


_WELL_SEEN: Mapping[Where, Callable[[Way, _Group], bool]] = MappingProxyType(
    {
        Where.HERE: _is_explained,
        Where.ANYWHERE: lambda _way, _group: True,
        Where.LIKE_HERE: _is_seen_at_several,
        Where.NEARBY: _is_explained,
    }
)


def _rank(way: Way) -> tuple[int, float, int]:
    latest = way.successes[-1]
    return list(Where).index(way.where), -latest.at.timestamp(), len(way.difference.names)
