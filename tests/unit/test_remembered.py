"""A text is read once while others ask about it, and never kept when it is long."""

import pytest

from hindsight_memory.core.remembered import LONGEST, TEXTS, remembered


@pytest.mark.parametrize(("length", "times"), [(LONGEST, 1), (LONGEST + 1, 2)])
def test_only_texts_of_a_usual_length_are_remembered(length: int, times: int) -> None:
    read: list[str] = []

    @remembered
    def last(text: str) -> str:
        read.append(text)
        return text[-1]

    text = "我" * (length - 1) + "x"
    assert (last(text), last(text), len(read)) == ("x", "x", times)


def test_what_nobody_asked_about_lately_is_let_go() -> None:
    read: list[str] = []
    remembering = remembered(read.append)
    for text in [*map(str, range(TEXTS + 1)), "0"]:
        remembering(text)
    assert read.count("0") == 2
    assert len(read) == TEXTS + 2
