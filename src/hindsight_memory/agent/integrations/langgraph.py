"""LangGraph's long-term store on our memory: ``graph.compile(store=HindsightStore(memory))``.

An item is an episode: what one key holds is never merged with, nor replaced by, what another holds,
however alike they are. It is found by the texts of its value, in English and Chinese, and by its
exact namespace and key. Needs ``pip install 'hindsight-memory[langgraph]'``.
"""

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
    tokenize_path,
)

from hindsight_memory.agent.client import Client
from hindsight_memory.core.identity import digest
from hindsight_memory.errors import InvalidInput

TAG = "langgraph"
PAGE = 200
MOST_HITS = 50

Memory: TypeAlias = Mapping[str, Any]
Namespace: TypeAlias = tuple[str, ...]


class HindsightStore(BaseStore):
    """``client`` is a ``Hindsight``; each call that asks or changes goes through its operations.

    ttl: LangGraph's own settings of how long items live, in minutes.
    Raises InvalidInput for a value that takes more than 16 KiB as JSON.
    """

    supports_ttl = True

    def __init__(self, client: Client, *, ttl: TTLConfig | None = None) -> None:
        self._client = client
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """In their order, so that a put is seen by the get after it."""
        return [self._run(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _run(self, op: Op) -> Result:
        match op:
            case GetOp():
                return self._get(op)
            case PutOp():
                self._put(op)
                return None
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._namespaces(op)

    def _get(self, op: GetOp) -> Item | None:
        found = self._current(op.namespace, op.key)
        if found is None:
            return None
        if op.refresh_ttl:
            self._refresh(found)
        return _item(found)

    def _put(self, op: PutOp) -> None:
        old = self._of_key(op.namespace, op.key)
        if op.value is not None:
            created = _stored(old[0])["created_at"] if old else None
            self._write(op.namespace, op.key, op.value, index=op.index, ttl=op.ttl, created=created)
        # What was there goes last: killed between the two, the newer one is found.
        for each in old:
            self._client.call("memory_forget", {"memory_id": each["id"]})

    def _write(
        self,
        namespace: Namespace,
        key: str,
        value: Mapping[str, Any],
        *,
        index: Any,
        ttl: float | None,
        created: str | None,
    ) -> None:
        now = datetime.now(UTC)
        stored = {
            "namespace": list(namespace),
            "key": key,
            "value": value,
            "index": index,
            "ttl": ttl,
            "created_at": created or now.isoformat(),
        }
        given = {
            "content": _text(value, index) or key,
            "layer": "episodic",
            "memory_type": "fact",
            "source": "user_explicit",
            "session_id": _session(namespace, key),
            "tags": [TAG, *_prefixes(namespace)],
            "metadata": {TAG: stored},
            "valid_from": now.isoformat(),
        }
        if ttl is not None:
            given["valid_to"] = (now + timedelta(minutes=ttl)).isoformat()
        written = self._client.call("memory_write", given)
        if written["outcome"] not in {"stored", "merged"}:
            raise InvalidInput(f"{key!r} was not kept: {written['reason']}")

    def _search(self, op: SearchOp) -> list[SearchItem]:
        found = self._ranked(op) if op.query else self._listed(op.namespace_prefix)
        wanted = [
            (memory, score)
            for memory, score in found
            if _below(memory, op.namespace_prefix) and _fits(_stored(memory)["value"], op.filter)
        ][op.offset : op.offset + op.limit]
        if op.refresh_ttl:
            for memory, _ in wanted:
                self._refresh(memory)
        return [SearchItem(**_fields(memory), score=score) for memory, score in wanted]

    def _ranked(self, op: SearchOp) -> Iterator[tuple[Memory, float | None]]:
        given = {"query": op.query, "tags": [_tag(op.namespace_prefix)], "top_k": MOST_HITS}
        for hit in self._client.call("memory_search", {**given, "layer": "episodic"})["hits"]:
            is_item = TAG in (hit["memory"].get("metadata") or {})
            if is_item and _stored(hit["memory"])["index"] is not False:
                yield hit["memory"], hit["score"]

    def _listed(self, prefix: Namespace) -> Iterator[tuple[Memory, None]]:
        """The newest first."""
        before = None
        while True:
            given = {"tags": [_tag(prefix)], "layer": "episodic", "limit": PAGE, "before": before}
            page = self._client.call("memory_list", given)
            yield from ((each, None) for each in page["memories"] if _is_alive(each))
            before = page["next"]
            if before is None:
                return

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        found = {
            tuple(_stored(memory)["namespace"])[: op.max_depth]
            for memory, _ in self._listed(())
            if _matches(tuple(_stored(memory)["namespace"]), op.match_conditions)
        }
        return sorted(found)[op.offset : op.offset + op.limit]

    def _of_key(self, namespace: Namespace, key: str) -> list[Memory]:
        given = {"session_id": _session(namespace, key), "tags": [TAG], "layer": "episodic"}
        found = self._client.call("memory_list", given)["memories"]
        return [each for each in found if TAG in (each.get("metadata") or {})]

    def _current(self, namespace: Namespace, key: str) -> Memory | None:
        return next(filter(_is_alive, self._of_key(namespace, key)), None)

    def _refresh(self, memory: Memory) -> None:
        """A read starts its time anew."""
        stored = _stored(memory)
        if stored["ttl"] is None:
            return
        namespace, key = tuple(stored["namespace"]), stored["key"]
        self._put(PutOp(namespace, key, stored["value"], index=stored["index"], ttl=stored["ttl"]))


def _stored(memory: Memory) -> dict[str, Any]:
    stored: dict[str, Any] = memory["metadata"][TAG]
    return stored


def _item(memory: Memory) -> Item:
    return Item(**_fields(memory))


def _fields(memory: Memory) -> dict[str, Any]:
    stored = _stored(memory)
    return {
        "namespace": tuple(stored["namespace"]),
        "key": stored["key"],
        "value": stored["value"],
        "created_at": datetime.fromisoformat(stored["created_at"]),
        "updated_at": datetime.fromisoformat(memory["created_at"]),
    }


def _is_alive(memory: Memory) -> bool:
    ends = memory.get("valid_to")
    return ends is None or datetime.fromisoformat(ends) > datetime.now(UTC)


def _session(namespace: Namespace, key: str) -> str:
    """One for each namespace and key, by which exactly this item is found."""
    return f"{TAG}-{digest(*namespace, '/', key)[:40]}"


def _prefixes(namespace: Namespace) -> list[str]:
    return [_tag(namespace[:length]) for length in range(1, len(namespace) + 1)]


def _tag(namespace: Namespace) -> str:
    """Short, whatever the labels are: a tag has at most 64 characters."""
    return f"{TAG}-{digest(*namespace)[:24]}" if namespace else TAG


def _below(memory: Memory, prefix: Namespace) -> bool:
    return tuple(_stored(memory)["namespace"][: len(prefix)]) == prefix


def _text(value: Mapping[str, Any], index: Any) -> str:
    """What the item is found by: the texts at the paths of ``index``, or all of the value."""
    if index is False:
        return ""
    paths = index or ["$"]
    texts = [text for path in paths for text in get_text_at_path(value, tokenize_path(path))]
    if paths == ["$"]:
        texts = list(_leaves(value))
    return "\n".join(text for text in texts if text.strip())


def _leaves(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for name, each in value.items():
                said = list(_leaves(each))
                yield from (f"{name}: {text}" for text in said)
        case list() | tuple():
            for each in value:
                yield from _leaves(each)
        case None:
            return
        case _:
            yield json.dumps(value, ensure_ascii=False)


def _matches(namespace: Namespace, conditions: Iterable[MatchCondition] | None) -> bool:
    return all(_matches_one(namespace, each) for each in conditions or ())


def _matches_one(namespace: Namespace, condition: MatchCondition) -> bool:
    path = tuple(condition.path)
    if len(path) > len(namespace):
        return False
    at = 0 if condition.match_type == "prefix" else len(namespace) - len(path)
    part = namespace[at : at + len(path)]
    return all(want in {"*", label} for want, label in zip(path, part, strict=True))


_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, wanted: value == wanted,
    "$ne": lambda value, wanted: value != wanted,
    "$gt": lambda value, wanted: value > wanted,
    "$gte": lambda value, wanted: value >= wanted,
    "$lt": lambda value, wanted: value < wanted,
    "$lte": lambda value, wanted: value <= wanted,
}


def _fits(value: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    return all(_fits_one(value.get(name), want) for name, want in (wanted or {}).items())


def _fits_one(value: Any, want: Any) -> bool:
    if not isinstance(want, Mapping) or not any(name.startswith("$") for name in want):
        return bool(value == want)
    unknown = want.keys() - _COMPARE.keys()
    if unknown:
        raise InvalidInput(f"no filter {min(unknown)!r}; known: {', '.join(_COMPARE)}")
    try:
        return all(_COMPARE[name](value, operand) for name, operand in want.items())
    except TypeError:  # of another type, so it neither exceeds nor falls below
        return False
