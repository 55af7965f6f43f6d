"""Reading what is too much for one answer, page by page."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Place = TypeVar("Place")


def pages(
    read: Callable[[Place], Sequence[Item]], start: Place, *, place: Callable[[Item], Place]
) -> Iterator[Sequence[Item]]:
    """What ``read`` gives from ``start`` on, until it gives nothing.

    place: of an item, from behind which to go on.
    """
    at = start
    while page := read(at):
        yield page
        at = place(page[-1])


def items(
    read: Callable[[Place], Sequence[Item]], start: Place, *, place: Callable[[Item], Place]
) -> Iterator[Item]:
    """The same, one by one."""
    for page in pages(read, start, place=place):
        yield from page
