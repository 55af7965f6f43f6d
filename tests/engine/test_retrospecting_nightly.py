"""Looking back at night: every session that changed, once; and what conclusions have in common."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hindsight_memory.core.model import Caller, Memory
from hindsight_memory.core.policy import Status
from hindsight_memory.engine.daily import Stopped
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.retrospecting import Looked, retrospect
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.agent_life import UNICODE, Life, told
from hindsight_memory.testing.fakes import FrozenClock


def night(life: Life, *, dry_run: bool = False) -> Looked:
    return retrospect(life.memory.memories.parts, "default", dry_run=dry_run)


def test_each_session_is_looked_back_at_once_until_it_changes(life: Life) -> None:
    first, _ = life.reads_gbk("s1")
    life.reads_gbk("s2")
    assert (night(life).sessions, night(life).sessions) == (2, 0)
    life.call("s2", "read_csv", path="b.csv", encoding="gbk")
    assert night(life).sessions == 1
    life.memory.forget(first)
    assert night(life).sessions == 1


def test_a_night_counts_what_the_end_of_a_session_counted_already(life: Life) -> None:
    life.reads_gbk("s1")
    life.looks_back("s1")
    before = life.memory.list(limit=100).memories
    assert night(life).lessons == []
    assert life.memory.list(limit=100).memories == before


def test_a_night_that_was_stopped_is_gone_on_with(life: Life) -> None:
    life.reads_gbk("s1")
    life.reads_gbk("s2")
    steps = iter([None, Stopped()])

    def pause() -> None:
        if (step := next(steps)) is not None:
            raise step

    parts = life.memory.memories.parts
    with pytest.raises(Stopped):
        retrospect(parts, "default", pause=pause)
    assert life.lesson().status is Status.TENTATIVE
    assert night(life).sessions == 1
    assert life.lesson().status is Status.CONFIRMED


def test_each_user_has_lessons_of_their_own(life: Life) -> None:
    life.reads_gbk("s1", user_id="ann")
    life.reads_gbk("s1", user_id="bob")
    looked = night(life)
    owners = [each.memory.user_id for each in looked.lessons if each.memory is not None]
    assert (told(looked), owners) == ([("formed", "contrast")] * 2, ["ann", "bob"])


def test_lessons_about_one_tool_are_linked(life: Life) -> None:
    life.reads_gbk("s1")
    life.call("s1", "read_csv", "ValueError: sep", path="a.csv", sep=",", rows=5)
    life.call("s1", "read_csv", path="a.csv", sep=";", rows=5)
    [link, _] = night(life).proposals
    one, other = life.lessons()
    assert (one.related_ids, other.related_ids) == ((other.id,), (one.id,))
    assert (link.kind, link.memory_ids, link.reason) == (
        "link",
        (one.id, other.id),
        "both are about read_csv: required the same tool, actual 'read_csv'",
    )
    assert night(life).proposals == []


def opens_gbk(life: Life, session: str) -> None:
    life.call(session, "open", UNICODE, file="a.txt", encoding="utf-8")
    life.call(session, "open", file="a.txt", encoding="gbk")


def conclusion(life: Life) -> Memory:
    [found] = [each for each in life.lessons() if "tools" in each.tags]
    return found


def test_what_helped_in_several_tools_is_a_conclusion_and_tentative(life: Life) -> None:
    life.reads_gbk("s1")
    opens_gbk(life, "s2")
    [proposal] = night(life).proposals
    found = conclusion(life)
    assert (found.content, found.status, len(found.evidence)) == (
        "In several tools (open, read_csv) encoding=gbk works where encoding=utf-8 fails",
        "tentative",
        4,
    )
    assert (proposal.kind, proposal.content) == ("conclusion", found.content)
    assert proposal.reason == "required the same in >= 2 tools or places, actual open, read_csv"
    assert night(life).proposals == []


def test_what_helped_in_several_places_of_a_tool_is_one_too(life: Life) -> None:
    for session, folder in (("s1", "orders"), ("s2", "clients")):
        path = {"path": f"data/{folder}/a.csv"}
        life.calls(session, "read_csv", path | {"encoding": "utf-8"}, UNICODE)
        life.calls(session, "read_csv", path | {"encoding": "gbk"})
    proposals = night(life).proposals
    assert [each.kind for each in proposals] == ["link", "link", "conclusion"]
    assert conclusion(life).content == (
        "In several places (path=clients/*.csv, path=orders/*.csv) encoding=gbk of read_csv works "
        "where encoding=utf-8 fails"
    )
    assert proposals[-1].reason == (
        "required the same in >= 2 tools or places, actual path=clients/*.csv, path=orders/*.csv"
    )


def test_a_conclusion_falls_with_its_episodes(life: Life) -> None:
    episodes = life.reads_gbk("s1")
    opens_gbk(life, "s2")
    night(life)
    for each in conclusion(life).evidence:
        assert conclusion(life).status is Status.TENTATIVE
        life.memory.forget(each)
    assert conclusion(life).status is Status.DEPRECATED
    life.memory.update(episodes[0], restore=True)
    assert conclusion(life).status is Status.TENTATIVE


def test_a_dry_night_tells_what_a_real_one_does_and_changes_nothing(life: Life) -> None:
    life.reads_gbk("s1")
    life.reads_gbk("s2")
    opens_gbk(life, "s3")
    before = life.memory.list(limit=100).memories
    dry = night(life, dry_run=True)
    assert life.memory.list(limit=100).memories == before
    real = night(life)
    assert told(dry) == told(real)
    assert [each.kind for each in dry.proposals] == [each.kind for each in real.proposals]
    assert [each.content for each in dry.proposals] == [each.content for each in real.proposals]


def test_a_mirror_of_three_sessions_is_seen_in_one_night(life: Life) -> None:
    for session in ("s1", "s2", "s3"):
        life.call(session, "install", "ConnectTimeout", package="pandas")
        life.call(session, "install", package="pandas", index_url="https://mirror.example")
    night(life)
    assert life.lesson().status is Status.CONFIRMED


CALLS = st.lists(
    st.tuples(
        st.sampled_from(["s1", "s2", "s3"]),
        st.sampled_from(["utf-8", "gbk", "latin-1"]),
        st.sampled_from(["", UNICODE, "TypeError: x"]),
        st.sampled_from(["a.csv", "b.csv"]),
    ),
    max_size=12,
)


@given(CALLS)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_looking_back_twice_changes_nothing_the_second_time(
    another: Callable[[], Memories], clock: FrozenClock, calls: list[tuple[str, str, str, str]]
) -> None:
    life = Life(Hindsight(another(), Caller()), clock)
    for session, encoding, error, path in calls:
        life.call(session, "read_csv", error, path=path, encoding=encoding)
    sessions = sorted({session for session, *_ in calls})
    for _ in range(2):
        for session in sessions:
            life.looks_back(session)
        night(life)
    before = life.memory.list(limit=100).memories
    for session in sessions:
        assert [each.change for each in life.looks_back(session).lessons if each.is_put] == []
    assert night(life).proposals == []
    assert life.memory.list(limit=100).memories == before
