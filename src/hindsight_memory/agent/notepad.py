"""What the working memory of a session is told, and when: as soon as there is news.

News is a failure, what ends a run of them, and what somebody states; what was called and said
before comes with it. All else is nothing that working memory would change for.
"""

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from hindsight_memory.agent.batch import Called, Entry, Said
from hindsight_memory.agent.client import Client
from hindsight_memory.core import turns
from hindsight_memory.core.arguments import bounded
from hindsight_memory.core.calls import cut
from hindsight_memory.core.working import GOAL_CHARACTERS
from hindsight_memory.errors import InvalidInput, NotFound

Told: TypeAlias = dict[str, Any]
"""An entry as ``working_memory_turn`` takes it."""

MOST = 40
"""Entries that are told at once; the oldest of more are let go, as working memory would."""

SAID_CHARACTERS = 3_000
"""Of each entry, both ends: all of them fit into one request, however their letters are escaped."""


class Untold:
    """Takes entries in their order, and gives those that are due. One for each session.

    goal: what the session is to achieve, until that is told, too; "" when it is, or nobody knows.
    """

    def __init__(self, goal: str = "") -> None:
        self.goal = goal_of(goal)
        self._waiting: deque[Told] = deque(maxlen=MOST)
        self._has_news = False
        self._failed = set[str]()

    def add(self, entry: Entry) -> None:
        told = _told(entry)
        self._has_news = self._is_news(entry, told) or self._has_news
        self._waiting.append(told)

    def due(self) -> list[Told]:
        """All that was not told, where there is news; nothing yet where there is none."""
        return [*self._waiting] if self._has_news else []

    def done(self) -> None:
        """All that was due is told."""
        self._waiting.clear()
        self._has_news = False

    def _is_news(self, entry: Entry, told: Told) -> bool:
        if not isinstance(entry, Called):
            return bool(turns.patches_of(turns.entries_from([told])))
        had_failed = entry.tool in self._failed
        if entry.outcome == "failure":
            self._failed.add(entry.tool)
            return True
        if entry.outcome == "success":
            self._failed.discard(entry.tool)
        return entry.outcome == "success" and had_failed


def tell(client: Client, session_id: str, entries: Sequence[Entry], so_far: int | None) -> int:
    """Tell what is news in ``entries``, of which the first ``so_far`` were told before, and where
    nothing was (None) the goal: what the user said first. Returns how many are told now; what is
    refused counts, because it would be again. Raises HindsightError.
    """
    untold = Untold("" if so_far is not None else _said_first(entries))
    for number, entry in enumerate(entries):
        if number == so_far:
            untold.done()
        untold.add(entry)
    due = untold.due() if (so_far or 0) < len(entries) else []
    with suppress(InvalidInput, NotFound):  # a server may be older than working memory
        if untold.goal:
            patch = [{"op": "set_goal", "goal": untold.goal}]
            client.call("working_memory", {"session_id": session_id, "patch": patch})
        if due:
            client.call("working_memory_turn", {"session_id": session_id, "entries": due})
    return len(entries) if due else so_far or 0


def _said_first(entries: Sequence[Entry]) -> str:
    said = (each.content for each in entries if isinstance(each, Said) and each.role == "user")
    return next(said, "")


def goal_of(task: str) -> str:
    """On one line, in the characters that a goal may have."""
    shown = "".join(each if each.isprintable() else " " for each in task)
    return cut(" ".join(shown.split()), GOAL_CHARACTERS)


def _told(entry: Entry) -> Told:
    if isinstance(entry, Called):
        return {
            "tool": entry.tool,
            "arguments": bounded(entry.arguments),
            "outcome": entry.outcome,
            "error": cut(entry.error, SAID_CHARACTERS),
        }
    return {"role": entry.role, "content": cut(entry.content, SAID_CHARACTERS)}
