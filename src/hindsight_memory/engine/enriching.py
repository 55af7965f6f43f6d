"""Statements that a language model takes out of conversations, after these were kept.

A session is asked about once for each state of it. When the model fails, nothing says that it was
done: ``waiting`` still counts the session, and the next run asks again.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import structlog

from hindsight_memory.core import enrichment, hygiene
from hindsight_memory.core.enrichment import Proposed
from hindsight_memory.core.identity import digest
from hindsight_memory.core.model import Draft, Layer, Outcome, Scope
from hindsight_memory.core.policy import Source
from hindsight_memory.core.ports import Model
from hindsight_memory.core.sessions import SessionState
from hindsight_memory.engine.lived import Past
from hindsight_memory.engine.maintain import at_once, users
from hindsight_memory.engine.parts import OPERATOR, Parts
from hindsight_memory.engine.sessions import ENRICHMENT
from hindsight_memory.engine.writing import Writer
from hindsight_memory.errors import Conflict, InvalidInput, Unavailable

log = structlog.get_logger(__name__)


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
    if parts.model is None:
        return Enriched()
    run = _Run(parts, parts.model)
    for user_id in users(parts, tenant):
        scope = Scope(tenant, user_id, None)
        for state in list(ENRICHMENT.waiting(parts, scope)):
            pause()
            run.ask_about(scope, state)
    log.info("enriched", sessions=run.total.sessions, failed=len(run.total.failed))
    return run.total


def waiting(parts: Parts, tenant: str) -> int:
    """How many sessions a model has not been asked about as they are; 0 without a model."""
    if parts.model is None:
        return 0
    scopes = (Scope(tenant, user_id, None) for user_id in users(parts, tenant))
    return sum(1 for scope in scopes for _ in ENRICHMENT.waiting(parts, scope))


class _Run:
    """One run, over any number of sessions."""

    def __init__(self, parts: Parts, model: Model) -> None:
        self.total = Enriched()
        self._parts = parts
        self._model = model
        self._writer = Writer(parts)

    def ask_about(self, scope: Scope, state: SessionState) -> None:
        past = Past(self._parts.store, scope)
        try:
            for said in enrichment.turns(past.episodes(state.session_id)):
                reply = self._model.ask(enrichment.question(said))
                found = enrichment.sifted(reply.value, said)
                self.total.dropped += found.dropped
                for each in found.taken:
                    self._keep(scope.tenant, each)
            self._note_done(scope, state)
            self.total.sessions += 1
        except (Unavailable, Conflict) as error:
            log.warning("enriching_failed", session=state.session_id, error=str(error))
            self.total.failed[state.session_id] = str(error)

    def _keep(self, tenant: str, proposed: Proposed) -> None:
        """By the same path as any write."""
        try:
            written = self._writer.write(tenant, _draft(proposed))
        except InvalidInput as error:
            self.total.dropped[str(error)[:80]] += 1
        else:
            self.total.written[written.outcome] += 1

    def _note_done(self, scope: Scope, state: SessionState) -> None:
        by = Scope(scope.tenant, scope.user_id, OPERATOR)
        changes = self._parts.changes(by, "enriched", "", at=self._parts.clock.now())
        receipt = ENRICHMENT.receipt(scope, state)
        self._parts.store.apply(replace(changes, receipt=receipt))


def _draft(proposed: Proposed) -> Draft:
    """An inference that rests on its turn. Raises InvalidInput for a text that may not be kept."""
    turn = proposed.turn
    content = hygiene.clean_content(proposed.content)
    is_foreign = turn.source is Source.EXTERNAL
    return Draft(
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
