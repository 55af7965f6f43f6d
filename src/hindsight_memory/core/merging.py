"""Memories that say the same in other words, as one. Pure.

A write merges what it finds; this merges what an import or two writers at once have left. The
result is the same whatever the order, and merging it again changes nothing: each field is a
maximum, a union or a sum.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from hindsight_memory.core.hygiene import TAGS
from hindsight_memory.core.model import Layer, Memory, Tier, Visibility
from hindsight_memory.core.policy import Status
from hindsight_memory.core.values import canonical

BELIEVED = frozenset({Status.TENTATIVE, Status.CONFIRMED})
"""What is disputed, deprecated or quarantined waits for a decision as it is."""


def statement_of(memory: Memory) -> tuple[object, ...]:
    """Equal for those that state the same of the same time in the same place.

    With its instant, for an episode: what happens again is another one.
    """
    is_episode = memory.layer is Layer.EPISODIC
    private = memory.agent_id if memory.visibility is Visibility.PRIVATE else ""
    place = (memory.tenant, memory.user_id, memory.project, memory.visibility, private)
    kind = (memory.layer, memory.memory_type, memory.session_id if is_episode else "")
    began = memory.happened_at if is_episode else memory.valid_from
    times = (began, memory.valid_to, memory.expires_at)
    return (*place, *kind, *times, canonical(memory.content))


def twins(memories: Iterable[Memory]) -> list[tuple[Memory, ...]]:
    """Those that state the same of the same time in the same place, the one that stays first.

    One that was merged before, and brought back by somebody, is left alone.
    """
    alike: defaultdict[tuple[object, ...], list[Memory]] = defaultdict(list)
    for memory in sorted(memories, key=_age):
        if _is_there(memory):
            alike[statement_of(memory)].append(memory)
    found = []
    for first, *others in alike.values():
        absorbed = [each for each in others if first.id not in each.related_ids]
        if absorbed:
            found.append((first, *absorbed))
    return found


def merged(group: Sequence[Memory]) -> Memory:
    """The oldest of ``group``, with the best of each; its metadata stays its own."""
    first, *_ = group = sorted(group, key=_age)
    best = max(group, key=lambda each: (each.trust, each.source.value))
    return replace(
        first,
        tags=frozenset(sorted({tag for each in group for tag in each.tags})[:TAGS]),
        related_ids=_links(group, "related_ids"),
        evidence=_links(group, "evidence"),
        counter_examples=_links(group, "counter_examples"),
        status=max((each.status for each in group), key=_BELIEF.__getitem__),
        source=best.source,
        trust=best.trust,
        confidence=max(each.confidence for each in group),
        importance=max(each.importance for each in group),
        updated_at=max(each.updated_at for each in group),
        last_accessed_at=_latest(each.last_accessed_at for each in group),
        access_count=sum(each.access_count for each in group),
        used_count=sum(each.used_count for each in group),
        heat=max(each.heat for each in group),
        tier=min((each.tier for each in group), key=list(Tier).index),
        version=first.version + 1,
    )


def absorbed(memory: Memory, by: Memory) -> Memory:
    """``memory`` archived, and linked to the one that says the same in its stead."""
    return replace(
        memory,
        tier=Tier.ARCHIVED,
        related_ids=(*memory.related_ids, by.id),
        version=memory.version + 1,
    )


def _is_there(memory: Memory) -> bool:
    is_current = not memory.is_forgotten and not memory.is_superseded
    return is_current and memory.status in BELIEVED and memory.tier is not Tier.ARCHIVED


_BELIEF: Mapping[Status, int] = {Status.TENTATIVE: 0, Status.CONFIRMED: 1}


def _age(memory: Memory) -> tuple[datetime, str]:
    return memory.created_at, memory.id


def _links(group: Iterable[Memory], name: str) -> tuple[str, ...]:
    """None of them names one of the group."""
    ids = {each.id for each in group}
    return tuple(sorted({link for each in group for link in getattr(each, name)} - ids))


def _latest(instants: Iterable[datetime | None]) -> datetime | None:
    return max((each for each in instants if each is not None), default=None)
