"""What an export takes, through every door. It is no operation: it gives lines, and no document."""

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from hindsight_memory.core import hygiene
from hindsight_memory.engine.exporting import Wanted, lines
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.operation import explain
from hindsight_memory.interfaces.schemas import STRICT, Instant

if TYPE_CHECKING:
    from hindsight_memory.engine.memories import Memories

PATH = "/v1/export"
MEDIA_TYPE = "application/jsonl"

LINES = 100
"""Sent at a time: about 100 KB, 10 ms of a thread."""


@dataclass(config=STRICT)
class ExportIn:
    _: KW_ONLY
    user_id: Annotated[str | None, Field(description="Only memories of this user.")] = None
    project: Annotated[str | None, Field(description="Only memories of this project.")] = None
    as_of: Annotated[Instant | None, Field(description="Only what was true then.")] = None
    known_at: Annotated[Instant | None, Field(description="Only what was known then.")] = None


TAKES = TypeAdapter(ExportIn)


def wanted(arguments: Mapping[str, Any]) -> Wanted:
    """Raises InvalidInput, naming every wrong field."""
    hygiene.check_encodable(arguments)
    try:
        given = TAKES.validate_python(dict(arguments))
    except ValidationError as error:
        raise InvalidInput(explain(error)) from error
    return Wanted(
        user_id=given.user_id,
        project=given.project,
        as_of=given.as_of,
        known_at=given.known_at,
    )


def chunks(memories: "Memories", tenant: str, chosen: Wanted) -> Iterator[bytes]:
    """The lines of an export, many at a time. The first come with the header, so that a store that
    fails does so at once.
    """
    found = lines(memories.parts, tenant, chosen)
    while chunk := b"".join(islice(found, LINES)):
        yield chunk
