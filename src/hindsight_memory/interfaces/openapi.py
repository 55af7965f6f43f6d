"""The OpenAPI 3.1 document of the REST door, made from the table of operations."""

import re
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, Literal

from pydantic import TypeAdapter

from hindsight_memory.interfaces import exporting
from hindsight_memory.interfaces.failures import Failure
from hindsight_memory.interfaces.operation import Operation, Route
from hindsight_memory.interfaces.operations import OPERATIONS
from hindsight_memory.interfaces.rest import WITH_BODY

Schema = dict[str, Any]
Key = tuple[str, Literal["takes", "gives"]]

COMPONENTS = "#/components/schemas/"

BEARER = "api_key"
SCHEME = {
    "type": "http",
    "scheme": "bearer",
    "description": "Needed where the server has keys, as it has when other machines reach it.",
}

FAILURE: Key = ("failure", "gives")


def document(operations: Sequence[Operation] = OPERATIONS) -> Schema:
    """Complete and self-contained: what it refers to is in it."""
    schemas, components = _schemas(operations)
    paths: dict[str, Schema] = {exporting.PATH: {"get": _export(schemas)}}
    for operation in operations:
        takes = _resolved(schemas[operation.name, "takes"], components)
        for route in operation.routes:
            described = _describe(operation, route, takes, schemas)
            paths.setdefault(route.path, {})[route.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Hindsight Memory",
            "version": version("hindsight-memory"),
            "description": "Long-term memory for LLM agents that knows what can still be believed.",
        },
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": {BEARER: SCHEME}},
        "security": [{BEARER: []}, {}],
    }


def _schemas(operations: Sequence[Operation]) -> tuple[Mapping[Key, Schema], Schema]:
    """What each operation takes and gives, and the components that these refer to."""
    inputs: list[tuple[Key, Literal["validation", "serialization"], TypeAdapter[Any]]] = [
        (FAILURE, "serialization", TypeAdapter(Failure))
    ]
    for operation in operations:
        inputs.append(((operation.name, "takes"), "validation", TypeAdapter(operation.takes)))
        inputs.append(((operation.name, "gives"), "serialization", TypeAdapter(operation.gives)))
    template = COMPONENTS + "{model}"
    found, definitions = TypeAdapter.json_schemas(inputs, ref_template=template)
    return {key: schema for (key, _mode), schema in found.items()}, definitions["$defs"]


def _describe(
    operation: Operation, route: Route, takes: Schema, schemas: Mapping[Key, Schema]
) -> Schema:
    in_path = re.findall(r"{(\w+)}", route.path)
    has_body = route.method in WITH_BODY
    is_first = route == operation.routes[0]
    described: Schema = {
        "operationId": operation.name if is_first else f"{operation.name}_{route.method.lower()}",
        "description": operation.description,
        "parameters": [
            _parameter(name, takes, place="path" if name in in_path else "query")
            for name in takes["properties"]
            if name in in_path or not has_body
        ],
        "responses": {
            str(operation.status): _response("Success", schemas[operation.name, "gives"]),
            "default": _response("Any failure", schemas[FAILURE]),
        },
    }
    if has_body:
        body = _without(takes, in_path) if in_path else schemas[operation.name, "takes"]
        described["requestBody"] = {"required": True, "content": _json(body)}
    return described


def _export(schemas: Mapping[Key, Schema]) -> Schema:
    takes = exporting.TAKES.json_schema()
    lines = {exporting.MEDIA_TYPE: {"schema": {"type": "string"}}}
    return {
        "operationId": "export",
        "description": "Memories with their histories as JSON Lines, for `import`: all of them, or "
        "those of a user or project; as they are, or as they were.",
        "parameters": [_parameter(name, takes, place="query") for name in takes["properties"]],
        "responses": {
            "200": {"description": "One JSON object a line", "content": lines},
            "default": _response("Any failure", schemas[FAILURE]),
        },
    }


def _parameter(name: str, takes: Schema, *, place: Literal["path", "query"]) -> Schema:
    schema = dict(takes["properties"][name])
    parameter = {
        "name": name,
        "in": place,
        "required": place == "path" or name in takes.get("required", ()),
        "schema": schema,
    }
    if description := schema.pop("description", None):
        parameter["description"] = description
    return parameter


def _without(schema: Schema, names: Sequence[str]) -> Schema:
    """``schema`` for a body whose arguments ``names`` come in the path."""
    properties = {n: kind for n, kind in schema["properties"].items() if n not in names}
    required = [name for name in schema.get("required", ()) if name not in names]
    return {**schema, "properties": properties, "required": required}


def _response(description: str, schema: Schema) -> Schema:
    return {"description": description, "content": _json(schema)}


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}


def _resolved(schema: Schema, components: Schema) -> Schema:
    reference = schema.get("$ref")
    if reference is None:
        return schema
    found: Schema = components[reference.removeprefix(COMPONENTS)]
    return found
