"""The upkeep of a store: what it changes, what it never does, and that it can stop anywhere."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from hindsight_memory.core.life import Options
from hindsight_memory.core.model import Memory, Scope, Tier
from hindsight_memory.core.policy import Status
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.core.steps import Action
from hindsight_memory.engine import maintain as upkeep
from hindsight_memory.engine.maintain import Report, maintain
from hindsight_memory.engine.maintenance import embed_some
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.fakes import FrozenClock

DAY = timedelta(days=1)
EVERYTHING = Filter(tiers=frozenset(Tier), superseded=True)
RUNS = ("Ann ran in the park", "Ann ran in the park again", "Ann ran in the big park")


class Lived:
    """A store that time passes over."""

    def __init__(self, memory: Hindsight, clock: FrozenClock) -> None:
        self.memory, self.clock = memory, clock
        self.parts = memory.memories.parts

    def write(self, content: str, **given: Any) -> str:
        written = self.memory.write(content, **given).memory
        assert written is not None
        self.clock.advance(timedelta(hours=1))
        return written.id

    def episode(self, content: str, **given: Any) -> str:
        return self.write(content, layer="episodic", memory_type="event", **given)

    def passes(self, days: float) -> None:
        self.memory.memories.settle()
        self.clock.advance(days * DAY)

    def maintain(self, **given: Any) -> Report:
        return maintain(self.parts, "default", **given)

    def all(self, user_id: str = "default") -> list[Memory]:
        scope = Scope("default", user_id, None)
        return self.parts.store.page(scope, EVERYTHING, before=None, limit=1000)

    def get(self, memory_id: str) -> Memory:
        return self.memory.memories.get(Scope("default", None, None), memory_id)

    def tier(self, memory_id: str) -> str:
        return self.get(memory_id).tier.value

    def done_to_each(self) -> set[tuple[str, str]]:
        """What passes did, by memory; nothing of what they made or purged."""
        return {
            (memory.id, revision.operation)
            for memory in self.all()
            for revision in self.memory.history(memory.id).revisions[1:]
            if revision.operation in set(Action)
        }

    def found(self, query: str, **given: Any) -> list[str]:
        hits = self.memory.search(query, **given).hits
        return [hit.memory.content for hit in hits]


@pytest.fixture
def lived(memory: Hindsight, clock: FrozenClock) -> Lived:
    return Lived(memory, clock)


def done(report: Report) -> dict[str, int]:
    return {action.value: count for action, count in report.counts.items()}


def test_what_nobody_reads_cools_is_archived_and_comes_back(lived: Lived) -> None:
    walk = lived.episode("Ann walked by the river")
    lived.passes(81)
    assert done(lived.maintain()) == {"cooled": 1}
    assert (lived.tier(walk), lived.found("river")) == ("cold", [])
    assert lived.found("river", include=["cold"]) == ["Ann walked by the river"]
    lived.passes(91)
    assert done(lived.maintain()) == {"archived": 1}
    lived.memory.update(walk, restore=True)
    assert (lived.tier(walk), lived.found("river")) == ("active", ["Ann walked by the river"])
    assert done(lived.maintain()) == {}


def test_an_archived_memory_has_no_vector_until_it_is_restored(lived: Lived) -> None:
    walk = lived.episode("Ann walked by the river")
    lived.passes(91)
    lived.maintain()
    query = lived.parts.meaning.of_query("Ann walked by the river")[0]
    scope, where = Scope("default", "default", None), Filter(tiers=frozenset(Tier))
    assert lived.parts.store.candidates(scope, (), query, where=where, limit=9).evidence == ()
    lived.memory.update(walk, restore=True)
    while embed_some(lived.parts):
        pass
    [evidence] = lived.parts.store.candidates(scope, (), query, where=where, limit=9).evidence
    assert evidence.similarity == pytest.approx(1.0, abs=1e-6)
    assert lived.parts.store.problems() == []


def test_the_history_says_what_a_pass_did_and_why(lived: Lived) -> None:
    walk = lived.episode("Ann walked by the river")
    lived.passes(81)
    lived.maintain()
    last = lived.memory.history(walk).revisions[-1]
    assert (last.operation, last.actor, last.before) == ("cooled", "operator", {"tier": "active"})
    assert last.reason == "cold: heat 0.295 after 81 days untouched; required: heat below 0.3"


def test_preferences_decisions_and_confirmed_facts_outlive_all(lived: Lived) -> None:
    kept = [
        lived.write("用户对花生过敏"),
        lived.write("We chose PostgreSQL because of row-level security", memory_type="decision"),
        lived.write("CI needs Node 20", source="user_explicit", memory_type="fact"),
        lived.write("Pin the lock file before a release", memory_type="lesson"),
    ]
    lived.passes(5_000)
    assert done(lived.maintain(options=Options(cap=1, purges_feedback=True))) == {}
    assert {lived.tier(each) for each in kept} == {"active"}
    assert lived.found("花生")[0] == "用户对花生过敏"


def test_a_temporary_memory_is_archived_after_its_day(lived: Lived) -> None:
    code = lived.write("the door code is 4711", scene="temporary")
    lived.passes(1)
    assert done(lived.maintain()) == {"expired": 1}
    assert lived.tier(code) == "archived"


def runs(lived: Lived) -> list[str]:
    return [lived.episode(each) for each in RUNS]


def test_similar_cold_episodes_become_one_summary_that_is_found(lived: Lived) -> None:
    sources = runs(lived)
    lived.passes(91)
    assert done(lived.maintain()) == {"compressed": 1}
    [hit] = lived.memory.search("ran park").hits
    summary = lived.get(hit.memory.id)
    assert summary.content == (
        "Ann ran in the big park. Ann ran in the park again. (3 times, 2030-01-01 to 2030-01-01)"
    )
    assert summary.evidence == tuple(sources)
    assert {lived.get(each).related_ids for each in sources} == {(summary.id,)}
    assert {lived.tier(each) for each in sources} == {"archived"}


def test_restored_sources_stand_beside_their_summary_and_are_not_summed_up_again(
    lived: Lived,
) -> None:
    sources = runs(lived)
    lived.passes(91)
    lived.maintain()
    for each in sources:
        lived.memory.update(each, restore=True)
    assert set(lived.found("ran park")) > set(RUNS)
    lived.passes(91)
    assert Action.COMPRESSED not in lived.maintain().counts
    assert {lived.tier(each) for each in sources} == {"archived"}


def test_a_forgotten_summary_is_not_made_again(lived: Lived) -> None:
    runs(lived)
    lived.passes(91)
    lived.maintain()
    [hit] = lived.memory.search("ran park").hits
    lived.memory.forget(hit.memory.id)
    lived.passes(91)
    assert Action.COMPRESSED not in lived.maintain().counts
    assert lived.found("ran park", include=["cold"]) == []


def test_what_is_forgotten_is_told_by_no_summary(lived: Lived) -> None:
    sources = runs(lived)
    lived.passes(91)
    lived.maintain()
    lived.memory.forget(sources[1])
    assert set(lived.found("ran park", include=["archived"])) == {RUNS[0], RUNS[2]}
    lived.memory.update(sources[1], restore=True)
    assert lived.found("ran park")[1:] == [RUNS[1]]
    assert lived.found("ran park")[0].endswith("(3 times, 2030-01-01 to 2030-01-01)")


def test_what_is_purged_is_in_no_summary_and_the_rest_may_be_summed_up_anew(lived: Lived) -> None:
    sources = [*runs(lived), lived.episode("So Ann ran in the park")]
    lived.passes(91)
    lived.maintain()
    lived.memory.forget(sources[1], hard_delete=True)
    assert {each.id for each in lived.all()} == {sources[0], sources[2], sources[3]}
    lived.memory.update(sources[0], restore=True)
    lived.passes(91)
    [step] = lived.maintain().steps
    assert (step.action, step.memory_ids) == ("compressed", (sources[0], *sources[2:]))


def test_a_summary_that_was_left_of_what_turned_out_wrong_is_withdrawn(lived: Lived) -> None:
    sources = runs(lived)
    lived.passes(91)
    lived.maintain()
    fallen = replace(lived.get(sources[1]), status=Status.DEPRECATED, version=3)
    scope = Scope("default", "default", None)
    lived.parts.store.apply(
        lived.parts.changes(scope, "test", "", at=lived.clock.now(), puts=(fallen,))
    )
    report = lived.maintain()
    assert (done(report), report.steps[0].actual) == ({"withdrawn": 1}, "1 of 3 are not")
    assert lived.found("ran park") == []


def test_like_episodes_are_found_on_every_page_and_whenever_they_were_archived(
    lived: Lived, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "PAGE", 2)
    first = lived.episode(RUNS[0])
    lived.passes(30)
    for number in range(5):
        lived.episode(f"ticket {number} about the login page was closed")
    second = lived.episode(RUNS[1])
    lived.passes(61)
    assert done(lived.maintain()) == {"archived": 1}
    third = lived.episode(RUNS[2])
    lived.passes(91)
    report = lived.maintain()
    [compressed] = [step for step in report.steps if step.action is Action.COMPRESSED]
    assert compressed.memory_ids == (first, second, third)


def twins(lived: Lived) -> tuple[str, str]:
    """Two that state the same, as an import leaves them."""
    one = lived.write("Ann's cat is called Momo", memory_type="fact")
    other = lived.write("Ann has a cat called Kiki", memory_type="fact")
    scope = Scope("default", "default", None)
    renamed = replace(lived.get(other), content="ann's cat is called Momo!", version=2)
    changes = lived.parts.changes(
        scope, "test", "", at=lived.clock.now(), puts=(renamed,), renewed=(renamed,)
    )
    lived.parts.store.apply(changes)
    return one, other


def test_equal_statements_become_one_and_the_other_one_stays_restorable(lived: Lived) -> None:
    one, other = twins(lived)
    assert done(lived.maintain()) == {"merged": 1}
    assert (lived.tier(one), lived.tier(other)) == ("active", "archived")
    assert lived.get(other).related_ids == (one,)
    lived.memory.update(other, restore=True)
    assert done(lived.maintain()) == {}


def test_a_cap_is_for_each_user_and_off_unless_set(lived: Lived) -> None:
    for user_id in ("ann", "bob"):
        for number in range(3):
            lived.episode(f"call number {number} about invoice {number}", user_id=user_id)
    assert done(lived.maintain()) == {}
    assert done(lived.maintain(options=Options(cap=1), user_id="ann")) == {"evicted": 2}
    assert [each.tier.value for each in lived.all("ann")] == ["active", "archived", "archived"]
    assert {each.tier.value for each in lived.all("bob")} == {"active"}
    assert done(lived.maintain(options=Options(cap=1))) == {"evicted": 2}


def test_expired_feedback_is_purged_only_when_asked_and_never_under_a_lesson(lived: Lived) -> None:
    useless, used = (
        lived.write(f"the answer about {each} was too long", memory_type="feedback")
        for each in ("tax", "law")
    )
    lesson = lived.get(lived.write("Answer briefly", memory_type="lesson"))
    scope = Scope("default", "default", None)
    cited = replace(lesson, evidence=(used,), version=2)
    lived.parts.store.apply(
        lived.parts.changes(scope, "test", "", at=lived.clock.now(), puts=(cited,))
    )
    lived.passes(91)
    assert done(lived.maintain()) == {"expired": 1, "archived": 1}
    assert {each.id for each in lived.all()} == {useless, used, lesson.id}
    assert done(lived.maintain(options=Options(purges_feedback=True))) == {"purged": 1}
    assert {each.id for each in lived.all()} == {used, lesson.id}
    assert lived.parts.store.problems() == []


def a_life(lived: Lived) -> None:
    """Something for every rule."""
    runs(lived)
    twins(lived)
    for number in range(4):
        lived.episode(f"call number {number} about invoice {number}")
    lived.write("the door code is 4711", scene="temporary")
    lived.write("too long an answer", memory_type="feedback")
    lived.write("用户对花生过敏")
    lived.passes(82)
    lived.episode("Ann moved into the new flat")
    lived.episode("Ann painted the kitchen blue")
    lived.passes(9)


ALL = Options(cap=1, purges_feedback=True)


def test_a_second_run_right_after_changes_nothing(lived: Lived) -> None:
    a_life(lived)
    assert set(done(lived.maintain(options=ALL))) == {action.value for action in Action} - {
        "withdrawn",
        "cooled",
    }
    before = lived.all()
    assert done(lived.maintain(options=ALL)) == {}
    assert lived.all() == before


def test_a_dry_run_tells_what_a_run_does_and_changes_nothing(lived: Lived) -> None:
    a_life(lived)
    before = lived.all()
    planned = lived.maintain(options=ALL, dry_run=True)
    assert lived.all() == before
    assert planned == lived.maintain(options=ALL)


class Killed(Exception):
    """As a signal ends a process."""


def dying(after: int) -> Callable[[], None]:
    """A pause that ends a run before its step number ``after``."""
    left = iter(range(after))

    def pause() -> None:
        if next(left, None) is None:
            raise Killed

    return pause


@pytest.mark.parametrize("after", range(11))
def test_a_run_that_is_killed_anywhere_is_finished_by_the_next(lived: Lived, after: int) -> None:
    a_life(lived)
    planned = lived.maintain(options=ALL, dry_run=True).steps
    wanted = {(each, step.action.value) for step in planned for each in step.memory_ids}
    with pytest.raises(Killed):
        lived.maintain(options=ALL, pause=dying(after))
    assert lived.parts.store.problems() == []
    lived.maintain(options=ALL)
    assert lived.done_to_each() == {each for each in wanted if each[1] != "purged"}
    purged = {each for each, action in wanted if action == "purged"}
    assert {each.id for each in lived.all()}.isdisjoint(purged)


def test_a_memory_that_changes_meanwhile_is_left_for_the_next_run(lived: Lived) -> None:
    walk = lived.episode("Ann walked by the river")
    lived.passes(81)
    calls = iter(range(9))

    def read_it() -> None:
        if next(calls) == 1:
            lived.found("river")
            lived.memory.memories.settle()

    report = lived.maintain(pause=read_it)
    assert (done(report), report.overtaken, lived.tier(walk)) == ({}, 1, "active")


def test_a_clock_that_is_set_back_undoes_nothing_and_ends_nothing(lived: Lived) -> None:
    a_life(lived)
    lived.maintain(options=ALL)
    before = lived.all()
    lived.clock.advance(-2 * DAY)
    assert done(lived.maintain(options=ALL)) == {}
    assert lived.all() == before
    back = next(each for each in before if each.tier is Tier.ARCHIVED)
    lived.memory.update(back.id, restore=True)
    assert done(lived.maintain()) == {}
    assert lived.parts.store.problems() == []


def test_progress_counts_each_memory_once(lived: Lived) -> None:
    a_life(lived)
    seen: list[tuple[int, int | None]] = []
    report = lived.maintain(progress=lambda done, total: seen.append((done, total)))
    assert report.looked_at == 14
    assert seen == [(14, None)] * len(seen)


def test_a_used_cold_memory_is_active_again(lived: Lived) -> None:
    walk = lived.episode("Ann walked by the river")
    lived.passes(81)
    lived.maintain()
    recall_id = lived.memory.search("river", include=["cold"]).recall_id
    lived.memory.feedback(recall_id, [walk])
    assert lived.tier(walk) == "active"
    assert lived.memory.history(walk).revisions[-1].operation == "used"
