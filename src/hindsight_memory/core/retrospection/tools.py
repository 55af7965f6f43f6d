"""What the calls of a session show about a tool: what failed and what worked instead. Pure.

Three patterns. A *contrast*: a call failed, and one of the same tool worked that differs in few
arguments; it holds where it was seen (``where``). A *habit*: a way round, such as a package mirror,
which is only worth keeping when it is taken in session after session. A *failure*: a call that
fails each time, with nothing that worked.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from hindsight_memory.core.calls import Call, call_of, normalised
from hindsight_memory.core.mishaps import Kind, kind_of
from hindsight_memory.core.model import Json, Memory
from hindsight_memory.core.retrospection import differences, failures
from hindsight_memory.core.retrospection.differences import Difference, difference, fits, tokens
from hindsight_memory.core.retrospection.model import (
    Bearing,
    Pattern,
    Session,
    in_order,
    moment,
    table,
    text,
)
from hindsight_memory.core.retrospection.where import where

REACH = 12
"""Calls of the same tool after a failure among which one is looked for that worked."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WAY_ROUND = re.compile(
    r"(?:extra_)?index(?:_url)?|find_links|\w*mirrors?|\w*registry|\w*proxy|\w*prox(?:y|ies)_url"
)
"""Names of arguments that say by which way something is fetched, whatever it is."""

_PLACE = re.compile(r"\w*(?:url|host|hosts|endpoint|server|address|source|channel|remote|port)")
"""The same, where the direct way had failed for want of a network."""

HELPS_AGAINST_LIMITS = re.compile(
    r"\w*(?:timeout|retr|attempt|delay|wait|sleep|pause|backoff|interval|throttl|rate|batch|chunk"
    r"|concurren|parallel|worker|thread|qps|rps)\w*|等待|间隔|延迟|并发|重试|限速",
    re.IGNORECASE,
)
"""Names of arguments that help against a limit; in anything else a success was only later."""

_FLAG = re.compile(
    r"(?:-i|--(?:extra-)?index-url|--find-links|--registry|--(?:https?-)?proxy|--mirror)"
    r"(?:[ =](?P<value>\S+))?|(?:[A-Z_]*(?:PROXY|MIRROR|INDEX_URL|REGISTRY)|https?_proxy)=\S+"
)
"""The same as ``_WAY_ROUND``, in commands; -i is pip's, and says so by its address."""

_ADDRESS = re.compile(r"https?://")

SAFEGUARD = re.compile(
    r"no[-_]?verify|insecure|force|skip[-_]?(?:tests?|checks?|hooks?|verification)|no[-_]?check"
    r"|break[-_]?system|disable[-_]?\w*(?:ssl|tls|security|check)|verify(?:[-_]ssl)?|ssl[-_]verify"
    r"|check[-_]hostname|\bsudo\b|chmod 777|dangerously|bypass|ignore[-_]?(?:ssl|cert|hooks?)",
    re.IGNORECASE,
)
"""Who gets on by switching a safeguard off has learned nothing that an agent should repeat."""


def patterns(session: Session) -> list[Pattern]:
    """Each once, in the order of their first call."""
    calls = _calls(session.episodes)
    by_tool: dict[str, list[Call]] = {}
    for call in calls:
        by_tool.setdefault(call.tool, []).append(call)
    found = [
        pattern
        for of_tool in by_tool.values()
        for pattern in (*_contrasts(session, of_tool), *_habits(session, of_tool))
    ]
    found += [each for of_tool in by_tool.values() for each in _failures(session, of_tool)]
    return list({each.key: each for each in reversed(found)}.values())[::-1]


def bearing(pattern: Pattern, episodes: Iterable[Memory]) -> Bearing:
    """Which of ``episodes`` speak for and against ``pattern``; only what came after the first that
    speaks for it can speak against it.
    """
    calls = [
        (episode, call)
        for episode in in_order(episodes)
        if (call := call_of(episode)) is not None and call.tool == pattern.tool
    ]
    speaks = _SPEAKS[pattern.kind]
    all_calls = [call for _, call in calls]
    told = [(episode, speaks(pattern, call, all_calls)) for episode, call in calls]
    supports = tuple(episode for episode, says in told if says is True)
    against = [episode for episode, says in told if says is False]
    since = min(map(moment, supports), default=None)
    return Bearing(
        supports=supports,
        against=tuple(each for each in against if since is not None and moment(each) > since),
    )


def holds_at(pattern: Pattern, arguments: Mapping[str, Json]) -> bool:
    """Whether a contrast says something about a call with these arguments."""
    there = table(pattern.facts, "where")
    sides = (table(pattern.facts, "failed"), table(pattern.facts, "worked"))
    names = {name for side in sides for name in side}
    return not there or there == where(arguments, but=names)


def refused(pattern: Pattern) -> str:
    """Why no number of episodes makes a memory of it; "" where it may become one."""
    worked = " ".join(f"{k} {v}" for k, v in table(pattern.facts, "worked").items())
    if SAFEGUARD.search(worked):
        return "what worked may switch a safeguard off; only a person makes that a habit"
    return ""


@dataclass(frozen=True, slots=True)
class _Pair:
    failed: Call
    worked: Call
    difference: Difference

    @property
    def is_way_round(self) -> bool:
        """Whether another way was taken because the direct one was closed."""
        names = [_snake(name) for name in self.difference.names]
        return all(
            _WAY_ROUND.fullmatch(name) or _PLACE.fullmatch(name) or _is_flag(part)
            for name, part in zip(names, self._parts(), strict=True)
        )

    @property
    def is_lesson(self) -> bool:
        error = self.failed.error
        if failures.is_interrupted(error):
            return False
        if not failures.is_outage(error):
            return True
        return all(HELPS_AGAINST_LIMITS.fullmatch(_snake(name)) for name in self.difference.names)

    @property
    def where(self) -> Mapping[str, str]:
        """Where it holds; empty for anywhere: a tool that takes no such argument never does."""
        if kind_of(self.failed.error) is Kind.FORM:
            return {}
        return where(self.failed.arguments, but=self.difference.names)

    def _parts(self) -> list[str]:
        within, worked = self.difference.within, self.difference.worked
        return [str(worked[name]) if name in within else "" for name in self.difference.names]


def _calls(episodes: Iterable[Memory]) -> list[Call]:
    return [call for episode in episodes if (call := call_of(episode)) is not None]


def _pairs(calls: Sequence[Call]) -> Iterator[_Pair]:
    """Each failure, with the nearest later call that worked and differs least."""
    for at, failed in enumerate(calls):
        if failed.outcome != "failure":
            continue
        near = calls[at + 1 : at + 1 + REACH]
        found = [
            _Pair(failed, worked, apart)
            for worked in near
            if worked.outcome == "success"
            and (apart := difference(failed.arguments, worked.arguments)) is not None
        ]
        if found:
            yield min(found, key=lambda pair: len(pair.difference.names))


def _contrasts(session: Session, calls: Sequence[Call]) -> Iterator[Pattern]:
    for pair in _pairs(calls):
        if not pair.is_lesson:
            continue
        sides = _sides(pair.difference.failed, pair.difference.worked, pair.difference.within)
        there: dict[str, Json] = {**pair.where}
        error: dict[str, Json] = {
            "error": failures.told(pair.failed.error),
            "class": failures.class_of(pair.failed.error),
        }
        yield Pattern(
            kind="contrast",
            place=session.place,
            identity={"tool": pair.failed.tool, "where": there, **_formed(sides)},
            facts={"tool": pair.failed.tool, "where": there, **sides, **error},
            is_chinese=session.is_chinese,
        )


def _habits(session: Session, calls: Sequence[Call]) -> Iterator[Pattern]:
    for pair in _pairs(calls):
        apart = pair.difference
        if apart.worked and failures.is_outage(pair.failed.error) and pair.is_way_round:
            yield _habit(session, pair.worked.tool, apart.worked, apart.within)
    for call in calls:
        if call.outcome != "success":
            continue
        for name, value in call.arguments.items():
            if _WAY_ROUND.fullmatch(_snake(name)) and isinstance(value, str) and value:
                yield _habit(session, call.tool, {name: value}, {})
            for part in _flags(value):
                words = [word for word in tokens(value) if word not in part.split()]
                about = differences.head(words, words)
                yield _habit(session, call.tool, {name: part}, {name: about})


def _habit(
    session: Session, tool: str, worked: Mapping[str, Json], within: Mapping[str, str]
) -> Pattern:
    facts: dict[str, Json] = {"tool": tool, "worked": dict(worked), "within": dict(within)}
    return Pattern(
        kind="habit",
        place=session.place,
        identity=facts,
        facts=facts,
        is_chinese=session.is_chinese,
    )


def _failures(session: Session, calls: Sequence[Call]) -> Iterator[Pattern]:
    worked = {call.key for call in calls if call.outcome == "success"}
    solved = {pair.failed.memory_id for pair in _pairs(calls)}
    for call in calls:
        is_open = call.memory_id not in solved and call.key not in worked
        if call.outcome != "failure" or not is_open or not failures.is_the_calls_own(call.error):
            continue
        identity = {
            "tool": call.tool,
            "key": call.key,
            "class": failures.class_of(call.error),
        }
        told = failures.told(call.error)
        yield Pattern(
            kind="failure",
            place=session.place,
            identity=identity,
            facts={**identity, "arguments": dict(call.arguments), "error": told},
            is_chinese=session.is_chinese,
        )


def _of_contrast(pattern: Pattern, call: Call, calls: Sequence[Call]) -> bool | None:
    """True for, False against, None neither."""
    if not holds_at(pattern, call.arguments):
        return None
    failed, worked = table(pattern.facts, "failed"), table(pattern.facts, "worked")
    within = _within(pattern)
    if fits(call.arguments, worked, failed, within):
        return _worked(call)
    if not fits(call.arguments, failed, worked, within):
        return None
    if call.outcome == "failure":
        return True if failures.class_of(call.error) == text(pattern.facts, "class") else None
    # That it works on something else says nothing: that very call has to work that failed before.
    names = sorted(failed.keys() | worked.keys())
    about = differences.rest(call.arguments, names)
    refuted = any(
        each.at < call.at
        and each.outcome == "failure"
        and fits(each.arguments, failed, worked, within)
        and differences.rest(each.arguments, names) == about
        for each in calls
    )
    return False if call.outcome == "success" and refuted else None


def _of_habit(pattern: Pattern, call: Call, _calls: Sequence[Call]) -> bool | None:
    worked, within = table(pattern.facts, "worked"), _within(pattern)
    direct: dict[str, Json] = dict.fromkeys(within, "")
    if fits(call.arguments, worked, direct, within):
        return {"success": True, "failure": False}.get(call.outcome)
    # The direct way is open again.
    is_direct = fits(call.arguments, direct, worked, within)
    return False if is_direct and call.outcome == "success" else None


def _of_failure(pattern: Pattern, call: Call, _calls: Sequence[Call]) -> bool | None:
    if normalised(call.arguments) != text(pattern.facts, "key"):
        return None
    if call.outcome == "failure":
        return True if failures.class_of(call.error) == text(pattern.facts, "class") else None
    return False if call.outcome == "success" else None


_SPEAKS: Mapping[str, Callable[[Pattern, Call, Sequence[Call]], bool | None]] = MappingProxyType(
    {"contrast": _of_contrast, "habit": _of_habit, "failure": _of_failure}
)
KINDS = frozenset(_SPEAKS)


def _worked(call: Call) -> bool | None:
    if call.outcome == "failure":
        return None if not failures.is_the_calls_own(call.error) else False
    return True if call.outcome == "success" else None


def _sides(
    failed: Mapping[str, Json], worked: Mapping[str, Json], within: Mapping[str, str]
) -> dict[str, Json]:
    return {"failed": dict(failed), "worked": dict(worked), "within": dict(within)}


def _formed(sides: Mapping[str, Json]) -> dict[str, Json]:
    return {
        side: {name: differences.form(value) for name, value in table(sides, side).items()}
        for side in ("failed", "worked", "within")
    }


def _within(pattern: Pattern) -> dict[str, str]:
    return {name: str(about) for name, about in table(pattern.facts, "within").items()}


def _flags(value: Json) -> Iterator[str]:
    """The parts of a command that choose a way."""
    if not isinstance(value, str) or len(tokens(value)) < 2:  # noqa: PLR2004 - a command
        return
    for found in _FLAG.finditer(value):
        if not found[0].startswith("-i") or _ADDRESS.match(found["value"] or ""):
            yield found[0]


def _is_flag(part: str) -> bool:
    return _FLAG.fullmatch(part) is not None


def _snake(name: str) -> str:
    return _CAMEL.sub("_", name).casefold().replace("-", "_")
