"""Whatever is said, in whatever order and by whatever clock, what is believed stays sound."""

import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import permutations
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

from hindsight_memory.core import belief, rejections
from hindsight_memory.core.life import Options
from hindsight_memory.core.model import Caller, Memory, Related, Scope
from hindsight_memory.core.policy import Status
from hindsight_memory.engine.behind import Behind
from hindsight_memory.engine.exporting import export_lines
from hindsight_memory.engine.maintain import maintain
from hindsight_memory.engine.meaning import Meaning
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.parts import Parts
from hindsight_memory.engine.transfer import decoded, import_rows
from hindsight_memory.errors import Conflict, InvalidInput
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.providers.hashing import HashingEmbedder
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.fakes import CountingIds, FrozenClock

EVERYONE = Scope("default", None, None)
CITIES = {"zh": ("上海", "杭州", "柏林"), "en": ("Oslo", "Bonn", "Rome")}
STATEMENTS = st.sampled_from(
    [
        *(form.format(city) for form in ("用户住在{}", "我搬到{}了") for city in CITIES["zh"]),
        *(form.format(city) for form in ("I live in {}", "I moved to {}") for city in CITIES["en"]),
        *(f"The API listens on port {port}" for port in (8000, 8001, 8002)),
        *(f"支付服务的端口是{port}" for port in (8000, 8001)),
        *("我喜欢喝咖啡", "我戒咖啡了", "The user likes tea", "The user gave up tea"),
        *("I live in Bonn and drive a Volvo", "用户住在杭州，在腾讯上班"),
        *("问题出在缓存", "问题出在连接池", "其实问题出在连接池"),
        *("The root cause is the cache", "Actually the root cause is the disk"),
    ]
)
SOURCES = st.sampled_from(["user_explicit", "user_explicit", "agent_inference", "tool_result"])
STEPS = st.sampled_from([timedelta(seconds=1), timedelta(hours=5), *map(timedelta, (40, -2, -30))])
SINCE = st.sampled_from([None, None, None, *map(timedelta, (-30, -1, 9))])


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What was answered about ``as_of`` when nothing later than ``known_at`` was known."""

    as_of: datetime
    known_at: datetime
    told: dict[str, str]


class Believing(RuleBasedStateMachine):
    """People and agents say things of a few slots; clocks jump; stores are moved and mended."""

    ids = Bundle("ids")

    @initialize()
    def open(self) -> None:
        self.closing = ExitStack()
        self.folder = Path(self.closing.enter_context(tempfile.TemporaryDirectory()))
        self.clock, self.new_ids = FrozenClock(), CountingIds()
        self.opened = 0
        self.forgotten: set[str] = set()
        self.snapshots: list[Snapshot] = []
        self.enter()

    def enter(self) -> None:
        """An empty store in the place of the one before."""
        self.opened += 1
        embedder = HashingEmbedder(32)
        path = str(self.folder / f"{self.opened}.db")
        self.store = self.closing.enter_context(
            closing(SqliteStore.open(path, fingerprint=embedder.fingerprint))
        )
        self.parts = Parts(
            store=self.store,
            meaning=Meaning(embedder=embedder),
            clock=self.clock,
            ids=self.new_ids,
            behind=self.closing.enter_context(closing(Behind())),
        )
        self.memory = Hindsight(Memories(self.parts), Caller(is_person=True))

    def teardown(self) -> None:
        try:
            assert self.store.problems() == []
        finally:
            self.closing.close()

    @rule(target=ids, content=STATEMENTS, source=SOURCES, since=SINCE)
    def say(self, content: str, source: Any, since: timedelta | None) -> Any:
        self.clock.advance(timedelta(seconds=1))
        begins = None if since is None else self.clock.now() + since
        written = self.memory.write(content, source=source, valid_from=begins)
        return multiple() if written.memory is None else written.memory.id

    @rule(memory_id=ids, content=STATEMENTS)
    def edit(self, memory_id: str, content: str) -> None:
        if self.is_in_use(memory_id):
            self.try_to(memory_id, content=content)

    @rule(memory_id=ids)
    def forget(self, memory_id: str) -> None:
        if self.is_in_use(memory_id):
            self.memory.forget(memory_id)
            self.forgotten.add(memory_id)

    @rule(memory_id=ids)
    def restore(self, memory_id: str) -> None:
        if self.is_there(memory_id) and self.try_to(memory_id, restore=True):
            self.forgotten.discard(memory_id)
            self.snapshots.clear()  # what was forgotten is in no answer, and now it is again

    def try_to(self, memory_id: str, **change: Any) -> bool:
        """Refused where another memory says it, or the opposite, or where it was rejected."""
        self.clock.advance(timedelta(seconds=1))
        try:
            self.memory.update(memory_id, **change)
        except (Conflict, InvalidInput):
            return False
        return True

    @rule(memory_id=ids)
    def reject(self, memory_id: str) -> None:
        if not self.is_in_use(memory_id):
            return
        content = self.memory.show(memory_id).content
        self.clock.advance(timedelta(seconds=1))
        self.memory.verify(memory_id, action="reject")
        assert self.memory.write(content).outcome == "refused"

    @rule(memory_id=consumes(ids))
    def purge(self, memory_id: str) -> None:
        if not self.is_there(memory_id):
            return
        self.memory.forget(memory_id, hard_delete=True)
        self.forgotten.discard(memory_id)
        self.snapshots.clear()

    @rule(step=STEPS)
    def wait(self, step: timedelta) -> None:
        self.clock.advance(step)
        # A time that the clock reads twice means both.
        self.snapshots = [each for each in self.snapshots if each.known_at < self.clock.now()]

    @rule(content=STATEMENTS)
    def search(self, content: str) -> None:
        found = {hit.memory.id for hit in self.memory.search(content, top_k=50).hits}
        assert not found & self.forgotten
        self.memory.memories.settle()
        while self.memory.memories.work_behind():
            pass

    @rule()
    def upkeep(self) -> None:
        maintain(self.parts, "default", options=Options())
        again = maintain(self.parts, "default", options=Options())
        assert (again.steps, again.overtaken) == ([], 0)

    @rule()
    def reindex(self) -> None:
        before = self.everything()
        self.store.repair(lambda _done, _total: None)
        assert self.everything() == before

    @rule()
    def move(self) -> None:
        """By export and import into an empty store; what was rejected moves along."""
        before = self.exported()
        self.enter()
        report = import_rows(self.parts, Caller(), decoded(before))
        assert (report.problems, report.rejected) == ([], [])
        assert self.exported()[1:] == before[1:]

    @rule(days=st.sampled_from([-20, 0, 5]))
    def remember(self, days: int) -> None:
        """What is known now of some day, to ask again when more is known."""
        known_at = self.clock.now()
        as_of = known_at + timedelta(days=days)
        self.snapshots.append(Snapshot(as_of, known_at, self.answers(as_of, known_at)))
        self.clock.advance(timedelta(seconds=1))

    @invariant()
    def forgotten_stays_forgotten(self) -> None:
        stored = {each.id for each in self.everything() if each.is_forgotten}
        assert stored == self.forgotten

    @invariant()
    def what_was_rejected_is_not_current(self) -> None:
        everything = self.everything()
        keys = {rejections.key(each): each.content for each in everything if is_current(each)}
        found = self.store.rejections("default", "default", list(keys))
        assert [keys[each.key] for each in found] == []

    @invariant()
    def every_chain_ends(self) -> None:
        successors = {each.id: each.superseded_by for each in self.everything()}
        for memory_id in successors:
            assert chain_ends(memory_id, successors)

    @invariant()
    def a_slot_has_one_head_or_a_dispute(self) -> None:
        current = [
            each
            for each in self.everything()
            if is_current(each) and each.status is not Status.DISPUTED
        ]
        for memory in current:
            assert [(memory.content, each.content) for each in at_odds(memory, current)] == []

    @invariant()
    def later_knowledge_changes_no_earlier_answer(self) -> None:
        for each in self.snapshots:
            kept = {key: said for key, said in each.told.items() if key not in self.forgotten}
            assert self.answers(each.as_of, each.known_at) == kept

    @invariant()
    def a_slot_has_one_value_at_a_time(self) -> None:
        """At each instant at which something begins; disputed values are shown as such."""
        for begins in {each.happened_at for each in self.everything()}:
            told = self.answers(begins, self.clock.now() + timedelta(days=1000))
            found = [replace(each, valid_to=None) for each in self.store.get(EVERYONE, list(told))]
            sure = [each for each in found if each.status is not Status.DISPUTED]
            for memory in sure:
                twice = [(memory.content, each.content) for each in at_odds(memory, sure)]
                assert (begins, twice) == (begins, [])

    def answers(self, as_of: datetime, known_at: datetime) -> dict[str, str]:
        told = self.memory.list(
            as_of=as_of, known_at=known_at, include=["cold", "archived"], limit=1000
        )
        return {each.id: each.content for each in told.memories}

    def is_there(self, memory_id: str) -> bool:
        """A merge answers with an id that was given before, and may be purged since."""
        return bool(self.store.get(EVERYONE, [memory_id]))

    def is_in_use(self, memory_id: str) -> bool:
        return self.is_there(memory_id) and memory_id not in self.forgotten

    def everything(self) -> list[Memory]:
        return self.store.every("default", after="", limit=10**6)

    def exported(self) -> list[bytes]:
        lines: list[bytes] = []
        export_lines(self.parts, "default", lines.append)
        return lines


def chain_ends(memory_id: str, successors: dict[str, str | None]) -> bool:
    """Not more steps than there are memories: it never comes to one again."""
    here: str | None = memory_id
    for _ in successors:
        if here is None:
            return True
        here = successors[here]
    return here is None


def at_odds(memory: Memory, others: Iterable[Memory]) -> list[Memory]:
    """Those of ``others`` of which a write of the later one would retire or dispute the earlier."""
    found = []
    for other in others:
        old, new = sorted((memory, other), key=lambda each: (each.happened_at, each.id))
        decided = belief.decisions(new, [Related(memory=old)]) if old is not new else []
        if any(each.retires or each.disposition.is_disputed for each in decided):
            found.append(other)
    return found


def is_current(memory: Memory) -> bool:
    return not (memory.is_superseded or memory.is_forgotten)


Believing.TestCase.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
TestBelieving = Believing.TestCase


def played(*steps: Callable[[Believing], object]) -> None:
    """One sequence, checked after each step as the others are."""
    state = Believing()
    state.open()
    try:
        for step in steps:
            step(state)
            for check in INVARIANTS:
                check(state)
    finally:
        state.teardown()


INVARIANTS = (
    Believing.forgotten_stays_forgotten,
    Believing.what_was_rejected_is_not_current,
    Believing.every_chain_ends,
    Believing.a_slot_has_one_head_or_a_dispute,
    Believing.a_slot_has_one_value_at_a_time,
    Believing.later_knowledge_changes_no_earlier_answer,
)


def says(
    content: str, since: int | None = None, source: str = "user_explicit"
) -> Callable[[Believing], object]:
    """Of so many days ago where that is given."""
    ago = None if since is None else timedelta(days=-since)
    return lambda state: state.say(content, source, ago)


def guesses(content: str, since: int | None = None) -> Callable[[Believing], object]:
    return says(content, since, "agent_inference")


def waits(days: float) -> Callable[[Believing], object]:
    return lambda state: state.wait(timedelta(days=days))


def becomes(content: str, *, of: str) -> Callable[[Believing], object]:
    return lambda state: state.edit(the_one(state, of), content)


def forgets(content: str) -> Callable[[Believing], object]:
    return lambda state: state.forget(the_one(state, content))


def restores(content: str) -> Callable[[Believing], object]:
    return lambda state: state.restore(the_one(state, content))


def the_one(state: Believing, content: str) -> str:
    [found] = [each.id for each in state.everything() if each.content == content]
    return found


def test_a_clock_set_back_lets_no_edit_make_a_second_home() -> None:
    api = "The API listens on port 8000"
    second = timedelta(seconds=1).total_seconds() / timedelta(days=1).total_seconds()
    for set_back in (0, 30):
        played(
            says("用户住在上海"),
            waits(9),
            waits(-2),
            says("我搬到杭州了"),
            waits(-second),  # it is said at the same instant
            says(api),
            waits(-set_back),
            becomes("用户住在柏林", of=api),
            waits(9),
            says("我搬到上海了"),
        )


def test_an_edit_of_a_guess_makes_no_second_home() -> None:
    api = "The API listens on port 8000"
    edited = (says("用户住在上海"), guesses(api), becomes("I moved to Rome", of=api))
    played(*edited)
    played(*edited, says("I moved to Rome", 30))


def test_a_guess_is_disputed_also_by_what_it_contradicts_in_part() -> None:
    played(says("I live in Bonn and drive a Volvo"), guesses("我搬到上海了"))


def test_a_guess_of_another_time_is_disputed_by_what_held_then() -> None:
    played(says("我搬到上海了"), says("用户住在上海", 30), guesses("用户住在杭州", 29))
    played(guesses("用户住在杭州", 29), says("我搬到上海了"), says("用户住在上海", 30))


def test_a_guess_that_is_restored_stands_in_dispute_with_what_is_known() -> None:
    played(
        guesses("I live in Oslo"),
        forgets("I live in Oslo"),
        says("我搬到上海了"),
        restores("I live in Oslo"),
    )


def test_a_fact_of_between_two_others_has_its_own_time() -> None:
    for order in permutations((900, 400, 40)):
        steps = zip(CITIES["zh"], order, strict=True)
        played(*(says(f"用户住在{city}", days) for city, days in steps))
