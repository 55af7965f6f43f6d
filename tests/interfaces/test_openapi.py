"""The OpenAPI document is valid, and says what the routes do."""

from types import ModuleType

import pytest
from httpx2 import AsyncClient
from openapi_spec_validator import OpenAPIV31SpecValidator

from hindsight_memory.interfaces import exporting
from hindsight_memory.interfaces.openapi import document
from hindsight_memory.interfaces.operation import Operation
from hindsight_memory.interfaces.operations import OPERATIONS


def test_the_document_is_valid() -> None:
    OpenAPIV31SpecValidator(document()).validate()


def test_a_key_may_be_needed_and_goes_into_a_header() -> None:
    described = document()
    assert described["security"] == [{"api_key": []}, {}]
    scheme = described["components"]["securitySchemes"]["api_key"]
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")


def test_every_route_is_described_once() -> None:
    described = [
        (method.upper(), path) for path, item in document()["paths"].items() for method in item
    ]
    offered = [(route.method, route.path) for each in OPERATIONS for route in each.routes]
    assert sorted(described) == sorted([*offered, ("GET", exporting.PATH)])


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
def test_every_argument_is_described_in_each_route(operation: Operation) -> None:
    described = document()
    takes = set(operation.input_schema()["properties"])
    for route in operation.routes:
        item = described["paths"][route.path][route.method.lower()]
        assert item["description"] == operation.description
        body = item.get("requestBody", {}).get("content", {}).get("application/json", {})
        schema = body.get("schema", {"properties": {}})
        if "$ref" in schema:
            schema = described["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        places = {each["name"] for each in item["parameters"]} | set(schema["properties"])
        assert places == takes


def test_parameters_stand_where_the_route_takes_them(odd: ModuleType) -> None:
    paths = document(odd.OPERATIONS)["paths"]
    assert [
        (p["name"], p["in"], p["required"]) for p in paths["/odd/echo"]["get"]["parameters"]
    ] == [
        ("text", "query", False),
        ("times", "query", False),
        ("tags", "query", False),
    ]
    patch = paths["/odd/echo/{text}"]["patch"]
    assert [(p["name"], p["in"], p["required"]) for p in patch["parameters"]] == [
        ("text", "path", True)
    ]
    body = patch["requestBody"]["content"]["application/json"]["schema"]
    assert set(body["properties"]) == {"times", "tags"}
    assert set(paths["/odd/slow"]["post"]["responses"]) == {"201", "default"}


async def test_it_is_served(http: AsyncClient, odd: ModuleType) -> None:
    assert (await http.get("/openapi.json")).json() == document(odd.OPERATIONS)
