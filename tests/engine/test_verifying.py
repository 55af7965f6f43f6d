"""Whether a memory can still be believed, and who may settle that."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from hindsight_memory.core.model import Caller, Memory, Scope
from hindsight_memory.core.policy import MemoryType, Source, Status
from hindsight_memory.engine.memories import Memories
from hindsight_memory.errors import InvalidInput, NotFound
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.interfaces.verification import VerifyOut
from hindsight_memory.providers.probes import Prober
from hindsight_memory.testing.fakes import FrozenClock

EVERYONE = Scope("default", None, None)


@pytest.fixture
def person(memories: Memories) -> Hindsight:
    """The same engine, with a person at the door."""
    return Hindsight(memories, Caller(is_person=True))


def said(memory: Hindsight, content: str, **given: Any) -> str:
    written = memory.write(content, **{"source": "user_explicit", **given}).memory
    assert written is not None
    return written.id


def stored(memories: Memories, memory_id: str) -> Memory:
    [found] = memories.parts.store.get(EVERYONE, [memory_id])
    return found


def put(memories: Memories, memory: Memory) -> str:
    """As an import brings it, which compares it with nothing."""
    scope = Scope("default", "default", "default")
    now = memories.now()
    changes = memories.parts.changes(scope, "stored", "", at=now, puts=(memory,), renewed=(memory,))
    memories.parts.store.apply(changes)
    return memory.id


def a_memory(memories: Memories, content: str, **given: Any) -> Memory:
    now = memories.now()
    plain = Memory(
        id=memories.parts.ids.new(now), tenant="default", user_id="default", agent_id="default",
        content=content, source=Source.USER_EXPLICIT, trust=0.9, status=Status.CONFIRMED,
        created_at=now, updated_at=now,
    )  # fmt: skip
    return replace(plain, **given)


def states(verified: VerifyOut) -> dict[str, str]:
    return {check.name: check.state for check in verified.checks}


def tamper(memories: Memories, sql: str) -> None:
    path = memories.parts.store._database.path  # type: ignore[attr-defined]  # it is a SqliteStore
    with apsw.Connection(path) as db:
        db.execute(sql)


def test_what_the_user_said_is_current_and_nothing_is_changed(
    memory: Hindsight, memories: Memories
) -> None:
    tea = said(memory, "用户喜欢喝茶")
    verified = memory.verify(tea)
    assert (verified.outcome, verified.verdict) == ("checked", "current")
    assert verified.reasons == ["confirmed, source user_explicit"]
    assert states(verified) == dict.fromkeys(
        ("integrity", "validity", "evidence", "conflicts"), "ok"
    )
    assert stored(memories, tea).version == 1


def test_an_inference_is_unverified_and_in_time_doubted(
    memory: Hindsight, clock: FrozenClock
) -> None:
    fact = said(memory, "The API listens on port 8000", source="agent_inference")
    assert memory.verify(fact).verdict == "unverified"
    clock.advance(timedelta(days=181))
    verified = memory.verify(fact)
    assert (verified.verdict, states(verified)["validity"]) == ("unverified", "warning")
    assert verified.reasons[0] == "validity: nobody has confirmed or repeated it for 181 days"


def test_what_was_replaced_or_is_over_or_forgotten_is_stale(
    memory: Hindsight, clock: FrozenClock
) -> None:
    old = said(memory, "The API listens on port 8000", tags=["api"])
    clock.advance(timedelta(minutes=1))
    new = said(memory, "The API listens on port 9000", tags=["api"])
    verified = memory.verify(old)
    assert (verified.verdict, verified.reasons[0]) == (
        "stale",
        f"validity: it was replaced by {new!r}",
    )
    over = said(memory, "出差到五月二日", valid_to=clock.now() + timedelta(days=1))
    assert memory.verify(over).verdict == "current"
    clock.advance(timedelta(days=2))
    assert memory.verify(over).verdict == "stale"
    memory.forget(new)
    assert memory.verify(new).reasons[0] == "validity: it is forgotten"


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("DELETE FROM revisions WHERE version = 1", "has the versions [2]"),
        ("UPDATE memories SET content = 'x'", "changed without a version"),
        ("UPDATE memories SET importance = 0.1", "not as the audit log has sealed it"),
        ("UPDATE revisions SET reason = 'x' WHERE version = 1", "version 1 of "),
        ("UPDATE revisions SET actor = 'x' WHERE version = 1", "audit log do not agree"),
        ("UPDATE audit SET actor = 'x' WHERE version = 1", "audit log was changed"),
        ("DELETE FROM audit WHERE version = 2", "version 2 of "),
        (
            """UPDATE revisions SET before = '{"importance": "much"}' WHERE version = 2""",
            "version 1.importance cannot be",
        ),
    ],
)
def test_a_record_that_was_tampered_with_is_broken(
    memory: Hindsight, memories: Memories, sql: str, told: str
) -> None:
    tea = said(memory, "用户喜欢喝茶")
    memory.update(tea, importance=0.9)
    assert memory.verify(tea).verdict == "current"
    tamper(memories, sql)
    verified = memory.verify(tea)
    assert verified.verdict == "broken"
    assert told in verified.reasons[0]


def test_a_current_contradiction_disputes_the_older(
    memory: Hindsight, memories: Memories, clock: FrozenClock
) -> None:
    old = said(memory, "我住在北京")
    clock.advance(timedelta(days=1))
    new = put(memories, a_memory(memories, "我搬到上海了"))
    verified = memory.verify(old)
    assert (verified.verdict, states(verified)["conflicts"]) == ("disputed", "failed")
    assert verified.reasons[0].startswith(f"conflicts: {new!r} says otherwise")
    other = memory.verify(new)
    assert (other.verdict, states(other)["conflicts"]) == ("current", "warning")


def test_a_lower_source_disputes_nothing(
    memory: Hindsight, memories: Memories, clock: FrozenClock
) -> None:
    old = said(memory, "我住在北京")
    clock.advance(timedelta(days=1))
    put(memories, a_memory(memories, "我搬到上海了", source=Source.EXTERNAL, trust=0.2))
    assert memory.verify(old).verdict == "current"


def test_a_lesson_is_stale_without_its_evidence(memory: Hindsight, memories: Memories) -> None:
    lesson = a_memory(
        memories,
        "read csv files with gbk",
        memory_type=MemoryType.LESSON,
        source=Source.RETROSPECTION,
        evidence=("gone",),
    )
    verified = memory.verify(put(memories, lesson))
    assert (verified.verdict, verified.reasons[0]) == (
        "stale",
        "evidence: 0 of 1 stand, 1 missing",
    )


def test_a_query_shows_what_is_meant_and_changes_nothing(
    memory: Hindsight, memories: Memories
) -> None:
    tea = said(memory, "用户喜欢喝茶")
    said(memory, "The deploy script needs Node 20")
    shown = memory.verify(query="喝茶")
    assert (shown.outcome, shown.verdict) == ("preview", None)
    assert [each.id for each in shown.candidates] == [tea]
    assert memory.verify(query="喜欢什么茶？").candidates[0].id == tea
    memories.settle()
    assert stored(memories, tea).access_count == 0


def test_a_person_confirms_anything_and_an_agent_what_the_source_allows(
    memory: Hindsight, memories: Memories, person: Hindsight
) -> None:
    guess = said(memory, "The API listens on port 8000", source="agent_inference")
    with pytest.raises(InvalidInput, match="'agent_inference' cannot be confirmed by an agent"):
        memory.verify(guess, action="confirm")
    confirmed = person.verify(guess, action="confirm", reason="我看过了")
    assert (confirmed.outcome, confirmed.verdict) == ("confirmed", "current")
    now = stored(memories, guess)
    assert (now.source, now.trust, now.confidence) == (Source.USER_CONFIRMED, 1.0, 0.99)
    last = memory.history(guess).revisions[-1]
    assert (last.operation, last.reason) == ("confirmed", "我看过了")
    doubted = said(memory, "用户喜欢喝茶", source="tool_result")
    memory.verify(doubted, action="dispute")
    assert memory.verify(doubted, action="confirm").verdict == "current"
    assert stored(memories, doubted).source is Source.TOOL_RESULT


def test_what_is_rejected_is_retired_and_does_not_come_back(
    memory: Hindsight, memories: Memories
) -> None:
    guess = said(memory, "问题出在缓存", source="agent_inference")
    rejected = memory.verify(guess, action="reject", reason="不是缓存")
    assert (rejected.outcome, rejected.verdict) == ("rejected", "stale")
    assert memory.search("问题出在哪里").hits == []
    assert memory.write("问题出在 缓存。").outcome == "refused"
    assert memory.verify(guess, action="restore").verdict == "unverified"
    assert memory.write("问题出在缓存").outcome == "merged"


def test_a_rejection_was_true_at_no_time(memory: Hindsight, clock: FrozenClock) -> None:
    guess = said(memory, "问题出在缓存", source="agent_inference")
    clock.advance(timedelta(days=1))
    then = clock.now()
    clock.advance(timedelta(days=1))
    assert len(memory.search("问题", as_of=then).hits) == 1
    memory.verify(guess, action="reject")
    assert memory.search("问题", as_of=then).hits == []
    assert len(memory.search("问题", known_at=then).hits) == 1


def test_an_agent_only_disputes_what_the_user_said(
    memory: Hindsight, memories: Memories, person: Hindsight
) -> None:
    tea = said(memory, "用户喜欢喝茶")
    disputed = memory.verify(tea, action="reject")
    assert (disputed.outcome, disputed.verdict) == ("disputed", "disputed")
    assert disputed.reasons[0].startswith("not rejected: that takes a trust of 0.9, and yours is")
    assert memory.verify(tea, action="restore").verdict == "current"
    assert person.verify(tea, action="reject").outcome == "rejected"


def test_what_a_person_rejected_only_a_person_restores(
    memory: Hindsight, person: Hindsight
) -> None:
    tea = said(memory, "用户喜欢喝茶")
    person.verify(tea, action="reject")
    for attempt in (
        lambda: memory.verify(tea, action="restore"),
        lambda: memory.update(tea, restore=True),
    ):
        with pytest.raises(InvalidInput, match="only a person can restore it"):
            attempt()
    assert person.verify(tea, action="restore").verdict == "current"


def test_a_rejection_takes_what_rests_on_it_with_it(memory: Hindsight, memories: Memories) -> None:
    episode = said(memory, "read_csv failed with utf-8", source="agent_inference")
    lesson = a_memory(
        memories, "read csv files with gbk", source=Source.RETROSPECTION, evidence=(episode,)
    )
    by_word = a_memory(
        memories, "our csv files are gbk", source=Source.USER_CONFIRMED, evidence=(episode,)
    )
    put(memories, lesson)
    put(memories, by_word)
    memory.verify(episode, action="reject")
    assert stored(memories, lesson.id).status is Status.DEPRECATED
    assert stored(memories, by_word.id).status is Status.CONFIRMED
    assert states(memory.verify(by_word.id))["evidence"] == "warning"


def test_quarantine_is_released_by_a_person_only(
    memory: Hindsight, memories: Memories, person: Hindsight
) -> None:
    held = put(memories, a_memory(memories, "grant Bob access", status=Status.QUARANTINED))
    for action in ("confirm", "dispute", "reject"):
        with pytest.raises(InvalidInput, match="released by a person only"):
            memory.verify(held, action=action)
    memory.verify(held, action="restore")
    assert stored(memories, held).status is Status.QUARANTINED
    assert person.verify(held, action="confirm").verdict == "current"


def test_a_foreign_id_is_like_a_missing_one(memory: Hindsight, memories: Memories) -> None:
    private = said(memory, "用户喜欢喝茶", visibility="private", agent_id="other")
    for memory_id in (private, "none"):
        for action in (None, "confirm", "reject", "dispute", "restore"):
            with pytest.raises(NotFound, match=f"no memory {memory_id!r}"):
                memory.verify(memory_id, action=action)


def test_what_is_gone_is_restored_first(memory: Hindsight) -> None:
    tea = said(memory, "用户喜欢喝茶")
    memory.forget(tea)
    for action in ("confirm", "reject", "dispute"):
        with pytest.raises(NotFound, match="is forgotten; restore it first"):
            memory.verify(tea, action=action)
    assert memory.verify(tea, action="restore").verdict == "current"


@pytest.fixture
def probed(memories: Memories) -> Hindsight:
    """The same engine, with somebody who looks."""
    parts = replace(memories.parts, prober=Prober())
    return Hindsight(Memories(parts), Caller(is_person=True))


def test_what_a_probe_sees_disputes_and_what_it_cannot_see_does_not(
    probed: Hindsight, tmp_path: Path
) -> None:
    path = tmp_path / "config.toml"
    path.touch()
    probe = {"kind": "path_exists", "path": str(path)}
    fact = said(probed, "The port is set in config.toml", metadata={"probe": probe})
    assert states(probed.verify(fact))["probe"] == "ok"
    path.unlink()
    verified = probed.verify(fact)
    assert (verified.verdict, states(verified)["probe"]) == ("disputed", "failed")
    assert verified.reasons[0] == f"probe: changed: {path} does not exist"
    tmp_path.rename(tmp_path.with_name("elsewhere"))
    verified = probed.verify(fact)
    assert (verified.verdict, states(verified)["probe"]) == ("current", "unknown")


def test_who_confirms_against_a_probe_removes_it(probed: Hindsight, clock: FrozenClock) -> None:
    probe = {"kind": "date_passed", "date": "2029-12-31"}
    fact = said(probed, "证书在年底前有效", metadata={"probe": probe, "kept": 1})
    confirmed = probed.verify(fact, action="confirm")
    assert confirmed.verdict == "current"
    assert confirmed.reasons[0].startswith("its probe said otherwise and was removed")
    assert probed.show(fact).metadata == {"kept": 1}
    assert probed.history(fact).revisions[-1].before["metadata"]["probe"] == probe


@pytest.mark.parametrize(
    "given", [{}, {"memory_id": "m", "query": "q"}, {"query": "q", "action": "confirm"}]
)
def test_an_id_or_a_query_is_needed_and_an_action_needs_an_id(
    memory: Hindsight, given: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInput, match="memory_id"):
        memory.verify(**given)
