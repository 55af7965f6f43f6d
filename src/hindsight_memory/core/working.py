"""What an agent has in hand during one session: a small document, and the patches that change it.

Patches never fail on a document that others have changed meanwhile, so one that lost a race is
made again on the newer document. The document stays small whatever is put into it: of each list the
oldest entries are folded into a count. A new list is a field and a row of ``folding.BOUNDS`` and of
``_KINDS``; a new patch is a class, a row of ``_CHANGES`` and one of ``patches.OPS``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeVar

from hindsight_memory.core.calls import cut
from hindsight_memory.core.denote import Phrase
from hindsight_memory.core.folding import BOUNDS, folded
from hindsight_memory.core.model import Json
from hindsight_memory.core.policy import TRUST, Source
from hindsight_memory.core.text import fold

LIFETIME = timedelta(days=7)
"""A session that was left for a week is not taken up where it stood."""

GOAL_CHARACTERS, FACT_CHARACTERS, ITEM_CHARACTERS = 1_000, 500, 300
ACTION_CHARACTERS, REASON_CHARACTERS, ERROR_CHARACTERS = 200, 300, 500
ARGUMENTS_BYTES = 1024
LEAST_URGENT, USUAL, MOST_URGENT = 0, 5, 10
"""Priorities of pending items."""

Ended: TypeAlias = Literal["success", "failure", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    fact: str
    source: Source = Source.AGENT_INFERENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    item: str
    priority: int = USUAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    action: str
    reason: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    tool: str
    arguments: Mapping[str, Json] = field(default_factory=dict)
    status: Ended = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """In one line. speaker: "user", "assistant", "tool", or whoever else."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Each list from the oldest to the newest; pending items the most urgent first.

    folded: how many entries of each list are no longer told, by its name; none where it is absent.
    unread: turns that brought news and that a language model is still to read; problem: why it
    could not read them when it was asked. Both empty where there is none.
    """

    task_goal: str = ""
    confirmed_facts: tuple[Fact, ...] = ()
    pending_items: tuple[Item, ...] = ()
    failed_attempts: tuple[Attempt, ...] = ()
    tool_call_history: tuple[ToolCall, ...] = ()
    folded: Mapping[str, int] = field(default_factory=dict)
    unread: tuple[Turn, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A document as a store keeps it. version: 0 of one that no store has, else from 1."""

    tenant: str
    user_id: str
    session_id: str
    document: Document = Document()
    version: int = 0
    updated_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SetGoal:
    goal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddFact:
    fact: str
    source: Source = Source.AGENT_INFERENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class PushItem:
    item: str
    priority: int = USUAL


@dataclass(frozen=True, slots=True, kw_only=True)
class PopItem:
    """item: which is done; "" for the first."""

    item: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reprioritise:
    item: str
    priority: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordAttempt:
    action: str
    reason: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendCall:
    tool: str
    arguments: Mapping[str, Json] = field(default_factory=dict)
    status: Ended = "unknown"


Patch: TypeAlias = (
    SetGoal | AddFact | PushItem | PopItem | Reprioritise | RecordAttempt | AppendCall
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patched:
    """notes: what was not as a patch supposed, and what was folded."""

    document: Document
    notes: tuple[str, ...] = ()


def patched(document: Document, patches: Iterable[Patch]) -> Patched:
    """The document after ``patches``, within its bounds. What repeats what is there changes
    nothing, a call excepted: so it is equal to ``document`` when nothing is new.
    """
    after, notes = document, list[str]()
    for patch in patches:
        after, note = _after(after, patch)
        notes += [note] if note else []
    told = (_told(name, after, document) for name in BOUNDS)
    return Patched(document=after, notes=(*notes, *filter(None, told)))


def brings_news(document: Document, patches: Iterable[Patch]) -> bool:
    """Whether they hold a fact or a failure that ``document`` does not, or what ended its failure:
    only then is a turn worth an update.
    """
    return any(_is_news(document, patch) for patch in patches)


def is_pending(document: Document, item: str) -> bool:
    return _found(document.pending_items, Item(item=item)) is not None


def unread(document: Document, turns: Sequence[Turn]) -> Patched:
    """With ``turns`` for a language model to read, which comes to them when it can."""
    after = _bounded(document, "unread", (*document.unread, *turns))
    return Patched(document=after, notes=tuple(filter(None, [_told("unread", after, document)])))


def read(document: Document, turns: Iterable[Turn]) -> Document:
    """After a language model has read ``turns``."""
    done = {*turns}
    left = tuple(each for each in document.unread if each not in done)
    return replace(document, unread=left, problem="")


def with_problem(document: Document, problem: str) -> Patched:
    """After a language model could not read what is unread, if anything still is."""
    told = cut(problem, ERROR_CHARACTERS) if document.unread else ""
    return Patched(document=replace(document, problem=told))


def shows(document: Document, earlier: Document) -> bool:
    """Whether all that ``earlier`` told is still there: none of it was purged, done or folded."""
    lists = ("confirmed_facts", "pending_items", "failed_attempts", "unread")
    is_there = (set(getattr(earlier, name)) <= set(getattr(document, name)) for name in lists)
    return earlier.task_goal in {"", document.task_goal} and all(is_there)


def without(document: Document, contents: Iterable[str]) -> Document:
    """``document`` without what contains any of ``contents``, in any spelling: these are purged."""
    phrases = [Phrase(content) for content in contents]

    def repeats(value: object) -> bool:
        return any(phrase.denotes(text) for text in _texts(value) for phrase in phrases)

    lists: dict[str, Any] = {
        name: tuple(each for each in getattr(document, name) if not repeats(asdict(each)))
        for name in BOUNDS
    }
    texts = {name: getattr(document, name) for name in ("task_goal", "problem")}
    kept: dict[str, Any] = {name: "" if repeats(text) else text for name, text in texts.items()}
    return replace(document, **kept, **lists)


def to_json(document: Document) -> dict[str, Json]:
    """For a store."""
    return asdict(document)


def from_json(given: Mapping[str, Any]) -> Document:
    """The inverse of ``to_json``."""
    lists: dict[str, Any] = {
        name: tuple(made(**each) for each in given[name]) for name, made in _KINDS.items()
    }
    texts = {name: given[name] for name in ("task_goal", "problem", "folded")}
    return Document(**texts, **lists)


def _fact(*, fact: str, source: str) -> Fact:
    return Fact(fact=fact, source=Source(source))


_KINDS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "confirmed_facts": _fact,
        "pending_items": Item,
        "failed_attempts": Attempt,
        "tool_call_history": ToolCall,
        "unread": Turn,
    }
)


Change: TypeAlias = tuple[Document, str]
"""What a patch makes of a document, with a note, or ""."""


def _after(document: Document, patch: Patch) -> Change:
    return _CHANGES[type(patch)](document, patch)


def _set_goal(document: Document, patch: SetGoal) -> Change:
    return replace(document, task_goal=patch.goal), ""


def _add_fact(document: Document, patch: AddFact) -> Change:
    """One that is known stays where it is, with the better of both sources."""
    fact = Fact(fact=patch.fact, source=patch.source)
    known = _found(document.confirmed_facts, fact)
    if known is None:
        return _bounded(document, "confirmed_facts", (*document.confirmed_facts, fact)), ""
    better = max(known.source, fact.source, key=lambda source: TRUST[source].trust)
    facts = (replace(f, source=better) if f is known else f for f in document.confirmed_facts)
    return _bounded(document, "confirmed_facts", facts), ""


def _push_item(document: Document, patch: PushItem | Reprioritise) -> Change:
    """One that is known keeps its words, and its place among those of its new priority."""
    item = Item(item=patch.item, priority=patch.priority)
    known = _found(document.pending_items, item)
    if known is None:
        items = [*document.pending_items, item]
    else:
        again = replace(known, priority=item.priority)
        items = [again if each is known else each for each in document.pending_items]
    items.sort(key=lambda each: -each.priority)
    return _bounded(document, "pending_items", items), ""


def _pop_item(document: Document, patch: PopItem) -> Change:
    items = document.pending_items
    done = _found(items, Item(item=patch.item)) if patch.item else next(iter(items), None)
    if done is None:
        return document, f"no pending item {patch.item!r}" if patch.item else "no pending item"
    left = tuple(each for each in items if each is not done)
    return replace(document, pending_items=left), ""


def _reprioritise(document: Document, patch: Reprioritise) -> Change:
    if _found(document.pending_items, Item(item=patch.item)) is None:
        return document, f"no pending item {patch.item!r}"
    return _push_item(document, patch)


def _record_attempt(document: Document, patch: RecordAttempt) -> Change:
    attempt = Attempt(action=patch.action, reason=patch.reason, error=patch.error)
    if _found(document.failed_attempts, attempt) is not None:
        return document, ""
    return _bounded(document, "failed_attempts", (*document.failed_attempts, attempt)), ""


def _append_call(document: Document, patch: AppendCall) -> Change:
    call = ToolCall(tool=patch.tool, arguments=patch.arguments, status=patch.status)
    return _bounded(document, "tool_call_history", (*document.tool_call_history, call)), ""


_CHANGES: Mapping[type[Patch], Callable[[Document, Any], Change]] = MappingProxyType(
    {
        SetGoal: _set_goal,
        AddFact: _add_fact,
        PushItem: _push_item,
        PopItem: _pop_item,
        Reprioritise: _reprioritise,
        RecordAttempt: _record_attempt,
        AppendCall: _append_call,
    }
)


def _is_news(document: Document, patch: Patch) -> bool:
    match patch:
        case AddFact(fact=fact):
            return _found(document.confirmed_facts, Fact(fact=fact)) is None
        case RecordAttempt(action=action, reason=reason, error=error):
            attempt = Attempt(action=action, reason=reason, error=error)
            return _found(document.failed_attempts, attempt) is None
        case AppendCall(status="failure"):
            return True
        case AppendCall(status="success", tool=tool):
            earlier = (
                each.status for each in document.tool_call_history[::-1] if each.tool == tool
            )
            return next(earlier, "") == "failure"
        case _:
            return False


Entry = TypeVar("Entry", Fact, Item, Attempt)


def _found(entries: Iterable[Entry], wanted: Entry) -> Entry | None:
    """The one that says the same, whatever its source or priority."""
    key = _key(wanted)
    return next((each for each in entries if _key(each) == key), None)


def _key(entry: Fact | Item | Attempt) -> str:
    match entry:
        case Fact(fact=said) | Item(item=said):
            return fold(said).strip()
        case Attempt():
            return _spelt(entry)


def _spelt(entry: Fact | Item | Attempt | ToolCall) -> str:
    return "\n".join(fold(text).strip() for text in _texts(asdict(entry)))


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    if isinstance(value, Mapping):
        value = [*value.values()]
    if isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def _bounded(document: Document, name: str, entries: Iterable[Any]) -> Document:
    """With ``entries`` as the list ``name``, as far as its bounds allow."""
    kept, fresh = folded(name, entries)
    count = {name: document.folded.get(name, 0) + fresh} if fresh else {}
    changed: dict[str, Any] = {name: kept, "folded": {**document.folded, **count}}
    return replace(document, **changed)


def _told(name: str, after: Document, before: Document) -> str:
    fresh = after.folded.get(name, 0) - before.folded.get(name, 0)
    return f"{name}: {fresh} of the oldest folded, to keep it small" if fresh else ""
