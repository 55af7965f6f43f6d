"""Schemas lose what costs tokens, and nothing that a caller needs."""

from typing import Any

import jsonschema
import pytest
from pydantic import BaseModel, Field, TypeAdapter

from hindsight_memory.interfaces.compact import input_schema, output_schema
from hindsight_memory.interfaces.operation import Operation
from hindsight_memory.interfaces.operations import OPERATIONS


class Inner(BaseModel):
    must: int
    may: int = 0


class Outer(BaseModel):
    title: str = Field(description="Kept for callers.")
    maybe: int | None = None
    inner: Inner
    more: list[Inner] = []


SCHEMA = TypeAdapter(Outer).json_schema()


def test_arguments_keep_their_descriptions_and_lose_titles_and_nulls() -> None:
    assert input_schema(SCHEMA) == {
        "$defs": {
            "Inner": {
                "properties": {
                    "must": {"type": "integer"},
                    "may": {"type": "integer", "default": 0},
                },
                "required": ["must"],
                "type": "object",
            }
        },
        "properties": {
            "title": {"type": "string", "description": "Kept for callers."},
            "maybe": {"type": "integer"},
            "inner": {"$ref": "#/$defs/Inner"},
            "more": {"type": "array", "items": {"$ref": "#/$defs/Inner"}, "default": []},
        },
        "required": ["title", "inner"],
        "type": "object",
    }


def test_results_keep_what_is_always_there() -> None:
    compacted = output_schema(SCHEMA)
    assert compacted["properties"]["title"] == {"type": "string"}
    assert list(compacted["properties"]) == ["title", "inner", "more"]
    assert list(compacted["$defs"]["Inner"]["properties"]) == ["must"]
    jsonschema.validate({"title": "t", "inner": {"must": 1, "may": 2}}, compacted)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"title": "t", "inner": {"must": "1"}}, compacted)


class Optional(BaseModel):
    may: int = 0


class Holder(BaseModel):
    optional: Optional


def test_an_object_of_which_nothing_is_always_there_needs_no_name() -> None:
    compacted = output_schema(TypeAdapter(Holder).json_schema())
    assert compacted["properties"] == {"optional": {"type": "object"}}
    assert "$defs" not in compacted


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
def test_every_schema_is_valid(operation: Operation) -> None:
    schemas: list[dict[str, Any]] = [operation.input_schema(), operation.output_schema()]
    for schema in schemas:
        jsonschema.Draft202012Validator.check_schema(schema)
