"""What a write does to what is there: merge, supersede, dispute or stay beside it. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from hindsight_memory.core import belief, shared_tags, values
from hindsight_memory.core.admission import classify
from hindsight_memory.core.belief import Decision
from hindsight_memory.core.hygiene import TAGS
from hindsight_memory.core.model import (
    Draft,
    Layer,
    Memory,
    Outcome,
    Related,
    Tier,
    Visibility,
)
from hindsight_memory.core.policy import TRUST, Source, Status, lifetime

CORROBORATION = 0.1
"""Share of the remaining doubt that an independent repetition takes away."""

MOST_CONFIDENT = 0.99
"""Repetition alone never makes a statement certain."""

SHOWN_RELATED = 3
RELATED_SIMILARITY = 0.6
"""Calibrated similarity from which a neighbour is worth showing to the writer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a write will do: the memory as it will be, and all memories to put.

    record: the reason in full, for the history. refuted: those of the memories that were found
    never to have been true.
    """

    outcome: Outcome
    reason: str
    memory: Memory
    puts: tuple[Memory, ...]
    related: tuple[Related, ...] = ()
    refuted: tuple[Memory, ...] = ()
    record: str = ""


def memory_of(draft: Draft, *, tenant: str, new_id: str, now: datetime) -> Memory:
    """The draft as a memory of its own, with the defaults of its source and type."""
    standing = TRUST[draft.source]
    is_episode = draft.layer is Layer.EPISODIC or (draft.layer is None and draft.event is not None)
    memory_type = draft.memory_type or classify(draft.content, is_event=is_episode)
    wanted_for = lifetime(memory_type, draft.scene)
    return Memory(
        id=new_id,
        tenant=tenant,
        user_id=draft.user_id,
        agent_id=draft.agent_id,
        project=draft.project,
        session_id=draft.session_id,
        visibility=draft.visibility,
        content=draft.content,
        layer=Layer.EPISODIC if is_episode else Layer.SEMANTIC,
        memory_type=memory_type,
        scene=draft.scene,
        tags=draft.tags,
        metadata=draft.metadata,
        related_ids=draft.related_ids,
        evidence=draft.evidence,
        event=draft.event,
        subject=values.subject(draft.content),
        status=standing.status,
        source=draft.source,
        trust=standing.trust,
        confidence=standing.confidence if draft.confidence is None else draft.confidence,
        importance=0.5 if draft.importance is None else draft.importance,
        valid_from=draft.valid_from,
        valid_to=draft.valid_to,
        created_at=now,
        updated_at=now,
        expires_at=None if wanted_for is None else now + wanted_for,
    )


def plan_write(
    memory: Memory,
    near: Sequence[Related],
    *,
    replaced: Memory | None,
) -> Plan:
    """Merge the new ``memory``, let it supersede older ones, or keep it beside them.

    near: current memories of its user that resemble it or share its subject, nearest first.
    replaced: the memory that the caller says it replaces.
    """
    neighbours = [each for each in near if same_place(each.memory, memory)]
    if replaced is not None:
        return _named(memory, replaced, neighbours)
    for each in neighbours:
        if _is_duplicate(each.memory, memory):
            return _merge(each.memory, memory)
    return _decided(memory, decisions(memory, neighbours), neighbours)


def decisions(memory: Memory, near: Sequence[Related]) -> list[Decision]:
    """About each of ``near`` that ``memory``, written now, has something to say about: by the
    tables; and what shares its tags, where these know no slot.
    """
    decided = belief.decisions(memory, near)
    known = {each.old.id for each in decided}
    left = (each.memory for each in near if each.memory.id not in known)
    filed = (shared_tags.decision(old, memory) for old in left)
    return [*decided, *(each for each in filed if each is not None)]


def _decided(memory: Memory, decided: Sequence[Decision], near: Sequence[Related]) -> Plan:
    """The first that applies: older ones give way, it is history, it is doubted, it is new."""
    if losers := [each for each in decided if each.retires]:
        return _superseding(memory, losers, near)
    if winner := belief.earliest_later(decided):
        past = belief.back_filled(memory, winner.old)
        plan = _plan(Outcome.STORED, f"history: {winner.reason}", past, (past,), near)
        return replace(plan, record=winner.record)
    if doubts := [each for each in decided if each.is_doubtful]:
        return _disputed(memory, doubts, near)
    reason = "new: nothing remembered says the same, or the same of another value"
    return _plan(Outcome.STORED, reason, memory, (memory,), near)


def _superseding(memory: Memory, losers: Sequence[Decision], near: Sequence[Related]) -> Plan:
    new = replace(memory, supersedes=losers[0].old.id)
    gone = tuple(belief.retired(each.old, new, is_refuted=each.is_refuted) for each in losers)
    named = ", ".join(repr(each.old.id) for each in losers)
    plan = _plan(
        Outcome.SUPERSEDED,
        f"it replaces {named}: {losers[0].reason}",
        new,
        (*gone, new),
        near,
        first=[each.old for each in losers],
    )
    return replace(
        plan,
        refuted=tuple(each.old for each in losers if each.is_refuted),
        record="; ".join(each.record for each in losers),
    )


def _disputed(memory: Memory, doubts: Sequence[Decision], near: Sequence[Related]) -> Plan:
    """Both sides are kept and name each other, until somebody decides."""
    others = tuple(each.old.id for each in doubts)
    new = replace(memory, counter_examples=others)
    if any(each.disputes_both for each in doubts):
        new = replace(new, status=Status.DISPUTED)
    puts = tuple(belief.doubted(each.old, new) for each in doubts)
    plan = _plan(
        Outcome.DISPUTED,
        f"it contradicts {', '.join(map(repr, others))}: {doubts[0].reason}",
        new,
        (*puts, new),
        near,
        first=[each.old for each in doubts],
    )
    return replace(plan, record="; ".join(each.record for each in doubts))


def _plan(
    outcome: Outcome,
    reason: str,
    memory: Memory,
    puts: tuple[Memory, ...],
    near: Iterable[Related],
    *,
    first: Sequence[Memory] = (),
) -> Plan:
    """first: what to show before the other neighbours."""
    shown = tuple(Related(memory=each) for each in first)
    known = {each.id for each in first}
    others = _worth_showing([each for each in near if each.memory.id not in known])
    return Plan(outcome=outcome, reason=reason, memory=memory, puts=puts, related=(*shown, *others))


def _named(memory: Memory, old: Memory, near: Sequence[Related]) -> Plan:
    """The caller says what it replaces; only what others wrote may not replace a better source."""
    if memory.source is Source.EXTERNAL and old.trust > memory.trust:
        disputed = replace(
            memory, status=Status.DISPUTED, related_ids=(*memory.related_ids, old.id)
        )
        reason = f"{old.id!r} comes from a better source; both are kept until somebody decides"
        return _plan(Outcome.DISPUTED, reason, disputed, (disputed,), near, first=[old])
    reason = f"it replaces {old.id!r}: it was named in `supersedes`"
    if twin := _twin(memory, old, near):
        merged = _merge(twin, memory).memory
        gone = belief.retired(old, replace(memory, id=twin.id))
        return _plan(Outcome.SUPERSEDED, reason, merged, (gone, merged), near, first=[old])
    new = replace(memory, supersedes=old.id)
    puts = (belief.retired(old, new), new)
    plan = _plan(Outcome.SUPERSEDED, reason, new, puts, near, first=[old])
    others = [each for each in near if each.memory.id != old.id]
    return _with_losers(plan, [each for each in decisions(new, others) if each.retires])


def _with_losers(plan: Plan, losers: Sequence[Decision]) -> Plan:
    """Who names one memory may not know of others that say the same as that one."""
    if not losers:
        return plan
    new = plan.memory
    named = ", ".join(repr(each.old.id) for each in losers)
    gone = (belief.retired(each.old, new, is_refuted=each.is_refuted) for each in losers)
    return replace(
        plan,
        puts=(*gone, *plan.puts),
        reason=f"{plan.reason}; and {named}: {losers[0].reason}",
        refuted=tuple(each.old for each in losers if each.is_refuted),
        record="; ".join([plan.reason, *(each.record for each in losers)]),
    )


def _twin(memory: Memory, old: Memory, near: Iterable[Related]) -> Memory | None:
    """Another current memory that already says what is to replace ``old``."""
    others = (each.memory for each in near if each.memory.id != old.id)
    return next((each for each in others if _is_duplicate(each, memory)), None)


def _is_duplicate(old: Memory, new: Memory) -> bool:
    """Equal statements. Vectors do not count: in Chinese 40 % of changed values come out as near as
    the same text, and "I moved to Berlin!" farther from "I moved to Berlin." than many of them.
    """
    if old.layer is not new.layer:
        return False
    if new.layer is Layer.EPISODIC and not _same_episode(old, new):
        return False
    return values.same_statement(old.content, new.content)


def _same_episode(one: Memory, other: Memory) -> bool:
    return (one.session_id, one.valid_from) == (other.session_id, other.valid_from)


def _merge(old: Memory, new: Memory) -> Plan:
    """The older one stays, and comes back where it was cold or archived; it gains the better
    source, the tags, the longer life, and confidence if another session or agent says so
    independently. Of a session that nobody knows, nobody knows whether it is another one.
    """
    sessions = {old.session_id, new.session_id}
    is_independent = old.agent_id != new.agent_id or (len(sessions) > 1 and "" not in sessions)
    confidence = max(old.confidence, new.confidence)
    if is_independent:
        confidence = max(confidence, min(MOST_CONFIDENT, _corroborated(confidence)))
    best = max(old, new, key=lambda memory: memory.trust)
    merged = replace(
        old,
        source=best.source,
        trust=best.trust,
        status=_higher(old.status, new.status),
        confidence=confidence,
        importance=max(old.importance, new.importance),
        tags=_joined(old.tags, new.tags),
        last_accessed_at=new.created_at,
        updated_at=new.created_at,
        tier=Tier.ACTIVE,
        expires_at=_later(old.expires_at, new.expires_at),
        version=old.version + 1,
    )
    return Plan(
        outcome=Outcome.MERGED,
        reason=f"the same statement is already remembered as {old.id!r}; it was refreshed",
        memory=merged,
        puts=(merged,),
    )


def _joined(kept: frozenset[str], more: frozenset[str]) -> frozenset[str]:
    """All of ``kept``, and of ``more`` as many as a memory may have."""
    return kept | frozenset(sorted(more - kept)[: max(0, TAGS - len(kept))])


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    """The later end; None, which is no end, is later than any."""
    return None if one is None or other is None else max(one, other)


def _corroborated(confidence: float) -> float:
    return confidence + CORROBORATION * (1 - confidence)


def _higher(old: Status, new: Status) -> Status:
    """A repetition may confirm what was tentative, and settles nothing else."""
    return new if old is Status.TENTATIVE and new is Status.CONFIRMED else old


def same_place(near: Memory, memory: Memory) -> bool:
    """Whether one may merge with or replace the other: same user, project and readers."""
    return (
        near.user_id == memory.user_id
        and near.project == memory.project
        and near.visibility is memory.visibility
        and (memory.visibility is not Visibility.PRIVATE or near.agent_id == memory.agent_id)
    )


def _worth_showing(near: Iterable[Related]) -> tuple[Related, ...]:
    close = [each for each in near if (each.similarity or 0.0) >= RELATED_SIMILARITY]
    return tuple(close[:SHOWN_RELATED])
