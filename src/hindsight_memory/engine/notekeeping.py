"""Working memory that follows a session by itself: turn by turn, where a turn brings news.

The rules note at once what they find. A language model, where there is one, reads such turns behind
the call; when it fails, they wait in the session, which says so, and are read with the next.
"""

from collections.abc import Sequence
from functools import partial

import structlog

from hindsight_memory.core import notekeeping, turns
from hindsight_memory.core.model import Scope
from hindsight_memory.core.ports import Model
from hindsight_memory.core.turns import Entry
from hindsight_memory.core.working import (
    Document,
    Patch,
    Patched,
    brings_news,
    patched,
    read,
    shows,
    unread,
    with_problem,
)
from hindsight_memory.engine.parts import Parts
from hindsight_memory.engine.working import Updated, WorkingMemory
from hindsight_memory.errors import InvalidInput, Unavailable

log = structlog.get_logger(__name__)

TRIES = 3
"""How often a model is asked anew, because a session changed while it was asked."""

NOTHING_NEW = "nothing new: no fact and no failure that is not noted yet"
OVERTAKEN = "the session kept changing while the language model was asked"


class Notekeeper:
    """Safe to share between threads."""

    def __init__(self, parts: Parts, working: WorkingMemory) -> None:
        self._parts = parts
        self._working = working

    def turn(self, scope: Scope, session_id: str, entries: Sequence[Entry]) -> Updated:
        """The session after ``entries``, where they bring a new fact or failure; else it is as it
        was, and a note says so. Raises Conflict, as a patch does.
        """
        patches = turns.patches_of(entries)
        told = turns.turns_of(entries) if self._parts.model is not None else []

        def change(document: Document) -> Patched:
            if not brings_news(document, patches):
                return Patched(document=document, notes=(NOTHING_NEW,))
            made = patched(document, patches)
            waiting = unread(made.document, told)
            return Patched(document=waiting.document, notes=(*made.notes, *waiting.notes))

        updated = self._working.change(scope, session_id, change)
        if self._parts.model is not None and NOTHING_NEW not in updated.notes:
            self._parts.asking.submit(partial(self._read, self._parts.model, scope, session_id))
        return updated

    def _read(self, model: Model, scope: Scope, session_id: str) -> None:
        """Let ``model`` read what is unread, unless another has done so."""
        problem = OVERTAKEN
        for _ in range(TRIES):
            shown = self._working.get(scope, session_id).document
            if not shown.unread:
                return
            try:
                patches = _asked(model, shown)
            except (Unavailable, InvalidInput) as error:
                problem = str(error)
                break
            if self._take(scope, session_id, shown, patches):
                return
        log.warning("turns_unread", session_id=session_id, reason=problem)
        self._working.change(scope, session_id, partial(with_problem, problem=problem))

    def _take(
        self, scope: Scope, session_id: str, shown: Document, patches: Sequence[Patch]
    ) -> bool:
        """Whether all that the model was shown still is there: what was purged meanwhile must not
        come back in its words.
        """

        def change(document: Document) -> Patched:
            if not shows(document, shown):
                return Patched(document=document)
            made = patched(document, patches)
            return Patched(document=read(made.document, shown.unread))

        after = self._working.change(scope, session_id, change).session.document
        return not {*shown.unread} & {*after.unread}


def _asked(model: Model, shown: Document) -> list[Patch]:
    """Raises Unavailable where there is no answer, and InvalidInput where it is not borne out."""
    reply = model.ask(notekeeping.question(shown))
    try:
        return notekeeping.proposed(reply.value, shown)
    except InvalidInput as error:
        raise InvalidInput(f"its answer was not taken: {error}") from error
