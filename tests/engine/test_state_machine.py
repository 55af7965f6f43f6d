"""Whatever callers do, in whatever order, what the store holds stays sound."""

import tempfile
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
)

from hindsight_memory.core.life import Options
from hindsight_memory.core.model import Caller, Memory
from hindsight_memory.engine.behind import Behind
from hindsight_memory.engine.maintain import maintain
from hindsight_memory.engine.meaning import Meaning
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.parts import Parts
from hindsight_memory.errors import Conflict, InvalidInput, NotFound
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.providers.hashing import HashingEmbedder
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.fakes import CountingIds, FrozenClock

SUBJECTS = st.sampled_from(["billing", "payment", "支付", "账单"])
VALUES = st.integers(8000, 8003)
LAYERS = st.sampled_from(["semantic", "episodic"])
USERS = st.sampled_from(["ann", "bob"])


class Remembering(RuleBasedStateMachine):
    """Writes, repeats, supersedes, edits, forgets, restores and purges by two users; upkeep."""

    ids = Bundle("ids")

    @initialize()
    def open(self) -> None:
        self.closing = ExitStack()
        folder = self.closing.enter_context(tempfile.TemporaryDirectory())
        embedder = HashingEmbedder(32)
        self.store = self.closing.enter_context(
            closing(SqliteStore.open(str(Path(folder) / "m.db"), fingerprint=embedder.fingerprint))
        )
        behind = self.closing.enter_context(closing(Behind()))
        parts = Parts(
            store=self.store,
            meaning=Meaning(embedder=embedder),
            clock=(clock := FrozenClock()),
            ids=CountingIds(),
            behind=behind,
        )
        self.memory = Hindsight(Memories(parts), Caller())
        self.clock, self.parts = clock, parts
        self.purged: set[str] = set()
        self.keys = 0

    def teardown(self) -> None:
        try:
            assert self.store.problems() == []
        finally:
            self.closing.close()

    @rule(
        target=ids,
        user=USERS,
        subject=SUBJECTS,
        value=VALUES,
        tags=st.sets(st.just("port")),
        layer=LAYERS,
    )
    def write(self, user: str, subject: str, value: int, tags: set[str], layer: Any) -> Any:
        self.keys += 1
        given: dict[str, Any] = {
            "user_id": user,
            "tags": sorted(tags),
            "layer": layer,
            "idempotency_key": f"k{self.keys}",
        }
        first = self.memory.write(f"{subject} listens on port {value}", **given)
        again = self.memory.write(f"{subject} listens on port {value}", **given)
        assert first.memory is not None
        assert (again.outcome, again.memory) == (first.outcome, first.memory)
        return first.memory.id

    @rule(target=ids, old=ids, value=VALUES)
    def supersede(self, old: str, value: int) -> Any:
        before = self.stored(old)
        if before is None:
            return multiple()
        try:
            written = self.memory.write(
                f"{before.content} or {value}", supersedes=old, user_id=before.user_id
            )
        except (InvalidInput, NotFound):
            assert before.is_superseded or before.is_forgotten
            return multiple()
        assert written.outcome == "superseded"
        assert written.memory is not None
        return written.memory.id

    @rule(memory_id=ids, value=VALUES)
    def edit(self, memory_id: str, value: int) -> None:
        before = self.stored(memory_id)
        if before is None or before.is_forgotten:
            return
        try:
            after = self.memory.update(memory_id, content=f"edited to {value}")
        except Conflict:
            return
        assert after.version == before.version + 1

    @rule(memory_id=ids)
    def forget_or_restore(self, memory_id: str) -> None:
        before = self.stored(memory_id)
        if before is None:
            return
        try:
            if before.is_forgotten:
                self.memory.update(memory_id, restore=True)
            else:
                self.memory.forget(memory_id)
        except (Conflict, InvalidInput):
            assert before.is_forgotten

    @rule(memory_id=consumes(ids))
    def purge(self, memory_id: str) -> None:
        if self.stored(memory_id) is not None:
            self.memory.forget(memory_id, hard_delete=True)
            self.purged.add(memory_id)

    @rule(user=USERS, subject=SUBJECTS, value=VALUES)
    def search(self, user: str, subject: str, value: int) -> None:
        answer = self.memory.search(f"{subject} port {value}", user_id=user, top_k=50)
        for hit in answer.hits:
            stored = self.stored(hit.memory.id)
            assert stored is not None
            assert stored.user_id == user
            assert not stored.is_forgotten
            assert not stored.is_superseded

    @rule(days=st.sampled_from([0, 85, 95]), cap=st.none() | st.just(1))
    def upkeep(self, days: int, cap: int | None) -> None:
        """Forgotten stays forgotten, and once is enough."""
        self.memory.memories.settle()  # what was read is not cold
        self.clock.advance(timedelta(days=days))
        forgotten = self.forgotten()
        maintain(self.parts, "default", options=Options(cap=cap))
        assert forgotten <= self.forgotten()
        again = maintain(self.parts, "default", options=Options(cap=cap))
        assert (again.steps, again.overtaken) == ([], 0)

    @invariant()
    def is_sound(self) -> None:
        everything = {each.id: each for each in self.store.every("default", after="", limit=10**6)}
        assert not self.purged & everything.keys()
        for memory in everything.values():
            assert chain_ends(memory, everything)

    def forgotten(self) -> set[str]:
        everything = self.store.every("default", after="", limit=10**6)
        return {each.id for each in everything if each.is_forgotten}

    def stored(self, memory_id: str) -> Memory | None:
        found = {each.id: each for each in self.store.every("default", after="", limit=10**6)}
        return found.get(memory_id)


def chain_ends(memory: Memory, everything: dict[str, Memory]) -> bool:
    """Following ``superseded_by`` reaches a head, and never the same memory twice."""
    seen = set()
    while memory.superseded_by is not None:
        if memory.id in seen or not memory.is_superseded:
            return False
        seen.add(memory.id)
        memory = everything[memory.superseded_by]
    return True


Remembering.TestCase.settings = settings(max_examples=15, stateful_step_count=15, deadline=None)
TestRemembering = Remembering.TestCase
