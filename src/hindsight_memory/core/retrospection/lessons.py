"""The memory that puts a pattern into words, and how it gains and loses evidence. Pure."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from hindsight_memory.core.hygiene import TAG_LENGTH
from hindsight_memory.core.induction import KEY, RULES, Induction, noted, weigh
from hindsight_memory.core.model import Json, Layer, Memory, Visibility
from hindsight_memory.core.policy import TRUST, MemoryType, Source, Status
from hindsight_memory.core.retrospection import said, tools
from hindsight_memory.core.retrospection.model import (
    ENDED,
    Bearing,
    Pattern,
    Place,
    Session,
    in_order,
)
from hindsight_memory.core.retrospection.wording import Wording
from hindsight_memory.core.script import has_han
from hindsight_memory.core.support import believed, stands, weighed
from hindsight_memory.core.values import subject

IMPORTANCE = 0.8
"""Of what was learned (design, section 9): above the 0.5 of what was only said."""

MOST_EVIDENCE = 64
"""Episodes that a conclusion names on either side: beyond that one more changes no status."""

UNWORDED = "is_unworded"
"""In what retrospection knows of a memory: a model is still to put it into words."""

QUOTES, QUOTE_CHARACTERS = 6, 200
"""Episodes that are quoted, the earliest, and how much of each."""


class Change(StrEnum):
    """What looking back did to a conclusion."""

    FORMED = "formed"
    STRENGTHENED = "strengthened"
    CONFIRMED = "confirmed"
    WEAKENED = "weakened"
    DISPUTED = "disputed"
    DEPRECATED = "deprecated"
    PENDING = "pending"
    LEFT = "left"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """As what a conclusion of one kind is remembered. tag: where no tool is one."""

    memory_type: MemoryType
    scene: str
    tag: str = ""


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "contrast": Kind(memory_type=MemoryType.LESSON, scene="troubleshooting"),
        "failure": Kind(memory_type=MemoryType.LESSON, scene="troubleshooting"),
        "habit": Kind(memory_type=MemoryType.LESSON, scene="tool_use"),
        "correction": Kind(
            memory_type=MemoryType.PREFERENCE, scene="preference_confirmation", tag="correction"
        ),
        "decision": Kind(memory_type=MemoryType.DECISION, scene="decision", tag="decision"),
        "conclusion": Kind(memory_type=MemoryType.LESSON, scene="troubleshooting", tag="tools"),
    }
)


KINDS_BY_EXAMPLE = frozenset({"habit"})
"""What is done as before: what was done in a session that failed is no example."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What became of one pattern: the memory as it is to be, None where there is none, and why.

    before: the memory as it was, None for a new one.
    """

    change: Change
    pattern: Pattern
    reason: str
    memory: Memory | None = None
    before: Memory | None = None

    @property
    def is_put(self) -> bool:
        return self.memory is not None and self.memory != self.before


def sessions(episodes: Iterable[Memory]) -> list[Session]:
    """Those of one session by their places; what is not believed, or from outside, left out."""
    gathered: dict[Place, list[Memory]] = {}
    for episode in in_order(episodes):
        if bears(episode):
            gathered.setdefault(Place.of(episode), []).append(episode)
    return [
        Session(place=place, episodes=tuple(found), is_chinese=_is_chinese(found))
        for place, found in gathered.items()
    ]


def bears(episode: Memory) -> bool:
    """Whether anything may be concluded from it. What others wrote proves nothing of ours."""
    is_believed = stands(episode) and episode.status is not Status.DISPUTED
    return is_believed and episode.layer is Layer.EPISODIC and episode.source is not Source.EXTERNAL


def patterns(session: Session) -> list[Pattern]:
    return [*tools.patterns(session), *said.patterns(session)]


def bearing(pattern: Pattern, episodes: Iterable[Memory]) -> Bearing:
    """Of all its episodes: the known ones have to be among them, for what came first counts."""
    found = [each for each in episodes if bears(each) and Place.of(each) == pattern.place]
    if pattern.kind in KINDS_BY_EXAMPLE:
        failed = _failed_sessions(found)
        found = [each for each in found if each.session_id not in failed]
    if pattern.kind in tools.KINDS:
        return tools.bearing(pattern, found)
    return said.bearing(pattern, found) if pattern.kind in said.KINDS else Bearing()


def explained(known: Memory | None, learned: Learned | None) -> frozenset[str]:
    """Episodes that a conclusion rests on, or that speak against it: each is one story told."""
    memory = known if learned is None or learned.memory is None else learned.memory
    return frozenset() if memory is None else frozenset(memory.evidence + memory.counter_examples)


def retold(pattern: Pattern, supports: Sequence[Memory]) -> Pattern:
    """In the fullest of the words in which it was said."""
    return said.retold(pattern, supports) if pattern.kind == "correction" else pattern


def refused(pattern: Pattern) -> str:
    return tools.refused(pattern) if pattern.kind in tools.KINDS else ""


def tags_of(pattern: Pattern) -> frozenset[str]:
    """By which the conclusions about a tool are found."""
    return frozenset({KINDS[pattern.kind].tag or tag_of(pattern.tool)})


def tags_about(episode: Memory) -> frozenset[str]:
    """Those of any conclusion that may rest on ``episode``."""
    tool = "" if episode.event is None else episode.event.tool
    return frozenset({tag_of(tool)} if tool else ()) | {kind.tag for kind in KINDS.values()} - {""}


def tag_of(tool: str) -> str:
    """The name of a tool as a tag: tags are short and hold nothing invisible."""
    visible = "".join(each for each in tool if each.isprintable())
    return " ".join(visible.split())[:TAG_LENGTH].strip() or "tool"


def formed(
    pattern: Pattern,
    found: Bearing,
    *,
    word: Wording,
    tenant: str,
    user_id: str,
    new_id: str,
    now: datetime,
) -> Learned:
    """A new memory of ``pattern``, if its episodes are enough and no more speaks against it.

    word: puts it into a sentence, asked for nothing else, because that may be a model's.
    """
    result = weigh(RULES[pattern.kind], found.supports, found.against)
    is_believed = result.status in {Status.TENTATIVE, Status.CONFIRMED}
    if not result.is_formed or not is_believed:
        return Learned(change=Change.PENDING, pattern=pattern, reason=_pending(result))
    kept = _chosen(RULES[pattern.kind].per_session, (), found.supports)
    against = found.against[:MOST_EVIDENCE]
    first, kind, content = kept[0], KINDS[pattern.kind], word(pattern)
    memory = Memory(
        id=new_id,
        tenant=tenant,
        user_id=user_id,
        agent_id=first.agent_id,
        project=pattern.place.project,
        visibility=Visibility.PRIVATE if pattern.place.private_to else Visibility.USER,
        content=content,
        memory_type=kind.memory_type,
        scene=kind.scene,
        tags=tags_of(pattern),
        metadata={KEY: _note(pattern, (*kept, *against))},
        subject=subject(content),
        status=result.status,
        source=Source.RETROSPECTION,
        trust=_trust(kept),
        confidence=result.score,
        importance=IMPORTANCE,
        evidence=tuple(each.id for each in kept),
        counter_examples=tuple(each.id for each in against),
        created_at=now,
        updated_at=now,
    )
    change = Change.CONFIRMED if result.status is Status.CONFIRMED else Change.FORMED
    return Learned(change=change, pattern=pattern, reason=result.reason, memory=memory)


def strengthened(
    known: Memory,
    pattern: Pattern,
    found: Bearing,
    *,
    named: Sequence[Memory],
    injected: Collection[str],
    is_weighable: bool,
    now: datetime,
) -> Learned | None:
    """``known`` with what ``found`` adds to it; None when that is nothing.

    named: its evidence and its counter-examples, as they are.
    is_weighable: whether its status follows its episodes, and is not somebody's decision.
    """
    per_session = RULES[pattern.kind].per_session
    old = [each for each in named if each.id in known.evidence]
    counted = [each for each in found.supports if each.id not in injected]
    gained = [each for each in _chosen(per_session, old, counted) if each not in old]
    room = MOST_EVIDENCE - len(known.counter_examples)
    ids = {each.id for each in named}
    against = [each for each in found.against if each.id not in ids][: max(0, room)]
    if not gained and not against:
        return None
    after = replace(
        known,
        evidence=(*known.evidence, *(each.id for each in gained)),
        counter_examples=(*known.counter_examples, *(each.id for each in against)),
        metadata={**known.metadata, KEY: _requoted(known, [*gained, *against])},
        trust=min(known.trust, _trust(gained)) if _is_derived(known) else known.trust,
        updated_at=now,
        version=known.version + 1,
    )
    result = weighed(
        after,
        [*old, *gained],
        [*(each for each in named if each.id in known.counter_examples), *against],
        shown=[each for each in found.supports if each.id in injected],
    )
    if is_weighable:
        after = replace(believed(after, result, now), version=after.version)
    change = _changed(known, after, gained=bool(gained))
    return Learned(change=change, pattern=pattern, reason=result.reason, memory=after, before=known)


def unworded(memory: Memory) -> Memory:
    """In the words of the rules for now, because a model could not be asked."""
    note = {**(noted(memory) or {}), UNWORDED: True}
    return replace(memory, metadata={**memory.metadata, KEY: note})


def is_unworded(memory: Memory) -> bool:
    found = noted(memory)
    return found is not None and found.get(UNWORDED) is True


def reworded(memory: Memory, content: str, now: datetime) -> Memory:
    note = {name: value for name, value in (noted(memory) or {}).items() if name != UNWORDED}
    return replace(
        memory,
        content=content,
        subject=subject(content),
        metadata={**memory.metadata, KEY: note},
        updated_at=now,
        version=memory.version + 1,
    )


def _is_derived(memory: Memory) -> bool:
    """Whether nobody but retrospection says so."""
    return memory.source is Source.RETROSPECTION


def _changed(before: Memory, after: Memory, *, gained: bool) -> Change:
    if before.status is not after.status:
        return _BY_STATUS[after.status]
    return Change.STRENGTHENED if gained else Change.WEAKENED


_BY_STATUS: Mapping[Status, Change] = MappingProxyType(
    {
        Status.TENTATIVE: Change.FORMED,
        Status.CONFIRMED: Change.CONFIRMED,
        Status.DISPUTED: Change.DISPUTED,
        Status.DEPRECATED: Change.DEPRECATED,
    }
)


def _pending(found: Induction) -> str:
    if found.is_formed:
        return f"not formed: {found.reason}"
    return found.reason


def _chosen(per_session: int, known: Sequence[Memory], new: Iterable[Memory]) -> list[Memory]:
    """The known ones, and the earliest new ones of each session in which more would count."""
    counted = Counter(each.session_id for each in known if bears(each))
    chosen = [*known]
    have = {each.id for each in known}
    for each in in_order(new):
        is_wanted = counted[each.session_id] < per_session and len(chosen) < MOST_EVIDENCE
        if each.id not in have and is_wanted:
            chosen.append(each)
            counted[each.session_id] += 1
    return chosen


def _trust(evidence: Iterable[Memory]) -> float:
    return min([TRUST[Source.RETROSPECTION].trust, *(each.trust for each in evidence)])


def _note(pattern: Pattern, episodes: Sequence[Memory]) -> dict[str, Json]:
    return {
        "kind": pattern.kind,
        "key": pattern.key,
        "language": "zh" if pattern.is_chinese else "en",
        "identity": dict(pattern.identity),
        "facts": dict(pattern.facts),
        "quotes": quotes(episodes),
    }


def quotes(episodes: Sequence[Memory]) -> dict[str, Json]:
    """Of the first of them, by their ids."""
    return {each.id: _quote(each) for each in episodes[:QUOTES]}


def _requoted(known: Memory, new: Sequence[Memory]) -> dict[str, Json]:
    note = dict(noted(known) or {})
    known_quotes = note.get("quotes")
    kept = dict(known_quotes) if isinstance(known_quotes, dict) else {}
    return {**note, "quotes": {**kept, **quotes(new[: max(0, QUOTES - len(kept))])}}


def _quote(episode: Memory) -> str:
    words = " ".join(episode.content.split())
    is_short = len(words) <= QUOTE_CHARACTERS
    return words if is_short else f"{words[: QUOTE_CHARACTERS - 1]}…"


def outcome_of(episodes: Iterable[Memory]) -> str:
    """How the session of these episodes was last said to have ended; "" when nobody has."""
    ends = [each.event for each in in_order(episodes) if each.event is not None]
    return next((end.outcome for end in reversed(ends) if end.action == ENDED), "")


def _failed_sessions(episodes: Iterable[Memory]) -> frozenset[str]:
    by_session: dict[str, list[Memory]] = {}
    for episode in episodes:
        by_session.setdefault(episode.session_id, []).append(episode)
    return frozenset(name for name, of in by_session.items() if outcome_of(of) == "failure")


def _is_chinese(episodes: Sequence[Memory]) -> bool:
    """By what was said; where only tools spoke, by their errors and arguments."""
    turns = [said.said(each) for each in episodes if said.is_turn(each)]
    words = turns or [each.content for each in episodes]
    chinese = [each for each in words if has_han(each)]
    return 2 * len(chinese) >= len(words) if turns else bool(chinese)
