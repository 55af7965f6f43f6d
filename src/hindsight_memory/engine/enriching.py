"""Statements that a language model takes out of conversations, after these were kept.

A session is asked about once for each state of it. When the model fails, nothing says that it was
done: ``waiting`` still counts the session, and the next run asks again.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import structlog

from hindsight_memory.core import enrichment, hygiene
from hindsight_memory.core.changes import Receipt
from hindsight_memory.core.enrichment import Proposed
from hindsight_memory.core.identity import digest
from hindsight_memory.core.model import Draft, Layer, Outcome, Scope
from hindsight_memory.core.policy import Source
from hindsight_memory.core.ports import Model
from hindsight_memory.core.sessions import SessionState
from hindsight_memory.engine.lived import Past
from hindsight_memory.engine.maintain import at_once, users
from hindsight_memory.engine.parts import OPERATOR, Parts
from hindsight_memory.engine.writing import Writer
from hindsight_memory.errors import Conflict, InvalidInput, Unavailable

log = structlog.get_logger(__name__)

PAGE = 500
"""Sessions read at a time."""


@dataclass(slots=True)
class Enriched:
    """What a run came to. failed: why, by session; those wait for the next run."""

    sessions: int = 0
    written: Counter[Outcome] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    failed: dict[str, str] = field(default_factory=dict)


def enrich(parts: Parts, tenant: str, *, pause: Callable[[], None] = at_once) -> Enriched:
    """Ask about all sessions that wait, of every user; nothing without a model.

    pause: called before each; may wait, or raise to stop the run.
    """
    total = Enriched()
    if parts.model is None:
        return total
    for user_id in users(parts, tenant):
        scope = Scope(tenant, user_id, None)
        for state in list(_waiting(parts, scope)):
            pause()
            _session(parts, parts.model, scope, state, total)
    log.info("enriched", sessions=total.sessions, failed=len(total.failed))
    return total


def waiting(parts: Parts, tenant: str) -> int:
    """How many sessions a model has not been asked about as they are; 0 without a model."""
    if parts.model is None:
        return 0
    scopes = (Scope(tenant, user_id, None) for user_id in users(parts, tenant))
    return sum(1 for scope in scopes for _ in _waiting(parts, scope))


def _session(
    parts: Parts, model: Model, scope: Scope, state: SessionState, total: Enriched
) -> None:
    past = Past(parts.store, scope)
    try:
        for said in enrichment.turns(past.episodes(state.session_id)):
            reply = model.ask(enrichment.question(said))
            found = enrichment.sifted(reply.value, said)
            total.dropped += found.dropped
            for each in found.taken:
                _keep(parts, scope.tenant, each, total)
        _note_done(parts, scope, state)
        total.sessions += 1
    except (Unavailable, Conflict) as error:
        log.warning("enriching_failed", session=state.session_id, error=str(error))
        total.failed[state.session_id] = str(error)


def _keep(parts: Parts, tenant: str, proposed: Proposed, total: Enriched) -> None:
    """By the same path as any write: as an inference, resting on the turn."""
    turn = proposed.turn
    is_foreign = turn.source is Source.EXTERNAL
    try:
        content = hygiene.clean_content(proposed.content)
    except InvalidInput:
        total.dropped["not a text that may be kept"] += 1
        return
    draft = Draft(
        content=content.text,
        notes=content.notes,
        user_id=turn.user_id,
        agent_id=turn.agent_id,
        project=turn.project,
        session_id=turn.session_id,
        visibility=turn.visibility,
        layer=Layer.SEMANTIC,
        memory_type=proposed.memory_type,
        source=Source.EXTERNAL if is_foreign else Source.AGENT_INFERENCE,
        evidence=(turn.id,),
        metadata={"quote": proposed.quote, "by": "model"},
        valid_from=turn.valid_from,
        idempotency_key=f"extract-{digest(turn.id, content.text)}",
    )
    try:
        total.written[Writer(parts).write(tenant, draft).outcome] += 1
    except InvalidInput as error:
        total.dropped[str(error)[:80]] += 1


def _waiting(parts: Parts, scope: Scope) -> Iterator[SessionState]:
    after = ""
    while page := parts.store.sessions(scope, after=after, limit=PAGE):
        after = page[-1].session_id
        for state in page:
            key = _receipt(scope, state).key
            if parts.store.receipt(scope.tenant, str(scope.user_id), key) is None:
                yield state


def _note_done(parts: Parts, scope: Scope, state: SessionState) -> None:
    by = Scope(scope.tenant, scope.user_id, OPERATOR)
    changes = parts.changes(by, "enriched", "", at=parts.clock.now())
    parts.store.apply(replace(changes, receipt=_receipt(scope, state)))


def _receipt(scope: Scope, state: SessionState) -> Receipt:
    return Receipt(
        key=digest("enrichment", state.session_id, state.mark),
        user_id=str(scope.user_id),
        request_digest=digest(state.mark),
        outcome=Outcome.SKIPPED,
        reason="enriched",
        memory_id="",
    )
