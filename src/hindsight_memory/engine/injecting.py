"""Memory at the two moments that matter: before a task, and before a tool call."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from hindsight_memory.core import advice, attempts, echo, relevant
from hindsight_memory.core.advice import Advice
from hindsight_memory.core.arguments import bounded
from hindsight_memory.core.calls import call_of, worded
from hindsight_memory.core.changes import Injection
from hindsight_memory.core.context import Item, block, may_be_injected
from hindsight_memory.core.hints import ADVISING
from hindsight_memory.core.model import Layer, Memory, Scope, Tier
from hindsight_memory.core.moments import Asked, Moment
from hindsight_memory.core.policy import MemoryType, Status
from hindsight_memory.core.retrieval import Answer, Filter, Hit, Query
from hindsight_memory.core.standing import is_standing
from hindsight_memory.engine.meaning import passage_of
from hindsight_memory.engine.parts import Parts
from hindsight_memory.engine.searching import Searcher
from hindsight_memory.engine.working import WorkingMemory

LOOKED_AT = 12
"""Hits among which those are that may be shown, and are near enough."""

STANDING = 200
"""The newest preferences, or memories of a project, among which those are that always hold."""

CALLS = 200
"""The newest calls of a tool, from which advice is drawn: more than any of its rules counts."""

TASK_CHARACTERS, CALL_CHARACTERS = 1_000, 300
"""What is looked for of a task, and of a call: embedding a page would take as long as the page."""

OF_A_PROJECT = frozenset(
    {MemoryType.PREFERENCE, MemoryType.DECISION, MemoryType.LESSON, MemoryType.TASK}
)
"""What is worth knowing before anybody has said what the task is."""

REMEMBERED = frozenset({Tier.ACTIVE, Tier.COLD})


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """text: "" when nothing is worth saying. recall_id: for feedback, as of a search."""

    text: str
    shown: Sequence[Memory] = field(default=())
    recall_id: str
    notes: Sequence[str] = field(default=())


class Injector:
    """Safe to share between threads."""

    def __init__(self, parts: Parts, searcher: Searcher) -> None:
        self._parts = parts
        self._searcher = searcher
        self._working = WorkingMemory(parts)

    def context(self, moment: Moment, task: str, *, top_k: int) -> Context:
        """What is worth knowing for ``task``: what always holds, the lessons and rules that are
        about it, and what else is near, at most ``top_k`` of each; for no task, what the project is
        about.
        """
        now = self._parts.clock.now()
        where = Filter(project=moment.project, tentative_of=moment.scope.agent_id)
        items, notes = self._items(moment, task.strip()[:TASK_CHARACTERS], where, top_k)
        found = block(
            _once(items), now=now, token_budget=moment.token_budget, zone=self._parts.zone
        )
        if found.left_out:
            notes = [*notes, f"{found.left_out} more did not fit into the token budget"]
        recall_id = self._note(moment, found.shown, now)
        return Context(text=found.text, shown=found.shown, recall_id=recall_id, notes=notes)

    def advise(self, moment: Moment, asked: Asked) -> Advice:
        """What is known of such a call. Raises nothing for a tool that nobody has used."""
        now = self._parts.clock.now()
        calls = self._calls(moment, asked.tool)
        lessons = self._lessons(moment, asked)
        document = self._working.get(moment.scope, moment.session_id).document
        given = advice.advise(
            asked,
            [call for each in calls if (call := call_of(each)) is not None],
            lessons,
            attempts.repeated(asked, document.failed_attempts, document.tool_call_history),
            now=now,
            token_budget=moment.token_budget,
            zone=self._parts.zone,
        )
        quoted = {each.id: each for each in (*calls, *lessons)}
        if given.memory_ids:
            self._note(moment, [quoted[each] for each in given.memory_ids], now)
        return given

    def _items(
        self, moment: Moment, task: str, where: Filter, top_k: int
    ) -> tuple[list[Item], Sequence[str]]:
        """The most needed first."""
        scope = moment.scope
        standing = self._standing(scope, where, top_k)
        if not task:
            return [*standing, *self._of_the_project(scope, where, top_k)], []
        rules = self._near(scope, task, replace(where, memory_types=ADVISING))
        known = self._near(scope, task, replace(where, layers=frozenset({Layer.SEMANTIC})))
        lived = self._near(scope, task, replace(where, layers=frozenset({Layer.EPISODIC})))
        near = [*_items_of(rules)[:top_k], *[*_items_of(known), *_items_of(lived)][:top_k]]
        return [each for each in (*standing, *near) if _is_news(each.memory, moment)], known.notes

    def _near(self, scope: Scope, text: str, where: Filter) -> Answer:
        query = Query(text=text, where=where, top_k=LOOKED_AT)
        answer = self._searcher.glance(scope, query)
        now = self._parts.clock.now()
        near = (hit for hit in relevant.near(answer) if may_be_injected(hit.memory, now))
        # How calls ended is told before the next one, by ``advise``.
        hits = [hit for hit in near if call_of(hit.memory) is None]
        return replace(answer, hits=tuple(hits))

    def _standing(self, scope: Scope, where: Filter, top_k: int) -> list[Item]:
        """What the user wants always, the most important first."""
        preferences = frozenset({MemoryType.PREFERENCE, MemoryType.FEEDBACK})
        found = self._page(scope, replace(where, memory_types=preferences))
        return [Item(memory=each) for each in found if is_standing(each)][:top_k]

    def _of_the_project(self, scope: Scope, where: Filter, top_k: int) -> list[Item]:
        found = self._page(scope, replace(where, memory_types=OF_A_PROJECT))
        own = [each for each in found if each.project == where.project]
        return [Item(memory=each) for each in own][:top_k]

    def _page(self, scope: Scope, where: Filter) -> list[Memory]:
        confirmed = replace(where, statuses=frozenset({Status.CONFIRMED}))
        page = self._parts.store.page(scope, confirmed, before=None, limit=STANDING)
        return sorted(page, key=relevant.weight, reverse=True)

    def _calls(self, moment: Moment, tool: str) -> list[Memory]:
        """Those that may be spoken of; cold ones, too: what failed in spring fails in autumn."""
        now = self._parts.clock.now()
        episodes = Filter(
            project=moment.project, layers=frozenset({Layer.EPISODIC}), tiers=REMEMBERED
        )
        found = self._parts.store.calls(moment.scope, tool, where=episodes, limit=CALLS)
        return [each for each in found if may_be_injected(each, now)]

    def _lessons(self, moment: Moment, asked: Asked) -> list[Memory]:
        where = Filter(
            project=moment.project,
            memory_types=ADVISING | {MemoryType.FACT},
            tentative_of=moment.scope.agent_id,
        )
        text = f"{asked.tool} {worded(bounded(asked.arguments))}"[:CALL_CHARACTERS]
        query = Query(text=text, where=where, top_k=LOOKED_AT)
        answer = self._searcher.glance(moment.scope, query)
        now = self._parts.clock.now()
        return [hit.memory for hit in answer.hits if may_be_injected(hit.memory, now)]

    def _note(self, moment: Moment, shown: Sequence[Memory], now: datetime) -> str:
        """Gives the id for feedback. That it was shown is stored before it is told, however soon it
        then comes back; that it was recalled may be stored later.
        """
        scope = moment.scope
        if injections := self._unnoted(moment, shown, now):
            changes = self._parts.changes(scope, "inject", "", at=now)
            self._parts.store.apply(replace(changes, injections=injections))
        return self._searcher.log(scope, tuple(memory.id for memory in shown), now)

    def _unnoted(
        self, moment: Moment, shown: Sequence[Memory], now: datetime
    ) -> tuple[Injection, ...]:
        """Of what is shown, what this session has not been shown as it is."""
        if not moment.session_id:
            return ()
        user_id, session_id = moment.scope.user_id or "", moment.session_id
        known = self._parts.store.injected(moment.scope.tenant, user_id, session_id)
        noted = {(each.memory_id, each.digest) for each in known}
        found = echo.injections(shown, user_id=user_id, session_id=session_id, at=now)
        return tuple(each for each in found if (each.memory_id, each.digest) not in noted)


def _items_of(answer: Answer) -> list[Item]:
    return [Item(memory=hit.memory, excerpt=_excerpt(hit)) for hit in answer.hits]


def _is_news(memory: Memory, moment: Moment) -> bool:
    """Not what was said in the session itself, which its model has in view."""
    return not moment.session_id or memory.session_id != moment.session_id


def _excerpt(hit: Hit) -> str:
    return passage_of(hit.memory.content, hit.passage) or ""


def _once(items: Iterable[Item]) -> list[Item]:
    """Each statement once, where it comes first."""
    found: dict[str, Item] = {}
    for item in items:
        found.setdefault(echo.statement(item.memory.content), item)
    return list(found.values())
