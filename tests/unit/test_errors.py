"""A message names what was given, and never repeats pages of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.errors import (
    ECHO_LENGTH,
    MESSAGE_LENGTH,
    Conflict,
    HindsightError,
    NotFound,
    shortened,
)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=ECHO_LENGTH))
def test_a_short_message_is_left_as_it_is(message: str) -> None:
    assert str(HindsightError(message)) == message


@pytest.mark.parametrize("given", ["x" * 70_000, "错" * 70_000])
def test_what_is_repeated_is_cut(given: str) -> None:
    told = str(NotFound(f"no memory {given!r} to supersede"))
    assert told == f"no memory '{given[:158]}…{given[:39]}' to supersede"


def test_what_is_repeated_with_spaces_is_cut_too() -> None:
    told = str(Conflict("no memory " + "ab " * 70_000 + "; read it again"))
    assert (len(told), told[-15:]) == (MESSAGE_LENGTH, "; read it again")


@given(st.lists(st.text("a错 ", max_size=600)).map("".join))
def test_a_cut_message_is_cut_once(message: str) -> None:
    once = shortened(message)
    assert shortened(once) == once
    assert len(once) <= MESSAGE_LENGTH
    assert max(map(len, once.split()), default=0) <= ECHO_LENGTH
