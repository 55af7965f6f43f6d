"""What the package itself offers to who imports it."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest
from pydantic import BaseModel

import hindsight_memory
from hindsight_memory.engine.lines import Report
from hindsight_memory.interfaces.operations import OPERATIONS


def models(kind: Any) -> Iterator[type[BaseModel]]:
    """``kind``, or what it is made of, as far as these are models, at any depth."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind
        for field in kind.model_fields.values():
            yield from models(field.annotation)
    for part in get_args(kind):
        yield from models(part)


TAKEN_AND_GIVEN = sorted(
    {
        model
        for operation in OPERATIONS
        for kind in (operation.gives, *get_type_hints(operation.takes).values())
        for model in models(kind)
    },
    key=lambda model: model.__name__,
)


@pytest.mark.parametrize("model", [Report, *TAKEN_AND_GIVEN], ids=lambda model: model.__name__)
def test_what_a_method_takes_and_gives_is_imported_from_the_package(model: type) -> None:
    assert model.__name__ in hindsight_memory.__all__
    assert getattr(hindsight_memory, model.__name__) is model


def test_each_name_is_there() -> None:
    found = [name for name in hindsight_memory.__all__ if hasattr(hindsight_memory, name)]
    assert found == hindsight_memory.__all__ == sorted(found)
    with pytest.raises(AttributeError, match="no attribute 'MemoryIn'"):
        _ = hindsight_memory.MemoryIn


def test_a_failure_is_caught_without_importing_what_is_not_used() -> None:
    check = (
        "import sys; from hindsight_memory import Conflict; "
        "print(sorted({'pydantic', 'numpy', 'hindsight_memory.engine'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", check], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"
