"""What can be done with memories: each function converts, calls the engine and converts back.

Its docstring is what models and developers read about the operation.
"""

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from hindsight_memory.core.model import Caller, Memory
from hindsight_memory.core.retrieval import Answer, Filter, Hit, Match
from hindsight_memory.errors import InvalidInput, shortened
from hindsight_memory.interfaces import promises, requests
from hindsight_memory.interfaces.schemas import (
    CandidateOut,
    FeedbackIn,
    FeedbackOut,
    ForgetIn,
    ForgetOut,
    GetIn,
    HistoryIn,
    HistoryOut,
    HitOut,
    ListIn,
    ListOut,
    MemoryOut,
    RelatedOut,
    RevisionOut,
    SearchIn,
    SearchOut,
    SourceOut,
    UpdateIn,
    WriteIn,
    WriteOut,
)
from hindsight_memory.interfaces.verification import VerifyIn, VerifyOut

if TYPE_CHECKING:  # the engine takes 0.1 s to import, and listing tools needs none of it
    from hindsight_memory.engine.memories import Memories


def memory_write(memories: "Memories", caller: Caller, given: WriteIn) -> WriteOut:
    """Keep something for later sessions. Call it when the user states or corrects a preference,
    fact, constraint or decision, and after you confirmed a fact, solved a problem or failed in a
    way worth knowing. One statement per call. A changed value is a new statement: name the old
    memory in `supersedes` if you know it. The answer says what happened and why.
    """
    heard_in = given.session_id or caller.session_id
    draft = requests.draft(caller, given)
    if given.mode == "queued":
        job = memories.promises.write(caller.tenant, draft, heard_in=heard_in)
        return promises.write_out(memories, caller, job)
    written = memories.write(caller.tenant, draft, heard_in=heard_in)
    return WriteOut(
        outcome=written.outcome,
        memory=None if written.memory is None else MemoryOut.of(written.memory),
        reason=written.reason,
        related=[
            RelatedOut(
                id=near.memory.id, content=near.memory.content, similarity=_rounded(near.similarity)
            )
            for near in written.related
        ],
    )


def memory_search(memories: "Memories", caller: Caller, given: SearchIn) -> SearchOut:
    """Find what was remembered. Call it before a task, and whenever you are unsure what the user
    prefers, what was decided or what was tried; ask in the user's words and language. Each hit
    says how far to trust it; `abstained` means that nothing found really answers.
    """
    query = requests.query(caller, given, now=memories.now())
    answer = memories.search(requests.scope(caller, given.user_id, given.agent_id), query)
    return _search_out(memories, answer, explain=given.explain)


def memory_update(memories: "Memories", caller: Caller, given: UpdateIn) -> MemoryOut:
    """Correct one memory in place, or restore it. Call it to fix wording, type, tags or importance.
    When the world changed, write a new memory instead, so that history is kept.
    """
    scope = requests.by_id(caller, given.agent_id)
    return MemoryOut.of(memories.update(scope, requests.edit(caller, given)))


def memory_forget(memories: "Memories", caller: Caller, given: ForgetIn) -> ForgetOut:
    """Forget one memory by its exact id; call it when the user asks you to. With `query` instead,
    nothing is forgotten: you get the memories that the phrase denotes, to forget by id.
    Forgotten memories can be restored, unless `hard_delete` is set.
    """
    if (given.memory_id is None) == (given.query is None):
        raise InvalidInput("give `memory_id` (to forget) or `query` (to see what it denotes)")
    if given.query is not None:
        return _preview(memories, caller, given.query, given)
    memory_id = str(given.memory_id)
    scope = requests.by_id(caller, given.agent_id, given.user_id)
    if given.hard_delete:
        memories.purge(scope, memory_id, reason=requests.reason(given.reason))
        return ForgetOut(outcome="purged", memory_id=memory_id)
    memories.forget(scope, memory_id, reason=requests.reason(given.reason))
    return ForgetOut(outcome="forgotten", memory_id=memory_id)


def memory_verify(memories: "Memories", caller: Caller, given: VerifyIn) -> VerifyOut:
    """Check whether one memory can still be believed: call it before you rely on a doubtful hit.
    With `action`, settle it: `confirm` and `reject` (never true) as the user tells you, `dispute`
    when you have doubts, `restore` to undo. With `query`, only shows which memories are meant.
    """
    if (given.memory_id is None) == (given.query is None):
        raise InvalidInput("give `memory_id`, or `query` to see which memories it means")
    if given.query is not None:
        if given.action is not None:
            raise InvalidInput("an `action` is about one `memory_id`; `query` only finds it")
        return _meant(memories, caller, given.query, given.agent_id)
    scope = requests.by_id(caller, given.agent_id)
    memory_id = str(given.memory_id)
    if given.action is None:
        return VerifyOut.of(memories.verify(scope, memory_id))
    reason = requests.reason(given.reason)
    verified = memories.settle_belief(
        scope, memory_id, given.action, reason=reason, is_person=caller.is_person
    )
    return VerifyOut.of(verified)


def memory_feedback(memories: "Memories", caller: Caller, given: FeedbackIn) -> FeedbackOut:
    """Report which memories you relied on after a search, also ones you knew without searching.
    Used memories stay alive; the others fade.
    """
    scope = requests.by_id(caller, given.agent_id)
    named = requests.used_ids(given.used_ids)
    used = memories.feedback(scope, given.recall_id, named, helped=given.helped)
    return FeedbackOut(used_ids=list(used))


def memory_get(memories: "Memories", caller: Caller, given: GetIn) -> MemoryOut:
    """One memory by its id: as it is, or as it was known or true at another time."""
    scope = requests.by_id(caller, given.agent_id)
    where = Filter(as_of=given.as_of, known_at=given.known_at)
    return MemoryOut.of(memories.get(scope, given.memory_id, where))


def memory_list(memories: "Memories", caller: Caller, given: ListIn) -> ListOut:
    """Memories page by page, newest first."""
    scope = requests.scope(caller, given.user_id, given.agent_id)
    where = requests.listing(caller, given)
    page = memories.page(scope, where, before=given.before, limit=given.limit)
    is_full = len(page) == given.limit
    return ListOut(
        memories=[MemoryOut.of(memory) for memory in page], next=page[-1].id if is_full else None
    )


def memory_history(memories: "Memories", caller: Caller, given: HistoryIn) -> HistoryOut:
    """Every version of one memory: who changed what, when and why."""
    memory, revisions = memories.history(requests.by_id(caller, given.agent_id), given.memory_id)
    return HistoryOut(
        memory=MemoryOut.of(memory),
        revisions=[RevisionOut.model_validate(each, from_attributes=True) for each in revisions],
    )


def _preview(memories: "Memories", caller: Caller, phrase: str, given: ForgetIn) -> ForgetOut:
    scope = requests.scope(caller, given.user_id, given.agent_id)
    denoted = memories.denoted(scope, requests.query_text(phrase))
    candidates = [
        CandidateOut(id=each.memory.id, content=each.memory.content, match=each.match)
        for each in denoted.found
    ]
    if candidates:
        note = "nothing was forgotten: call again with the `memory_id` of each one to forget"
    elif denoted.keeps:
        note = shortened(f"{phrase!r} asks to keep something; to forget it, give its name alone")
    else:
        note = shortened(f"no memory contains {phrase!r}; search for it and forget by id")
    counted = Counter(each.match for each in denoted.found)
    doubts = [f"{counted[match]} of them {why}" for match, why in _DOUBTS.items() if counted[match]]
    return ForgetOut(outcome="preview", candidates=candidates, notes=[note, *doubts])


_DOUBTS: Mapping[Match, str] = MappingProxyType(
    {
        "words": "hold its words in another form or order: look whether each is meant",
        "names": "hold its names, in another language: look whether each is meant",
    }
)
"""What to heed before a candidate is forgotten, by how it was denoted."""


def _meant(memories: "Memories", caller: Caller, phrase: str, agent_id: str | None) -> VerifyOut:
    """What the phrase denotes, or else the best hits for it; nothing counts as recalled."""
    scope = requests.scope(caller, None, agent_id)
    asked = SearchIn(phrase, agent_id=agent_id)
    query = requests.query(caller, asked, now=memories.now())
    denoted = memories.denoted(scope, phrase).found if phrase.strip() else ()
    meant = [each.memory for each in denoted[: query.top_k]]
    if not meant:
        meant = [hit.memory for hit in memories.glance(scope, query).hits]
    found = [CandidateOut(id=each.id, content=each.content) for each in meant]
    told = "nothing was checked: call again with the `memory_id` of one of them"
    return VerifyOut(outcome="preview", reasons=[told], candidates=found)


def _search_out(memories: "Memories", answer: Answer, *, explain: bool) -> SearchOut:
    return SearchOut(
        hits=[_hit_out(memories, hit, explain=explain) for hit in answer.hits],
        abstained=answer.abstained,
        notes=list(answer.notes),
        suppressed=answer.suppressed,
        recall_id=answer.recall_id,
    )


def _hit_out(memories: "Memories", hit: Hit, *, explain: bool) -> HitOut:
    shown = hit.parts if explain else {k: v for k, v in hit.parts.items() if "." not in k}
    return HitOut(
        memory=MemoryOut.of(hit.memory),
        score=round(hit.score, 4),
        parts={name: round(value, 4) for name, value in shown.items()},
        verdict=hit.verdict,
        sources=[_source_out(memory) for memory in hit.sources],
        passage=memories.passage(hit),
    )


def _source_out(memory: Memory) -> SourceOut:
    return SourceOut(
        memory_id=memory.id,
        source=memory.source,
        agent_id=memory.agent_id,
        session_id=memory.session_id,
        said_at=memory.happened_at,
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
