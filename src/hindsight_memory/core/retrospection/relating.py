"""What conclusions have in common, seen across sessions: links, and conclusions from them. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Literal

from hindsight_memory.core.calls import worded
from hindsight_memory.core.model import Memory
from hindsight_memory.core.retrospection.model import Pattern, key_of, pattern_of, table, texts
from hindsight_memory.core.support import stands

MOST_LINKS = 8
"""Other conclusions about the same tool that one names."""

FEWEST = 2
"""Tools, or places of one tool, in which the same helped, for a conclusion about all of them."""

MOST_PLACES = 4
"""That a conclusion names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Something that is worth a look, with what it rests on."""

    kind: Literal["link", "conclusion"]
    memory_ids: tuple[str, ...]
    content: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """A pattern that several conclusions show, and these."""

    pattern: Pattern
    conclusions: tuple[Memory, ...]


def links(conclusions: Iterable[Memory], now: datetime) -> list[tuple[Memory, Proposal]]:
    """Conclusions about the same tool, as they are once they name each other, and why."""
    found: list[tuple[Memory, Proposal]] = []
    for tool, group in _by_tool(conclusions):
        ids = [each.id for each in group]
        for each in group:
            missing = [name for name in ids if name != each.id and name not in each.related_ids]
            room = MOST_LINKS - sum(name in ids for name in each.related_ids)
            if not missing[: max(0, room)]:
                continue
            linked = missing[:room]
            after = replace(
                each,
                related_ids=(*each.related_ids, *linked),
                updated_at=now,
                version=each.version + 1,
            )
            reason = f"both are about {tool}: required the same tool, actual {tool!r}"
            proposal = Proposal(
                kind="link", memory_ids=(each.id, *linked), content=each.content, reason=reason
            )
            found.append((after, proposal))
    return found


def shared(conclusions: Iterable[Memory]) -> list[Shared]:
    """What helped in several tools or places, for each such difference of arguments."""
    read = [
        (memory, pattern)
        for memory in conclusions
        if stands(memory) and (pattern := pattern_of(memory)) is not None
    ]
    contrasts = [(memory, pattern) for memory, pattern in read if pattern.kind == "contrast"]
    gathered: dict[str, list[tuple[Memory, Pattern]]] = {}
    for memory, pattern in contrasts:
        gathered.setdefault(_across(pattern, [], []).key, []).append((memory, pattern))
    found = []
    for group in gathered.values():
        tools = sorted({pattern.tool for _, pattern in group})
        places = sorted({_place(pattern) for _, pattern in group} - {""})
        if max(len(tools), len(places)) >= FEWEST:
            _, first = min(group, key=lambda each: each[0].id)
            memories = tuple(memory for memory, _ in group)
            found.append(Shared(pattern=_across(first, tools, places), conclusions=memories))
    return found


def proposal_of(memory: Memory, conclusions: Sequence[Memory]) -> Proposal:
    """What ``shared`` came to."""
    pattern = pattern_of(memory)
    facts = {} if pattern is None else pattern.facts
    tools, places = texts(facts, "tools"), texts(facts, "places")
    actual = tools if len(tools) >= FEWEST else places
    return Proposal(
        kind="conclusion",
        memory_ids=(memory.id, *(each.id for each in conclusions)),
        content=memory.content,
        reason=f"required the same in >= {FEWEST} tools or places, actual {', '.join(actual)}",
    )


def _place(pattern: Pattern) -> str:
    """In words; "" for anywhere."""
    return worded(table(pattern.facts, "where"))


def _across(pattern: Pattern, tools: Sequence[str], places: Sequence[str]) -> Pattern:
    sides = {name: pattern.facts.get(name, {}) for name in ("failed", "worked", "within")}
    return Pattern(
        kind="conclusion",
        place=pattern.place,
        identity={name: pattern.identity.get(name, {}) for name in sides},
        facts={**sides, "tools": list(tools), "places": list(places[:MOST_PLACES])},
        is_chinese=pattern.is_chinese,
    )


def _by_tool(conclusions: Iterable[Memory]) -> Iterator[tuple[str, list[Memory]]]:
    """Those of one place that are about one tool, of each tool with several, by id."""
    read = [
        (pattern.place.project, pattern.place.private_to, pattern.tool, memory.id, memory)
        for memory in conclusions
        if stands(memory) and key_of(memory) and (pattern := pattern_of(memory)) is not None
    ]
    about_tools = sorted((each for each in read if each[2]), key=lambda each: each[:4])
    for (_, _, tool), group in groupby(about_tools, key=lambda each: each[:3]):
        memories = [memory for *_, memory in group]
        if len(memories) > 1:
            yield tool, memories
