"""What the agent's side asks of memory: each function converts, calls the engine, converts back.

Its docstring is what models and developers read about the operation.
"""

from typing import TYPE_CHECKING

from hindsight_memory.core import hygiene, phrasing
from hindsight_memory.core.model import Caller
from hindsight_memory.core.ports import Metering
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces import requests
from hindsight_memory.interfaces.agent_schemas import (
    AdviseIn,
    AdviseOut,
    ContextIn,
    ContextOut,
    LessonOut,
    ProposalOut,
    RetrospectIn,
    RetrospectOut,
    WorkingMemoryIn,
    WorkingMemoryOut,
    WorkingMemoryTurnIn,
)

if TYPE_CHECKING:  # the engine takes 0.1 s to import, and listing tools needs none of it
    from hindsight_memory.engine.memories import Memories
    from hindsight_memory.engine.retrospecting import Looked


def memory_context(memories: "Memories", caller: Caller, given: ContextIn) -> ContextOut:
    """What is worth knowing for a task, as one block: call it when a task begins, before anything
    else. The user's rules and preferences, lessons and decisions about it, and what else is near.
    """
    moment = requests.moment(caller, given)
    context = memories.context(moment, given.task, top_k=given.top_k)
    return ContextOut(
        context=context.text,
        memory_ids=[memory.id for memory in context.shown],
        recall_id=context.recall_id,
        notes=list(context.notes),
    )


def memory_advise(memories: "Memories", caller: Caller, given: AdviseIn) -> AdviseOut:
    """What is known of a tool call: call it before you make one that may fail or cost much. `avoid`
    and `prefer` name in `worked_with` what to call it with instead, where that is known.
    """
    advice = memories.advise(requests.moment(caller, given), requests.asked(given))
    worked_with = None if advice.worked_with is None else dict(advice.worked_with)
    return AdviseOut(
        advice=advice.text,
        verdict=advice.verdict,
        failures=advice.failures,
        successes=advice.successes,
        last_error=advice.last_error,
        worked_with=worked_with,
        memory_ids=list(advice.memory_ids),
    )


def working_memory(
    memories: "Memories", caller: Caller, given: WorkingMemoryIn
) -> WorkingMemoryOut:
    """Your notepad of a session: goal, facts, things to do, what failed, calls. Read it to take a
    task up again; patch it after a new fact, a failure, a finished step.
    """
    from hindsight_memory.core.patches import patches_from

    session_id = _session(caller, given.session_id)
    patches = patches_from([] if given.patch is None else given.patch)
    scope = requests.scope(caller, given.user_id, given.agent_id)
    return WorkingMemoryOut.of(memories.working(scope, session_id, patches))


def working_memory_turn(
    memories: "Memories", caller: Caller, given: WorkingMemoryTurnIn
) -> WorkingMemoryOut:
    """Let working memory follow a session: a new fact or failure, or what ends one, changes it, and
    nothing else. A language model, where there is one, reads such turns later.
    """
    from hindsight_memory.core.turns import entries_from

    session_id = _session(caller, given.session_id)
    entries = entries_from(given.entries)
    scope = requests.scope(caller, given.user_id, given.agent_id)
    return WorkingMemoryOut.of(memories.turn(scope, session_id, entries))


def memory_retrospect(memories: "Memories", caller: Caller, given: RetrospectIn) -> RetrospectOut:
    """Look back over a session and keep what it taught: call it when a task has ended, well or not.
    Failures with what worked instead become lessons, repeated corrections preferences, decisions
    keep their reasons. Each says how far its episodes bear it out; calling twice counts once.
    """
    session_id = caller.session_id if given.session_id is None else given.session_id
    if session_id:
        hygiene.check_identifier(session_id, "session_id")
    elif given.project is not None or given.outcome != "unknown":
        raise InvalidInput("`outcome` and `project` are about one session: give its `session_id`")
    looked = memories.retrospect(
        requests.scope(caller, given.user_id, given.agent_id),
        session_id,
        project=given.project or None,
        outcome=given.outcome,
        dry_run=given.dry_run,
    )
    notes = [*_notes(looked), *_spent(memories, phrasing.OPERATION)]
    return _retrospect_out(looked, notes, dry_run=given.dry_run)


def _session(caller: Caller, given: str | None) -> str:
    session_id = given or caller.session_id
    if not session_id:
        raise InvalidInput("name a `session_id`: the connection has no session of its own")
    return hygiene.check_identifier(session_id, "session_id")


def _retrospect_out(looked: "Looked", notes: list[str], *, dry_run: bool) -> RetrospectOut:
    from hindsight_memory.core.retrospection.wording import worded

    return RetrospectOut(
        lessons=[LessonOut.of(each, worded(each.pattern)) for each in looked.lessons],
        proposals=[ProposalOut.of(each) for each in looked.proposals],
        notes=[*notes, *(["a dry run: nothing was changed"] if dry_run else [])],
    )


def _notes(looked: "Looked") -> list[str]:
    told = [f"sessions looked at: {looked.sessions}, episodes: {looked.episodes}"]
    if looked.overtaken:
        told.append(f"{looked.overtaken} sessions changed meanwhile and are left for the next time")
    if looked.unworded:
        told.append(
            f"lessons in the words of the rules until the model answers: {len(looked.unworded)}; "
            f"{looked.unworded[0]}"
        )
    return told


def _spent(memories: "Memories", operation: str) -> list[str]:
    """What the model was given today for this, and what is left of a budget."""
    model = memories.parts.model
    spent = model.spending().get(operation) if isinstance(model, Metering) else None
    if spent is None or not spent.today:
        return []
    left = "" if spent.left is None else f", {spent.left} left"
    return [f"tokens of the model today: {spent.today}{left}"]
