"""The library's door: what it refuses like the others, and what it tells a person who asks."""

from collections.abc import Callable
from inspect import signature

import pytest

from hindsight_memory import Hindsight, InvalidInput

HALF = "\ud83d"
"""The first half of an emoji, as a stream that was cut leaves it."""


@pytest.mark.parametrize(
    "call",
    [
        lambda memory: memory.show(HALF),
        lambda memory: memory.list(session_id=HALF),
        lambda memory: memory.write("tea", supersedes=HALF),
        lambda memory: memory.write("tea", event={"action": HALF}),
        lambda memory: memory.feedback("recall", [HALF]),
    ],
    ids=["show", "list", "write", "event", "feedback"],
)
def test_half_a_character_is_refused(
    memory: Hindsight, call: Callable[[Hindsight], object]
) -> None:
    with pytest.raises(InvalidInput, match="half a character"):
        call(memory)


def test_a_method_tells_what_it_takes_and_when_to_call_it() -> None:
    assert [*signature(Hindsight.history).parameters] == ["self", "memory_id", "agent_id"]
    assert (Hindsight.history.__doc__ or "").startswith("Every version of one memory")
