"""At a session's end, what only working memory knows of its calls becomes episodes to look back at.

An agent that notes its calls there, and writes no episode of them, would otherwise learn nothing.
"""

from collections import Counter
from collections.abc import Iterator

from hindsight_memory.core import attempts
from hindsight_memory.core.calls import SCENE, call_of, described, event_of
from hindsight_memory.core.identity import digest
from hindsight_memory.core.model import Draft, Layer, Memory, Scope
from hindsight_memory.core.moments import Asked
from hindsight_memory.core.policy import Source
from hindsight_memory.core.turns import Called
from hindsight_memory.core.working import Document
from hindsight_memory.engine.lived import Past
from hindsight_memory.engine.parts import Parts
from hindsight_memory.engine.working import WorkingMemory
from hindsight_memory.engine.writing import Writer

BY = "working_memory"
"""Marks such episodes: where others tell of calls, somebody records them already."""


def hand_over(parts: Parts, scope: Scope, session_id: str, project: str) -> None:
    """Write the calls of each tool that failed in a session, once, unless episodes tell of any."""
    found = list(_calls(WorkingMemory(parts).get(scope, session_id).document))
    if not found or any(map(_is_recorded, Past(parts.store, scope).episodes(session_id))):
        return
    writer, now, told = Writer(parts), parts.clock.now(), Counter[str]()
    for called in found:
        content = described(called)
        told[content] += 1
        draft = Draft(
            content=content,
            user_id=str(scope.user_id),
            agent_id=scope.agent_id or "",
            project=project,
            session_id=session_id,
            layer=Layer.EPISODIC,
            scene=SCENE,
            source=Source.TOOL_RESULT,
            event=event_of(called),
            metadata={"by": BY},
            valid_from=now,
            idempotency_key=digest(BY, session_id, content, str(told[content])),
        )
        writer.write(scope.tenant, draft)


def _calls(document: Document) -> Iterator[Called]:
    """In their order, with what was noted of their failures."""
    history = document.tool_call_history
    failed = {each.tool for each in history if each.status == "failure"}
    for each in history:
        if each.tool not in failed or each.status == "unknown":
            continue
        asked = Asked(tool=each.tool, arguments=each.arguments)
        noted = attempts.repeated(asked, document.failed_attempts, ())
        error = next((one.error or one.reason for one in noted[::-1]), "")
        yield Called(
            tool=each.tool,
            arguments=each.arguments,
            outcome=each.status,
            error=error if each.status == "failure" else "",
        )


def _is_recorded(episode: Memory) -> bool:
    return call_of(episode) is not None and episode.metadata.get("by") != BY
