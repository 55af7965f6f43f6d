"""Sessions that are looked over once for each state of them, whatever is done with them.

That it was done is a receipt: with the changes that it made, in one transaction. A new kind of work
is a ``Round`` of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from hindsight_memory.core.changes import Receipt
from hindsight_memory.core.identity import digest
from hindsight_memory.core.model import Outcome, Scope
from hindsight_memory.core.paging import items
from hindsight_memory.core.sessions import SessionState
from hindsight_memory.engine.parts import Parts

PAGE = 500
"""Sessions read at a time."""


@dataclass(frozen=True, slots=True)
class Round:
    """work: names the kind, for good: it is part of the keys of receipts. done: for people."""

    work: str
    done: str

    def receipt(self, scope: Scope, state: SessionState) -> Receipt:
        """That it was done to a session as it is: a change of it makes another one."""
        return Receipt(
            key=digest(self.work, state.session_id, state.mark),
            user_id=str(scope.user_id),
            request_digest=digest(state.mark),
            outcome=Outcome.SKIPPED,
            reason=self.done,
            memory_id="",
        )

    def waiting(self, parts: Parts, scope: Scope) -> Iterator[SessionState]:
        """The sessions of a user to which it was not done as they are, in order of their ids."""
        store = parts.store
        found = items(
            lambda after: store.sessions(scope, after=after, limit=PAGE),
            "",
            place=lambda state: state.session_id,
        )
        for state in found:
            key = self.receipt(scope, state).key
            if store.receipt(scope.tenant, str(scope.user_id), key) is None:
                yield state


RETROSPECTION = Round("retrospection", "looked back at")
ENRICHMENT = Round("enrichment", "enriched")
