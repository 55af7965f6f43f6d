"""Small memories, scopes and vectors to test stores with, and generators of larger ones."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from hindsight_memory.core.changes import Changes, Note, Passages, Recall, Receipt
from hindsight_memory.core.model import (
    Event,
    Layer,
    Memory,
    Outcome,
    Scope,
    Tier,
    Vector,
    Visibility,
)
from hindsight_memory.core.policy import MemoryType, Source, Status
from hindsight_memory.core.ports import Store
from hindsight_memory.core.retrieval import Filter

MODEL = "model-a"
"""Fingerprint of the embedder that a suite's ``store`` is opened for."""

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
ANN = Scope("acme", "ann", "ada")
BOB = Scope("acme", "bob", "ada")
ALL = Scope("acme", None, None)
NOTE = Note(actor="ada", operation="write", reason="told so")


def toward(cosine: float) -> Vector:
    """A unit vector in the plane whose cosine to EAST is ``cosine``."""
    return np.array([cosine, np.sqrt(1 - cosine**2)], dtype="f4")


EAST, NORTH, WEST = toward(1), toward(0), toward(-1)


def a_memory(memory_id: str = "m1", **changes: Any) -> Memory:
    """Ann's, written by the agent ada; its content is its id unless given."""
    plain = Memory(
        id=memory_id,
        tenant="acme",
        user_id="ann",
        agent_id="ada",
        content=memory_id,
        created_at=NOON,
        updated_at=NOON,
    )
    return replace(plain, **changes)


def changed(memory: Memory, **changes: Any) -> Memory:
    """Its next version."""
    return replace(memory, version=memory.version + 1, **changes)


def superseded(old: Memory, new: Memory) -> tuple[Memory, Memory]:
    """Both, after ``new`` took the place of ``old``."""
    gone = changed(old, superseded_by=new.id, retired_at=NOON)
    return gone, replace(new, supersedes=old.id)


def embedded(memory: Memory, *vectors: Vector, first: int = 0, total: int = 0) -> Passages:
    """Passages of its content as it is; all there are, unless ``total`` says otherwise."""
    return Passages(
        memory_id=memory.id,
        content=memory.content,
        first=first,
        total=total or first + len(vectors),
        vectors=vectors,
    )


def some_changes(*memories: Memory, tenant: str = "acme", **given: Any) -> Changes:
    """These puts, indexed by the words of their contents, and whatever else is ``given``."""
    words = {memory.id: tuple(memory.content.split()) for memory in memories}
    plain = Changes(tenant=tenant, at=NOON, note=NOTE, puts=memories, terms=words)
    return replace(plain, **given)


def put(
    store: Store,
    *memories: Memory,
    vector: Vector | None = EAST,
    terms: Sequence[str] | None = None,
) -> None:
    """Insert or replace memories of one tenant, all with one vector (None: without any), and with
    ``terms``, or else the words of their contents.
    """
    if not memories:
        return
    changes = some_changes(*memories, tenant=memories[0].tenant)
    if terms is not None:
        changes = replace(changes, terms={memory.id: tuple(terms) for memory in memories})
    if vector is not None:
        passages = tuple(embedded(memory, vector) for memory in memories)
        changes = replace(changes, passages=passages)
    store.apply(changes)


def a_receipt(**changes: Any) -> Receipt:
    plain = Receipt(
        key="k1",
        user_id="ann",
        request_digest="d1",
        outcome=Outcome.STORED,
        reason="new",
        memory_id="m1",
    )
    return replace(plain, **changes)


def a_recall(**changes: Any) -> Recall:
    plain = Recall(id="r1", tenant="acme", user_id="ann", at=NOON, hit_ids=("m1",))
    return replace(plain, **changes)


def fresh_tenant() -> str:
    """One that no test used before, for each example of a property."""
    return f"tenant-{next(_TENANTS)}"


on_one_store = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
)
"""Decorates properties of a ``store``: it lives on from example to example, and is filled with
what is of a fresh tenant each time. A suite runs them once for each backend.
"""

_TENANTS = itertools.count(1)
_AGENTS = ("ada", "bot")
_USERS = ("ann", "bob")
_PROJECTS = ("", "web", "网站")
_SESSIONS = ("", "s1", "s2")
_TAGS = ("a", "b", "a,b", '"', "标签")
_WORDS = ("tea", "port", "喝茶", "端口")
_MINUTES = st.integers(-2, 2).map(lambda minutes: NOON + timedelta(minutes=minutes))
_INSTANTS = _MINUTES | _MINUTES.map(lambda at: at.astimezone(timezone(timedelta(hours=8))))
_IDS = st.lists(st.sampled_from(["x1", "x2", "编号"]), max_size=2).map(tuple)
_SHARES = st.floats(0, 1)
_JSON = st.dictionaries(
    st.text("a键\"'\\", max_size=3),
    st.recursive(st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5), st.lists),
    max_size=3,
)
_EVENTS = st.builds(
    Event,
    role=st.sampled_from(["", "user"]),
    participants=st.lists(st.text("安n", max_size=3), max_size=2).map(tuple),
    tool=st.text("a工", max_size=3),
    arguments=_JSON,
    outcome=st.sampled_from(["success", "failure", "unknown"]),
    error=st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5),
)


def memories(tenant: str) -> st.SearchStrategy[list[Memory]]:
    """Up to twelve memories of few users, agents and values, so that conditions often hold."""
    return st.lists(_memory(tenant), max_size=12).map(
        lambda found: [
            replace(memory, id=f"{tenant}-{number:02}", content=f"{memory.content} {number}")
            for number, memory in enumerate(found)
        ]
    )


def _memory(tenant: str) -> st.SearchStrategy[Memory]:
    return st.builds(
        Memory,
        id=st.just(""),
        tenant=st.just(tenant),
        user_id=st.sampled_from(_USERS),
        agent_id=st.sampled_from(_AGENTS),
        project=st.sampled_from(_PROJECTS),
        session_id=st.sampled_from(_SESSIONS),
        visibility=st.sampled_from(Visibility),
        content=st.sampled_from(_WORDS),
        layer=st.sampled_from(Layer),
        memory_type=st.sampled_from(MemoryType),
        scene=st.sampled_from(["", "decision"]),
        tags=st.frozensets(st.sampled_from(_TAGS), max_size=2),
        metadata=_JSON,
        related_ids=_IDS,
        event=st.none() | _EVENTS,
        subject=st.sampled_from(["", "tea", "端口"]),
        status=st.sampled_from(Status),
        source=st.sampled_from(Source),
        trust=_SHARES,
        confidence=_SHARES,
        importance=_SHARES,
        evidence=_IDS,
        counter_examples=_IDS,
        valid_from=st.none() | _INSTANTS,
        valid_to=st.none() | _INSTANTS,
        created_at=_INSTANTS,
        updated_at=_INSTANTS,
        retired_at=st.none() | _INSTANTS,
        last_accessed_at=st.none() | _INSTANTS,
        access_count=st.integers(0, 2**40),
        used_count=st.integers(0, 2**40),
        heat=st.floats(0, 9),
        tier=st.sampled_from(Tier),
        expires_at=st.none() | _INSTANTS,
        deleted_at=st.none() | _INSTANTS,
    )


def scopes(tenant: str) -> st.SearchStrategy[Scope]:
    """Of one user, for an agent or for an operator."""
    return st.builds(
        Scope, st.just(tenant), st.sampled_from(_USERS), st.sampled_from([None, *_AGENTS, "other"])
    )


def wider_scopes(tenant: str) -> st.SearchStrategy[Scope]:
    """Of one user or of all."""
    return scopes(tenant) | scopes(tenant).map(lambda scope: replace(scope, user_id=None))


def filters() -> st.SearchStrategy[Filter]:
    """Of the values that ``memories`` have; most conditions are left out."""
    return st.builds(
        Filter,
        memory_types=_rarely(MemoryType),
        statuses=_rarely(Status),
        layers=_rarely(Layer),
        tags=_rarely(_TAGS),
        tag_match=st.sampled_from(["any", "all"]),
        since=st.none() | st.none() | _INSTANTS,
        until=st.none() | st.none() | _INSTANTS,
        session_id=st.none() | st.none() | st.sampled_from(_SESSIONS),
        project=st.none() | st.none() | st.sampled_from(_PROJECTS),
        tiers=st.just(frozenset(Tier)) | st.frozensets(st.sampled_from(Tier)),
        superseded=st.booleans(),
        forgotten=st.booleans(),
        tentative_of=st.none() | st.none() | st.sampled_from([*_AGENTS, "other"]),
        as_of=st.none() | st.none() | _INSTANTS,
        known_at=st.none() | st.none() | _INSTANTS,
    )


def _rarely(values: Any) -> st.SearchStrategy[frozenset[Any]]:
    """Nothing as often as some of ``values``."""
    return st.just(frozenset[Any]()) | st.frozensets(st.sampled_from(values), max_size=3)
