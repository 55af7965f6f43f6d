"""What looking back deals in: a pattern seen in episodes, and what bears on it. All immutable."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from hindsight_memory.core.identity import digest
from hindsight_memory.core.induction import noted
from hindsight_memory.core.model import Json, Memory, Visibility

Facts = Mapping[str, Json]

ENDED = "end"
"""The action of the episode that says how a session ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Whose a conclusion is, which is what its episodes have in common."""

    project: str
    private_to: str = ""

    @classmethod
    def of(cls, memory: Memory) -> "Place":
        is_private = memory.visibility is Visibility.PRIVATE
        return cls(project=memory.project, private_to=memory.agent_id if is_private else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """Something that episodes show again and again, whatever words it is put into.

    kind: a row of core.induction.RULES. identity: those of the facts that make it this pattern and
    no other. facts: all that its sentence needs. is_chinese: the language of who lived it.
    """

    kind: str
    place: Place
    identity: Facts
    facts: Facts
    is_chinese: bool = False

    @property
    def key(self) -> str:
        """Equal for the same pattern in the same place."""
        place = (self.place.project, self.place.private_to)
        return digest(self.kind, *place, json.dumps(dict(self.identity), sort_keys=True))

    @property
    def tool(self) -> str:
        """Empty where it is about no tool."""
        return str(self.facts.get("tool", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearing:
    """Episodes that speak for a pattern, and those that speak against it, oldest first."""

    supports: tuple[Memory, ...] = ()
    against: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The episodes of one place in one session, oldest first."""

    place: Place
    episodes: tuple[Memory, ...] = field(default=())
    is_chinese: bool = False


def key_of(memory: Memory) -> str:
    """That of the pattern that ``memory`` puts into words; "" when it is no such memory."""
    found = noted(memory)
    return "" if found is None or not memory.evidence else str(found.get("key", ""))


def pattern_of(memory: Memory) -> Pattern | None:
    """What ``memory`` puts into words, read back from its metadata."""
    found = noted(memory)
    if found is None or not memory.evidence:
        return None
    identity, facts = found.get("identity"), found.get("facts")
    if not isinstance(identity, dict) or not isinstance(facts, dict):
        return None
    return Pattern(
        kind=str(found.get("kind")),
        place=Place.of(memory),
        identity=identity,
        facts=facts,
        is_chinese=found.get("language") == "zh",
    )


def in_order(episodes: Iterable[Memory]) -> tuple[Memory, ...]:
    """Each once, oldest first."""
    return tuple(sorted({each.id: each for each in episodes}.values(), key=moment))


def moment(episode: Memory) -> tuple[datetime, str]:
    return episode.happened_at, episode.id


def text(facts: Facts, name: str) -> str:
    found = facts.get(name)
    return found if isinstance(found, str) else ""


def table(facts: Facts, name: str) -> dict[str, Json]:
    found = facts.get(name)
    return found if isinstance(found, dict) else {}


def texts(facts: Facts, name: str) -> Sequence[str]:
    found = facts.get(name)
    return [str(each) for each in found] if isinstance(found, list) else []
