"""The operations of the engine, in one object that doors, scripts and tests hold."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from hindsight_memory.core.advice import Advice
from hindsight_memory.core.changes import Revision
from hindsight_memory.core.life import Options
from hindsight_memory.core.model import Draft, Edit, Memory, Scope, Tier, Written
from hindsight_memory.core.moments import Asked, Moment
from hindsight_memory.core.retrieval import Answer, Denotation, Filter, Hit, Query
from hindsight_memory.core.turns import Entry
from hindsight_memory.core.working import Patch
from hindsight_memory.engine.changing import Editor
from hindsight_memory.engine.deep import DeepChecks
from hindsight_memory.engine.injecting import Context, Injector
from hindsight_memory.engine.maintain import Report, maintain
from hindsight_memory.engine.maintenance import embed_some
from hindsight_memory.engine.meaning import passage_of
from hindsight_memory.engine.notekeeping import Notekeeper
from hindsight_memory.engine.parts import Parts
from hindsight_memory.engine.past import as_then
from hindsight_memory.engine.promised import Promises
from hindsight_memory.engine.retrospecting import Ended, Looked, Retrospector
from hindsight_memory.engine.searching import Searcher
from hindsight_memory.engine.verifying import Action, Verified, Verifier
from hindsight_memory.engine.working import Updated, WorkingMemory
from hindsight_memory.engine.writing import Writer
from hindsight_memory.errors import NotFound

NOW = Filter()


class Memories:
    """Write, search, change and read memories. Safe to share between threads."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self._writer = Writer(parts)
        self._searcher = Searcher(parts)
        self._editor = Editor(parts)
        self._verifier = Verifier(parts, self._editor)
        self._working = WorkingMemory(parts)
        self._notekeeper = Notekeeper(parts, self._working)
        self._deep = DeepChecks(parts, self._verifier)
        self._injector = Injector(parts, self._searcher)
        self._retrospector = Retrospector(parts)
        self.promises = Promises(parts)

    def now(self) -> datetime:
        return self.parts.clock.now()

    def write(self, tenant: str, draft: Draft, *, heard_in: str = "") -> Written:
        """See Writer.write."""
        return self._writer.write(tenant, draft, heard_in=heard_in)

    def search(self, scope: Scope, query: Query) -> Answer:
        """See Searcher.search. What it returns is looked at more deeply behind it."""
        answer = self._searcher.search(scope, query)
        is_worth_it = not (answer.abstained or query.where.is_of_the_past)
        if self.parts.deep_checks and is_worth_it:
            self._deep.queue(hit.memory for hit in answer.hits)
        return answer

    def context(self, moment: Moment, task: str, *, top_k: int) -> Context:
        """See Injector.context. What it shows is looked at more deeply behind it."""
        context = self._injector.context(moment, task, top_k=top_k)
        if self.parts.deep_checks:
            self._deep.queue(context.shown)
        return context

    def advise(self, moment: Moment, asked: Asked) -> Advice:
        """See Injector.advise."""
        return self._injector.advise(moment, asked)

    def update(self, scope: Scope, edit: Edit) -> Memory:
        """See Editor.update."""
        return self._editor.update(scope, edit)

    def forget(self, scope: Scope, memory_id: str, *, reason: str = "") -> None:
        """See Editor.forget."""
        self._editor.forget(scope, memory_id, reason)

    def purge(self, scope: Scope, memory_id: str, *, reason: str = "") -> None:
        """See Editor.purge."""
        self._editor.purge(scope, memory_id, reason)

    def denoted(self, scope: Scope, phrase: str) -> Denotation:
        """See Editor.denoted."""
        return self._editor.denoted(scope, phrase)

    def feedback(
        self, scope: Scope, recall_id: str, used_ids: tuple[str, ...], *, helped: bool | None
    ) -> tuple[str, ...]:
        """See Editor.feedback."""
        return self._editor.feedback(scope, recall_id, used_ids, helped=helped)

    def verify(self, scope: Scope, memory_id: str) -> Verified:
        """See Verifier.check."""
        return self._verifier.check(scope, memory_id)

    def settle_belief(
        self, scope: Scope, memory_id: str, action: Action, *, reason: str = "", is_person: bool
    ) -> Verified:
        """See Verifier.settle."""
        return self._verifier.settle(scope, memory_id, action, reason=reason, is_person=is_person)

    def retrospect(
        self,
        scope: Scope,
        session_id: str,
        *,
        project: str | None = None,
        outcome: Ended = "unknown",
        dry_run: bool = False,
    ) -> Looked:
        """See Retrospector.session; without a ``session_id`` see Retrospector.changed."""
        if not session_id:
            return self._retrospector.changed(scope, dry_run=dry_run)
        return self._retrospector.session(
            scope, session_id, project=project, outcome=outcome, dry_run=dry_run
        )

    def working(self, scope: Scope, session_id: str, patches: Sequence[Patch] = ()) -> Updated:
        """See WorkingMemory.patch."""
        return self._working.patch(scope, session_id, patches)

    def turn(self, scope: Scope, session_id: str, entries: Sequence[Entry]) -> Updated:
        """See WorkingMemory.turn. A language model, where there is one, reads it behind it."""
        return self._notekeeper.turn(scope, session_id, entries)

    def maintain(
        self,
        tenant: str,
        *,
        user_id: str | None = None,
        dry_run: bool,
        episode_cap: int | None = None,
        purges_feedback: bool = False,
    ) -> Report:
        """See engine.maintain. episode_cap: None takes that of the settings."""
        cap = self.parts.episode_cap if episode_cap is None else episode_cap
        options = Options(cap=cap, purges_feedback=purges_feedback)
        return maintain(self.parts, tenant, user_id=user_id, dry_run=dry_run, options=options)

    def glance(self, scope: Scope, query: Query) -> Answer:
        """See Searcher.glance."""
        return self._searcher.glance(scope, query)

    def get(self, scope: Scope, memory_id: str, where: Filter = NOW) -> Memory:
        """As it is, or as it was at the times that ``where`` gives.

        Raises NotFound; also for a forgotten memory, and for one not known or true then, saying so.
        """
        memory = self.parts.find(scope, memory_id)
        if memory.is_forgotten:
            raise NotFound(f"memory {memory_id!r} is forgotten; restore it to see it")
        if not where.is_of_the_past:
            return memory
        anywhere = replace(where, tiers=frozenset(Tier))
        if then := as_then(self.parts.store, scope, [memory], anywhere):
            return then[0]
        raise NotFound(f"memory {memory_id!r} was not known, or not true, at that time")

    def history(self, scope: Scope, memory_id: str) -> tuple[Memory, list[Revision]]:
        """The memory as it is, forgotten or not, and its changes, oldest first. Raises NotFound."""
        memory = self.parts.find(scope, memory_id)
        return memory, self.parts.store.history(scope, memory_id)

    def page(self, scope: Scope, where: Filter, *, before: str | None, limit: int) -> list[Memory]:
        """Newest first, as they are or as they were at the times that ``where`` gives."""
        page = self.parts.store.page(scope, where, before=before, limit=limit)
        return as_then(self.parts.store, scope, page, where)

    def passage(self, hit: Hit) -> str | None:
        """The best passage of a hit that has several; None for a short one."""
        return passage_of(hit.memory.content, hit.passage)

    def work_behind(self) -> bool:
        """A step of what nobody waits for: deep checks, vectors. Whether there may be more."""
        has_checked = self._deep.step()
        has_fed = self.parts.store.catch_up()
        return embed_some(self.parts) or has_checked or has_fed

    def settle(self) -> None:
        """Wait until what earlier calls left to do behind them is done."""
        self.parts.asking.flush()
        self.parts.behind.flush()
