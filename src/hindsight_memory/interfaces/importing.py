"""What a file that is imported holds: our own lines, or what another tool wrote."""

import io
import itertools
import json
from collections.abc import Iterable
from typing import IO

from hindsight_memory.core import foreign
from hindsight_memory.engine import transfer
from hindsight_memory.engine.lines import Line
from hindsight_memory.engine.transfer import Given

AUTO, LINES = "auto", "lines"
FORMS = (AUTO, LINES, *foreign.FORMATS)

FIRST_BYTES = 1 << 20
"""The longest first line that is read to see whether it is one of ours."""

_OURS = frozenset({"format", "memory", "rejection", "note", "speaker"})


def rows_of(source: IO[bytes], name: str, form: str = AUTO) -> Iterable[Line[Given]]:
    """Our own lines one by one, whatever the length; what other tools wrote as a whole, as a list.

    name: of the file. form: one of ``FORMS``. Raises InvalidInput for what is not of that form.
    """
    first = b"" if form != AUTO else source.readline(FIRST_BYTES)
    if form == LINES or _is_ours(first):
        return transfer.decoded(itertools.chain([first] if first else [], source))
    raw = first + source.read()
    found = foreign.found(name, raw) if form == AUTO else foreign.read_as(form, raw)
    if found is None:
        return transfer.decoded(io.BytesIO(raw))
    return list(transfer.numbered(found.rows()))


def _is_ours(line: bytes) -> bool:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and not _OURS.isdisjoint(value)
