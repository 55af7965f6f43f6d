"""Recognising what memory itself has said, when an agent says it again: it is no news. Pure.

An agent that reads a memory at the beginning of a session, and writes it down at the end, has
confirmed nothing. What is recognised is the statement, whatever stands around it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from hindsight_memory.core.changes import Injection
from hindsight_memory.core.fence import harmless
from hindsight_memory.core.identity import digest
from hindsight_memory.core.model import Draft, Layer, Memory, Visibility
from hindsight_memory.core.policy import Source
from hindsight_memory.core.support import stands
from hindsight_memory.core.values import canonical, cased

ECHOING = frozenset({Source.AGENT_INFERENCE, Source.RETROSPECTION})
"""Who can have it from memory. What a user says or a tool shows is evidence, however often."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])|\n+")
_MEMORY = r"(?:long-term )?(?:memory|memories|notes?|records?|context)"
_LEADS = re.compile(
    r"^\s*(?:[-*•]\s*)?(?:"
    r"\[[^\]\n]{1,120}\]"
    rf"|(?:as|according to|based on|per|from|in) (?:(?:my|the|our|your|stored|earlier) )*{_MEMORY}"
    r"(?: (?:above|says?|tells?|shows?|states?|notes?))*(?: (?:me|us))?(?: that)?"
    rf"|(?:(?:my|the|our|your|stored) )*{_MEMORY} (?:says?|tells?|shows?|states?|notes?|has it)"
    r"(?: (?:me|us))?(?: that)?"
    r"|(?:as )?i (?:already )?(?:recall(?:ed)?|remember(?:ed)?|know|knew|noted|see)"
    r"(?: from [\w ]{1,30}?(?= that|[,:]))?(?: that)?"
    r"|(?:from|in) (?:an? )?(?:earlier|previous|past|prior) (?:sessions?|conversations?)"
    r"|(?:note|noted|remember|reminder|recalled|remembered|as noted|as known)(?: that)?"
    "|(?:根据|按照?|依据|参考|据)(?:我的?|已有的?|之前的?|长期|现有的?)*(?:记忆|记录|笔记|上下文)"
    "(?:显示|来看|中?提到|所述|可知)?"
    "|(?:我的?|已有的?|长期)*(?:记忆|记录|笔记)[中里]?(?:显示|记录|提到|说|写)[了着过]?"
    "|我(?:记得|知道|了解到?|注意到)|(?:之前|此前|以前|先前)(?:提到过?|说过|记录过?|了解到)"
    "|(?:记住|备忘|提醒|回忆|已知|注意)"
    r")\s*[,:，：]*\s*",
    re.IGNORECASE,
)
"""What an agent says before it repeats what it was shown; the first is our own label."""

MOST_LEADS = 3


def statement(text: str) -> str:
    """A hash, equal for texts that state the same with the same values; it holds no text."""
    return digest("echo", *canonical(text), "", *cased(text))


def injections(
    memories: Iterable[Memory], *, user_id: str, session_id: str, at: datetime
) -> tuple[Injection, ...]:
    """That these were shown in a session, as a whole and in their sentences."""
    return tuple(
        Injection(user_id=user_id, session_id=session_id, memory_id=memory.id, digest=said, at=at)
        for memory in memories
        for said in sorted({statement(memory.content), statement(harmless(memory.content))})
    )


def may_be(draft: Draft) -> bool:
    """Whether it can be an echo at all: a statement, by somebody who may have read it here."""
    is_episode = draft.layer is Layer.EPISODIC or draft.event is not None
    return draft.source in ECHOING and not is_episode and draft.supersedes is None


def is_of(draft: Draft, memory: Memory) -> bool:
    """Whether ``memory``, which ``draft`` repeats, stands and would be what it merges with."""
    is_mine = draft.visibility is not Visibility.PRIVATE or draft.agent_id == memory.agent_id
    place = (memory.user_id, memory.project, memory.visibility, memory.layer)
    wanted = (draft.user_id, draft.project, draft.visibility, Layer.SEMANTIC)
    return place == wanted and is_mine and stands(memory)


def is_news(heard: Iterable[Memory]) -> bool:
    """Whether what a statement rests on comes from somebody who did not have it from memory."""
    return any(each.source not in ECHOING for each in heard)


def told(ids: Sequence[str]) -> str:
    named = ", ".join(map(repr, ids))
    return f"it repeats {named}, which memory itself gave in this session: no new evidence"


def repeated(content: str, shown: Iterable[Injection]) -> Sequence[str]:
    """The ids of the shown memories that ``content`` repeats, when it says nothing else; empty
    when any sentence of it is its own.
    """
    known: dict[str, str] = {}
    for each in shown:
        known.setdefault(each.digest, each.memory_id)
    if whole := _known(content, known):
        return (whole,)
    found = [_known(each, known) for each in _sentences(content)]
    return tuple(dict.fromkeys(filter(None, found))) if found and all(found) else ()


def _known(text: str, known: dict[str, str]) -> str | None:
    return next((known[said] for said in map(statement, _bare(text)) if said in known), None)


def _bare(text: str) -> Iterator[str]:
    """``text``, and without one after the other of what leads up to it."""
    yield text
    for _ in range(MOST_LEADS):
        shorter = _LEADS.sub("", text, count=1)
        if shorter == text or not shorter.strip():
            return
        text = shorter
        yield text


def _sentences(text: str) -> list[str]:
    return [each for each in map(str.strip, _SENTENCE_END.split(text)) if each]
