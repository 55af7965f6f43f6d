"""Writing: authorize -> admit -> embed -> neighbours -> plan -> apply."""

import threading
from contextlib import suppress
from dataclasses import replace

from hindsight_memory.core import admission, echo, planning, rejections, schedule
from hindsight_memory.core.changes import Passages, Receipt, Rejection
from hindsight_memory.core.identity import request_digest
from hindsight_memory.core.model import Draft, Memory, Outcome, Related, Scope, Written
from hindsight_memory.core.policy import Status
from hindsight_memory.engine.cascade import apply
from hindsight_memory.engine.neighbours import KIN, neighbours
from hindsight_memory.engine.parts import Parts
from hindsight_memory.errors import Conflict, InvalidInput, NotFound

TRIES = 20
"""How often a write plans again after others came first; three are too few for twenty at once."""


class Writer:
    """Keeps drafts. Safe to share between threads."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._losers = threading.Lock()

    def write(self, tenant: str, draft: Draft, *, heard_in: str = "") -> Written:
        """Keep ``draft``, merge it, or let it replace an older memory; the answer says which.

        heard_in: the session of the writer, where it is not that of the draft: what was shown there
        and comes back is no news.
        Raises InvalidInput and NotFound for a ``supersedes`` that cannot be, Conflict when an
        idempotency key is used for something else or concurrent writers kept winning.
        """
        scope = Scope(tenant, draft.user_id, draft.agent_id)
        if earlier := self._earlier(scope, draft):
            return earlier
        if admission.is_greeting(draft.content) and draft.event is None:
            return Written(
                outcome=Outcome.SKIPPED, memory=None, reason="a bare greeting says nothing to keep"
            )
        if echoed := self._echoed(scope, draft, heard_in or draft.session_id):
            return echoed
        try:
            return self._plan_and_apply(scope, draft)
        except Conflict:
            with self._losers:
                return self._write_again(scope, draft)

    def _echoed(self, scope: Scope, draft: Draft, session_id: str) -> Written | None:
        """What stands already, where an agent only repeats what memory has shown it."""
        if not session_id or not echo.may_be(draft):
            return None
        store = self._parts.store
        shown = store.injected(scope.tenant, draft.user_id, session_id)
        ids = echo.repeated(draft.content, shown) if shown else ()
        found = store.get(scope, ids)
        heard = store.get(scope, draft.evidence) if found else []
        if not found or not all(echo.is_of(draft, each) for each in found) or echo.is_news(heard):
            return None
        return Written(outcome=Outcome.MERGED, memory=found[0], reason=echo.told(ids))

    def _write_again(self, scope: Scope, draft: Draft) -> Written:
        """After another write came first. One loser at a time, or they would beat each other."""
        for _ in range(TRIES):
            # A retry of the same request may be what came first.
            if earlier := self._earlier(scope, draft):
                return earlier
            with suppress(Conflict):
                return self._plan_and_apply(scope, draft)
        raise Conflict("other writers kept changing the same memories; retry later")

    def _plan_and_apply(self, scope: Scope, draft: Draft) -> Written:
        now, seen = self._parts.clock.now(), self._parts.store.mark(scope.tenant, draft.user_id)
        new = planning.memory_of(
            draft, tenant=scope.tenant, new_id=self._parts.ids.new(now), now=now
        )
        past = self._parts.store.past_kin(scope, new, limit=KIN)
        keys = rejections.keys(new, past)
        rejected = self._parts.store.rejections(scope.tenant, new.user_id, keys)
        for each in rejected:
            if not rejections.may_return(each, new):
                return _refused(each)
        passages = self._parts.meaning.of_content(new.id, new.content)
        near = neighbours(self._parts, scope, new, passages)
        replaced = self._replaced(scope, draft, new)
        others = [Related(memory=each) for each in (*past, *([replaced] if replaced else []))]
        new = schedule.recorded(new, [*near, *others])
        now = new.created_at
        plan = schedule.plan_write(new, near, replaced=replaced, now=now, past=past)
        is_new = plan.memory.id == new.id
        reason = "; ".join([plan.reason, *_notes(draft, is_new=is_new)])
        changes = self._parts.changes(
            scope,
            plan.outcome.value,
            plan.record or plan.reason,
            at=now,
            puts=plan.puts,
            renewed=(plan.memory,) if is_new else (),
            passages=(passages,) if is_new and passages is not None else (),
        )
        receipt = _receipt(draft, plan.outcome, reason, plan.memory.id)
        changes = replace(
            changes,
            receipt=receipt,
            seen=seen,
            rejections=tuple(
                rejections.rejection(old, trust=new.trust, at=now) for old in plan.refuted
            ),
            readmitted=tuple(rejected),
        )
        apply(self._parts, changes)
        self._embed_rest(passages)
        return Written(
            outcome=plan.outcome, memory=plan.memory, reason=reason, related=plan.related
        )

    def _replaced(self, scope: Scope, draft: Draft, new: Memory) -> Memory | None:
        if draft.supersedes is None:
            return None
        found = self._parts.store.get(scope, [draft.supersedes])
        if not found or found[0].is_forgotten:
            raise NotFound(f"no memory {draft.supersedes!r} to supersede")
        old = found[0]
        if old.is_superseded:
            raise InvalidInput(f"{old.id!r} was superseded by {old.superseded_by!r}; name that one")
        if old.status is Status.QUARANTINED:
            raise InvalidInput(f"{old.id!r} is quarantined; a person decides about it first")
        if not planning.same_place(old, new):
            message = f"{old.id!r} is of another project, or others can read it"
            raise InvalidInput(f"{message}; write what replaces it with its project and visibility")
        return old

    def _earlier(self, scope: Scope, draft: Draft) -> Written | None:
        """What an earlier write with the same idempotency key was answered."""
        if draft.idempotency_key is None:
            return None
        receipt = self._parts.store.receipt(scope.tenant, draft.user_id, draft.idempotency_key)
        if receipt is None:
            return None
        if receipt.request_digest != request_digest(draft):
            message = f"idempotency key {draft.idempotency_key!r} was used for another write"
            raise Conflict(f"{message}; use a new key")
        found = self._parts.store.get(scope, [receipt.memory_id])
        return Written(
            outcome=receipt.outcome, memory=found[0] if found else None, reason=receipt.reason
        )

    def _embed_rest(self, passages: Passages | None) -> None:
        """Wake the job that embeds what one call does not wait for."""
        if passages is None or passages.total > len(passages.vectors):
            self._parts.behind.wake()


def _refused(rejected: Rejection) -> Written:
    return Written(outcome=Outcome.REFUSED, memory=None, reason=rejections.told(rejected))


def _receipt(draft: Draft, outcome: Outcome, reason: str, memory_id: str) -> Receipt | None:
    if draft.idempotency_key is None:
        return None
    return Receipt(
        key=draft.idempotency_key,
        user_id=draft.user_id,
        request_digest=request_digest(draft),
        outcome=outcome,
        reason=reason,
        memory_id=memory_id,
    )


def _notes(draft: Draft, *, is_new: bool) -> list[str]:
    low_value = admission.low_value_note(draft.content) if is_new else None
    return [*draft.notes, *([low_value] if low_value else [])]
