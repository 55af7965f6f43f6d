"""Looking back over sessions, so that what was lived through becomes lessons.

A session can be looked back at any number of times: what it shows is counted once.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

import structlog

from hindsight_memory.core.model import Draft, Event, Layer, Memory, Scope
from hindsight_memory.core.policy import Source
from hindsight_memory.core.retrospection import lessons
from hindsight_memory.core.retrospection.model import ENDED
from hindsight_memory.core.retrospection.wording import Wording, worded
from hindsight_memory.engine.handover import hand_over
from hindsight_memory.engine.lived import Past
from hindsight_memory.engine.lookback import Lookback, Looked
from hindsight_memory.engine.maintain import at_once, users
from hindsight_memory.engine.parts import Parts
from hindsight_memory.engine.phrasing import Phraser
from hindsight_memory.engine.sessions import RETROSPECTION
from hindsight_memory.engine.writing import Writer

__all__ = ["Ended", "Looked", "Retrospector", "retrospect"]

log = structlog.get_logger(__name__)

Ended: TypeAlias = Literal["success", "failure", "unknown"]


class Retrospector:
    """Looks back over the episodes of a user. Safe to share between threads.

    word: puts a pattern into a sentence; by default the model of ``parts``, where it has one.
    """

    def __init__(self, parts: Parts, *, word: Wording | None = None) -> None:
        self._parts = parts
        self._word = word or worded
        self._model = parts.model if word is None else None

    def session(
        self,
        scope: Scope,
        session_id: str,
        *,
        project: str | None = None,
        outcome: Ended = "unknown",
        dry_run: bool = False,
    ) -> Looked:
        """What the episodes of one session show; ``scope.user_id`` must be given.

        project: only of this project, or of none. outcome: how the session ended, which is kept.
        Raises Conflict when others kept changing the same memories.
        """
        if not dry_run:
            hand_over(self._parts, scope, session_id, project or "")
        if outcome != "unknown" and not dry_run:
            self._keep_outcome(scope, session_id, project or "", outcome)
        run = self._run(scope, dry_run=dry_run)
        run.look_at(session_id, project)
        self._parts.behind.wake()
        return run.looked

    def changed(
        self, scope: Scope, *, dry_run: bool = False, pause: Callable[[], None] = at_once
    ) -> Looked:
        """What the sessions of a user show that changed since they were looked back at, and what
        their conclusions have in common. It can be stopped at any time, and goes on from there.

        pause: called before each step; may wait, or raise to stop the run.
        """
        run = self._run(scope, dry_run=dry_run)
        for state in sorted(
            RETROSPECTION.waiting(self._parts, scope), key=lambda each: each.touched_at
        ):
            pause()
            run.look_at_again(state)
        pause()
        run.relate()
        run.reword()
        self._parts.behind.wake()
        return run.looked

    def _run(self, scope: Scope, *, dry_run: bool) -> Lookback:
        past = Past(self._parts.store, scope)
        return Lookback(self._parts, past, Phraser(self._model, self._word), dry_run=dry_run)

    def _keep_outcome(self, scope: Scope, session_id: str, project: str, outcome: Ended) -> None:
        """As an episode, unless it was the last word already."""
        episodes = Past(self._parts.store, scope).episodes(session_id, project or None)
        if lessons.outcome_of(episodes) == outcome:
            return
        draft = Draft(
            content=_ENDINGS[_speaks_chinese(episodes)][outcome],
            user_id=str(scope.user_id),
            agent_id=scope.agent_id or "",
            project=project,
            session_id=session_id,
            layer=Layer.EPISODIC,
            scene="session_end",
            source=Source.AGENT_INFERENCE,
            event=Event(role="agent", action=ENDED, outcome=outcome),
            valid_from=self._parts.clock.now(),
        )
        Writer(self._parts).write(scope.tenant, draft)


def retrospect(
    parts: Parts,
    tenant: str,
    *,
    dry_run: bool = False,
    pause: Callable[[], None] = at_once,
) -> Looked:
    """Look back over what changed of every user of a tenant; returns what it came to."""
    total = Looked()
    retrospector = Retrospector(parts)
    for user_id in users(parts, tenant):
        found = retrospector.changed(Scope(tenant, user_id, None), dry_run=dry_run, pause=pause)
        total.sessions += found.sessions
        total.episodes += found.episodes
        total.lessons += found.lessons
        total.proposals += found.proposals
        total.overtaken += found.overtaken
        total.unworded += found.unworded
    log.info(
        "retrospected",
        dry_run=dry_run,
        sessions=total.sessions,
        episodes=total.episodes,
        unworded=len(total.unworded),
    )
    return total


def _speaks_chinese(episodes: Sequence[Memory]) -> bool:
    return any(session.is_chinese for session in lessons.sessions(episodes))


_ENDINGS: Mapping[bool, Mapping[Ended, str]] = {
    False: {"success": "The session ended well.", "failure": "The session ended in failure."},
    True: {"success": "本次会话成功结束。", "failure": "本次会话以失败告终。"},
}
