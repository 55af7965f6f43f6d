"""What an agent has in hand in a session, kept from call to call and over a restart, for a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from hindsight_memory.core.model import Scope
from hindsight_memory.core.working import (
    Document,
    Patch,
    Patched,
    Session,
    patched,
    without,
)
from hindsight_memory.engine.parts import Parts
from hindsight_memory.errors import Conflict

TRIES = 20
"""How often a change is made again after others came first."""

PAGE = 100
"""Sessions read at a time where all of a user's are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Updated:
    """A session after a change; notes: what was not as a patch supposed, and what was folded."""

    session: Session
    notes: tuple[str, ...] = ()


class WorkingMemory:
    """The sessions of users. Safe to share between threads."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def get(self, scope: Scope, session_id: str) -> Session:
        """Empty, of version 0, where nobody has put anything into it, or its time is over."""
        now = self._parts.clock.now()
        owner = (scope.tenant, scope.user_id or "")
        found = self._parts.working.get(*owner, session_id, now=now)
        return found or Session(
            tenant=scope.tenant,
            user_id=scope.user_id or "",
            session_id=session_id,
            updated_at=now,
            expires_at=now + self._parts.session_lifetime,
        )

    def patch(self, scope: Scope, session_id: str, patches: Sequence[Patch]) -> Updated:
        """The session after ``patches``, all of them. Its time begins anew when it changes. Patches
        that lose a race are made again on what the other left.

        Raises Conflict when others keep coming first.
        """
        return self.change(scope, session_id, lambda document: patched(document, patches))

    def change(
        self, scope: Scope, session_id: str, change: Callable[[Document], Patched]
    ) -> Updated:
        """The session after ``change``, which is called anew with what others left. Raises
        Conflict, as ``patch`` does.
        """
        for _ in range(TRIES):
            session = self.get(scope, session_id)
            made = change(session.document)
            if made.document == session.document:
                return _updated(session, made)
            try:
                return _updated(self._put(session, made.document), made)
            except Conflict:
                continue
        raise Conflict(f"others kept changing session {session_id!r}; retry later")

    def purge(self, scope: Scope, contents: Sequence[str]) -> None:
        """Take what repeats any of ``contents`` out of all sessions of a user."""

        def change(document: Document) -> Patched:
            return Patched(document=without(document, contents))

        for session in self._all(scope):
            self.change(scope, session.session_id, change)

    def _put(self, session: Session, document: Document) -> Session:
        now = self._parts.clock.now()
        changed = replace(
            session,
            document=document,
            version=session.version + 1,
            updated_at=now,
            expires_at=now + self._parts.session_lifetime,
        )
        self._parts.working.put(changed)
        return changed

    def _all(self, scope: Scope) -> Iterator[Session]:
        after, now = "", self._parts.clock.now()
        owner = (scope.tenant, scope.user_id or "")
        while page := self._parts.working.of_user(*owner, now=now, after=after, limit=PAGE):
            yield from page
            after = page[-1].session_id


def _updated(session: Session, made: Patched) -> Updated:
    """With what a language model could not do, for as long as it could not."""
    document, notes = session.document, made.notes
    if document.problem:
        waiting = f"turns that the language model has not read: {len(document.unread)}"
        again = f"it is asked again with the next that brings news; {document.problem}"
        notes = (*notes, f"{waiting}; {again}")
    return Updated(session=session, notes=notes)
