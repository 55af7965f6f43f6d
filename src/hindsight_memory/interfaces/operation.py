"""What an operation is: one thing a caller can do, the same through every door."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, TypeAdapter, ValidationError

from hindsight_memory.core import hygiene
from hindsight_memory.core.model import Caller
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces import compact

if TYPE_CHECKING:  # the engine takes 0.1 s to import, and listing tools needs none of it
    from hindsight_memory.engine.memories import Memories

Right = Literal["read", "write", "forget"]


@dataclass(frozen=True, slots=True)
class Route:
    """An HTTP method and path; names in braces are arguments."""

    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing a caller can do. ``run`` converts, calls the engine, converts back.

    command: its name in the shell. status: of an HTTP answer that succeeds.
    """

    name: str
    command: str
    right: Right
    routes: tuple[Route, ...]
    takes: type
    gives: type[BaseModel]
    run: Callable[["Memories", Caller, Any], BaseModel]
    is_tool: bool = True
    is_idempotent: bool = False
    status: int = 200

    @property
    def description(self) -> str:
        return " ".join((self.run.__doc__ or "").split())

    @property
    def is_read_only(self) -> bool:
        return self.right == "read"

    @property
    def is_destructive(self) -> bool:
        return self.right == "forget"

    def parse(self, arguments: Mapping[str, Any]) -> Any:
        """``takes``, made of plain values. Raises InvalidInput, naming every wrong field."""
        hygiene.check_encodable(arguments)
        try:
            return _adapter(self.takes).validate_python(dict(arguments))
        except ValidationError as error:
            raise InvalidInput(explain(error)) from error

    def input_schema(self) -> dict[str, Any]:
        return compact.input_schema(_adapter(self.takes).json_schema())

    def output_schema(self) -> dict[str, Any]:
        return compact.output_schema(self.gives.model_json_schema(mode="serialization"))


@cache
def _adapter(takes: type) -> TypeAdapter[Any]:
    return TypeAdapter(takes)


def explain(error: ValidationError) -> str:
    """What pydantic found wrong, by field."""
    return "; ".join(
        f"{'.'.join(map(str, each['loc'])) or 'input'}: {each['msg']}"
        for each in error.errors(include_url=False, include_input=False)
    )
