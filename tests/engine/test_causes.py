"""What was thought to be the cause, and what was found to be it."""

from datetime import timedelta
from typing import Any

import pytest

from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.fakes import FrozenClock

CHINESE = ("问题出在缓存", "问题出在连接池", "问题出在哪里")
ENGLISH = ("The problem lies in the cache", "The problem lies in the pool", "Where is the problem?")
CAUSE = ("The root cause is the cache", "The root cause is the pool", "What is the root cause?")
BETTER: list[Any] = ["user_explicit", "tool_result", "document"]


@pytest.fixture
def memory(memory: Hindsight, clock: FrozenClock) -> Hindsight:
    """A minute passes with each write."""
    write = memory.write

    def later(*args: Any, **given: Any) -> Any:
        clock.advance(timedelta(minutes=1))
        return write(*args, **given)

    memory.write = later  # type: ignore[method-assign]  # the clock ticks, all else is as it is
    return memory


def found(memory: Hindsight, query: str) -> list[str]:
    return [hit.memory.content for hit in memory.search(query).hits]


@pytest.mark.parametrize("source", BETTER)
@pytest.mark.parametrize(("guess", "cause", "asked"), [CHINESE, ENGLISH, CAUSE])
def test_a_better_source_refutes_a_guess_at_the_cause(
    memory: Hindsight, guess: str, cause: str, asked: str, source: Any
) -> None:
    idea = memory.write(guess, source="agent_inference").memory
    told = memory.write(cause, source=source)
    assert told.outcome == "superseded"
    assert found(memory, asked) == [cause]
    assert idea is not None
    assert told.memory is not None
    kept = memory.show(idea.id)
    assert (kept.superseded_by, kept.valid_to) == (told.memory.id, kept.created_at)
    assert kept.counter_examples == [told.memory.id]


@pytest.mark.parametrize(("guess", "cause", "asked"), [CHINESE, ENGLISH, CAUSE])
def test_a_refuted_guess_does_not_come_back(
    memory: Hindsight, guess: str, cause: str, asked: str
) -> None:
    memory.write(guess, source="agent_inference")
    memory.write(cause, source="tool_result")
    for again in (guess, f" {guess}！", f"{guess}。"):
        assert memory.write(again, source="agent_inference").outcome == "refused"
    assert found(memory, asked) == [cause]


@pytest.mark.parametrize(
    ("guess", "cause", "again"),
    [
        (*CHINESE[:2], "问题在于缓存"),
        (*CHINESE[:2], "问题就在缓存"),
        (*ENGLISH[:2], "The problem is due to the cache"),
    ],
)
def test_a_refuted_guess_does_not_come_back_in_other_words(
    memory: Hindsight, guess: str, cause: str, again: str
) -> None:
    memory.write(guess, source="agent_inference")
    memory.write(cause, source="tool_result")
    assert memory.write(again, source="agent_inference").outcome == "refused"
    with_tea = memory.write("用户喜欢喝茶").memory
    assert with_tea is not None
    with pytest.raises(InvalidInput, match="rejected as untrue"):
        memory.update(with_tea.id, content=again)
    assert memory.write(again, source="user_explicit").outcome == "stored"


@pytest.mark.parametrize(("guess", "cause", "asked"), [CHINESE, ENGLISH, CAUSE])
@pytest.mark.parametrize("source", ["agent_inference", "tool_result"])
def test_of_an_equal_source_two_causes_may_be_of_two_things(
    memory: Hindsight, guess: str, cause: str, asked: str, source: Any
) -> None:
    memory.write(guess, source=source)
    assert memory.write(cause, source=source).outcome == "stored"
    assert set(found(memory, asked)) == {guess, cause}


@pytest.mark.parametrize(
    ("guess", "cause"),
    [
        ("登录失败的原因是缓存", "支付失败的原因是连接池"),
        ("The crash was caused by the cache", "The delay was caused by the pool"),
    ],
)
def test_the_cause_of_one_thing_refutes_no_guess_at_that_of_another(
    memory: Hindsight, guess: str, cause: str
) -> None:
    memory.write(guess, source="agent_inference")
    assert memory.write(cause, source="tool_result").outcome == "stored"
