"""What every part of the engine works with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo

from hindsight_memory.core.changes import Changes, Note, Passages
from hindsight_memory.core.intent import INTENTS, Intent
from hindsight_memory.core.model import Memory, Scope
from hindsight_memory.core.ports import (
    Clock,
    Forgetful,
    Ids,
    Model,
    Prober,
    Store,
)
from hindsight_memory.core.scoring import PROFILES, Profile
from hindsight_memory.core.services import Companion
from hindsight_memory.core.side_ports import Sessions
from hindsight_memory.core.text import terms
from hindsight_memory.core.working import LIFETIME
from hindsight_memory.engine.behind import Behind
from hindsight_memory.engine.meaning import Meaning
from hindsight_memory.errors import NotFound

OPERATOR = "operator"
"""Who acts when no agent does."""

PATIENCE_SECONDS = 5.0
"""How long closing waits for an answer of the model: within the ten seconds that `serve` has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The outside world and the choices of the settings, shared by all operations.

    model: a language model, which only ever proposes; None where none is set.
    prober: looks at what memories hang on; None where nobody does.
    troubles: why the embedder or the model did not answer when it was last called, by name.
    works: whether this process does the jobs that it takes on; else a worker elsewhere does.
    sessions: where working memory is, if not only where the store keeps it.
    companions: services beside the store, by name.
    session_lifetime: how long working memory is kept after its last change.
    asking: for questions to the model that nobody waits for, and that are asked again where they
    are let go; ``behind`` is waited for, and an answer may take minutes.
    """

    store: Store
    meaning: Meaning
    clock: Clock
    ids: Ids
    behind: Behind
    model: Model | None = None
    prober: Prober | None = None
    profile: str = "balanced"
    profiles: Mapping[str, Profile] = field(default_factory=lambda: PROFILES)
    intents: tuple[Intent, ...] = INTENTS
    zone: tzinfo = UTC
    deep_checks: bool = True
    episode_cap: int | None = None
    session_lifetime: timedelta = LIFETIME
    asking: Behind = field(default_factory=lambda: Behind(patience_seconds=PATIENCE_SECONDS))
    works: bool = True
    sessions: Sessions | None = None
    companions: Mapping[str, Companion] = field(default_factory=dict)
    troubles: Callable[[], Mapping[str, str]] = dict

    @property
    def working(self) -> Sessions:
        """Where working memory is."""
        return self.sessions or self.store.working

    def find(self, scope: Scope, memory_id: str) -> Memory:
        """Whatever its state. Raises NotFound, alike for a missing and for a foreign id."""
        found = self.store.get(scope, [memory_id])
        if not found:
            raise NotFound(f"no memory {memory_id!r}")
        return found[0]

    def forget(self, content: str) -> None:
        """Remove what caches keep of a purged content."""
        self.meaning.forget(content)
        if isinstance(self.model, Forgetful):
            self.model.forget([content])

    def changes(
        self,
        scope: Scope,
        operation: str,
        reason: str,
        *,
        at: datetime,
        puts: tuple[Memory, ...] = (),
        renewed: tuple[Memory, ...] = (),
        passages: tuple[Passages, ...] = (),
    ) -> Changes:
        """renewed: those of ``puts`` whose content is new, and has to be indexed."""
        actor = scope.agent_id or OPERATOR
        return Changes(
            tenant=scope.tenant,
            at=at,
            note=Note(actor=actor, operation=operation, reason=reason),
            puts=puts,
            terms={memory.id: terms(memory.content) for memory in renewed},
            passages=passages,
        )
