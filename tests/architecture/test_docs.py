"""What is documented exists, and what exists is documented: names, defaults, bounds, numbers."""

import importlib
import inspect
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, get_args

import click
import pytest

from hindsight_memory import errors
from hindsight_memory.core.intent import INTENTS
from hindsight_memory.core.lifts import LIFT_WEIGHTS
from hindsight_memory.core.model import Caller, Outcome
from hindsight_memory.core.policy import POLICIES, TRUST, MemoryType
from hindsight_memory.core.retrieval import Verdict
from hindsight_memory.core.scoring import PROFILES, SIGNALS
from hindsight_memory.core.validity import FACTORS
from hindsight_memory.interfaces.cli.endings import exit_code
from hindsight_memory.interfaces.cli.main import cli
from hindsight_memory.interfaces.http import create_app
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.interfaces.operation import Operation
from hindsight_memory.interfaces.operations import BY_NAME, OPERATIONS
from hindsight_memory.interfaces.responses import response_to
from hindsight_memory.settings import PREFIX, Settings, default_path

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
USER_PAGES = [page for page in PAGES if page.parent.name != "why"]
SETTINGS = [PREFIX + name.upper() for name in Settings.model_fields]
COMMANDS = cli.list_commands(click.Context(cli))
SEARCHING = "docs/searching.md"
TOOLS = [operation for operation in OPERATIONS if operation.is_tool]
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
Row = list[str]


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


@cache
def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def prose(name: str) -> str:
    """Without the blocks, whose comments look like headings."""
    return FENCED.sub("", read(name))


def section(name: str, heading: str) -> str:
    """The text below ``heading``, up to the next of its level or above."""
    level, text = heading.split(" ", maxsplit=1)[0], prose(name)
    start = text.index(f"\n{heading}\n") + len(heading) + 2
    end = re.search(rf"^#{{1,{len(level)}}} ", text[start:], re.MULTILINE)
    return text[start : start + end.start()] if end else text[start:]


def rows(text: str) -> list[Row]:
    """The cells of each row of each table, without heads and lines."""
    lines = re.findall(r"^\|(.*)\|$", text, re.MULTILINE)
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)] for line in lines]
    heads = [index - 1 for index, row in enumerate(cells) if set("".join(row)) <= set("-:")]
    return [row for i, row in enumerate(cells) if i not in heads and i - 1 not in heads]


def code(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def first_names(text: str) -> list[str]:
    return [name for row in rows(text) for name in code(row[0])]


def test_each_setting_is_documented_and_no_other() -> None:
    assert first_names(read("docs/settings.md")) == SETTINGS


@pytest.mark.parametrize("name", Settings.model_fields)
def test_a_setting_is_documented_with_its_default(name: str) -> None:
    default = Settings.model_fields[name].default
    told = code(setting(name)[1])[:1]
    is_empty = name != "store_url" and str(default) == ""
    assert told == ([] if is_empty else [code_of(name, default)])


def code_of(name: str, default: Any) -> str:
    """As it is typed; the default store is told by the name of its file."""
    if name == "store_url":
        return default_path().name
    return json.dumps(default) if isinstance(default, dict | list) else str(default)


def setting(name: str) -> Row:
    """Its row in the table."""
    table = {code(row[0])[0]: row for row in rows(read("docs/settings.md"))}
    return table[PREFIX + name.upper()]


@pytest.mark.parametrize("name", Settings.model_fields)
def test_a_setting_is_documented_with_its_bounds_and_an_example(name: str) -> None:
    field = Settings.model_fields[name]
    literals = [value for value in get_args(field.annotation) if isinstance(value, str)]
    wanted = [*bounds(field.metadata), *literals]
    assert [each for each in wanted if str(each) not in setting(name)[2]] == []
    assert re.search(rf"^export {PREFIX}{name.upper()}=", read("docs/settings.md"), re.MULTILINE)


def bounds(constraints: list[Any]) -> list[float]:
    kinds = ("ge", "gt", "le", "lt", "min_length")
    return [getattr(each, kind) for each in constraints for kind in kinds if hasattr(each, kind)]


def test_no_page_names_a_setting_that_does_not_exist() -> None:
    misspelt = f"{PREFIX}STORE"
    used = {name for page in PAGES for name in re.findall(rf"{PREFIX}[A-Z_]+", read(named(page)))}
    assert used == {*SETTINGS, misspelt}


def test_each_tool_is_documented_and_no_other() -> None:
    headings = re.findall(r"^### `(\w+)`$", prose("docs/mcp.md"), re.MULTILINE)
    assert headings == [tool.name for tool in TOOLS]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_each_argument_of_a_tool_is_documented_with_its_values_and_bounds(tool: Operation) -> None:
    table = {
        code(row[0])[0]: " ".join(row[1:])
        for row in rows(section("docs/mcp.md", f"### `{tool.name}`"))
    }
    schema = tool.input_schema()
    assert list(table) == list(schema["properties"])
    for name, argument in schema["properties"].items():
        wanted = {str(value) for value in limits(argument, schema.get("$defs", {}))}
        assert {value for value in wanted if value not in table[name]} == set(), name


def limits(node: Any, definitions: Mapping[str, Any]) -> Iterator[Any]:
    """The values of enums, the bounds of numbers and the names of parts, anywhere in a schema."""
    if isinstance(node, list):
        for each in node:
            yield from limits(each, definitions)
    if isinstance(node, dict):
        yield from node.get("enum", ())
        yield from node.get("properties", ())
        yield from (node[bound] for bound in ("minimum", "maximum") if bound in node)
        if "$ref" in node:
            yield from limits(definitions[node["$ref"].rpartition("/")[2]], definitions)
        yield from limits(list(node.values()), definitions)


def test_no_page_names_an_operation_that_does_not_exist() -> None:
    fields_named = {"memory_id", "memory_ids", "memory_type", "memory_types"}
    used = {
        name for page in USER_PAGES for name in re.findall(r"\bmemory_[a-z_]+", read(named(page)))
    }
    assert used <= BY_NAME.keys() | fields_named


def test_each_route_of_an_operation_is_documented_and_no_other() -> None:
    routes = {f"{route.method} {route.path}" for each in OPERATIONS for route in each.routes}
    own = {
        f"GET {path}" for path in ("/v1/export", "/healthz", "/readyz", "/metrics", "/openapi.json")
    }
    assert set(first_names(prose("docs/rest.md"))) == routes | own


def test_each_path_that_is_served_is_named() -> None:
    app = create_app(lambda: pytest.fail("nobody calls"), Caller())
    paths = {getattr(route, "path", "").rstrip("/") for route in app.routes}
    named_there = {name.split(" ")[-1].rstrip("/") for name in code(prose("docs/rest.md"))}
    assert paths - named_there == set()
    assert {"/mcp", "/healthz", "/v1/memories"} <= paths


def test_each_argument_of_what_is_no_tool_is_documented_with_its_route() -> None:
    told = {
        name
        for part in ("## Read", "## Upkeep", "## Queued writes and jobs", "## Working memory")
        for name in code(section("docs/rest.md", part))
    }
    taken = {
        each.name
        for operation in OPERATIONS
        if not operation.is_tool
        for each in fields(operation.takes)
    }
    assert taken <= told


def test_each_command_is_documented_and_no_other() -> None:
    headings = re.findall(r"^### `([\w-]+)`$", prose("docs/cli.md"), re.MULTILINE)
    assert sorted(headings) == sorted(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_of_a_command_is_documented_and_no_other(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    flags = {flag for each in command.params for flag in (*each.opts, *each.secondary_opts)}
    options = {flag for flag in flags if flag.startswith("--")}
    shared = set(first_names(prose("docs/cli.md").split("## Operations")[0]))
    told = {word for word in code(section("docs/cli.md", f"### `{name}`")) if word[:2] == "--"}
    assert options - shared <= told <= options


def test_no_page_uses_a_command_that_does_not_exist() -> None:
    pattern = r"(?:^\$ |`|\| |; )(?:[A-Z_]+=\S+ )*hindsight-memory (?:--json )?([a-z][a-z-]*)"
    texts = [read(named(page)) for page in USER_PAGES]
    used = {name for text in texts for name in re.findall(pattern, text, re.MULTILINE)}
    assert used - set(COMMANDS) == set()
    assert len(used) > len(COMMANDS) / 2  # else the pattern finds nothing


def all_errors(
    kind: type[errors.HindsightError] = errors.HindsightError,
) -> list[type[errors.HindsightError]]:
    return [kind, *(each for sub in kind.__subclasses__() for each in all_errors(sub))]


def test_each_error_is_documented_with_its_status_and_exit_code() -> None:
    table = {
        code(row[0])[0]: (int(row[2]), int(row[3]))
        for row in rows(prose("docs/errors.md"))
        if len(row) == 5
    }
    mapped = {
        kind.code: (response_to(kind("x")).status_code, exit_code(kind("x")))
        for kind in all_errors()
        if kind.__module__ == errors.__name__
    }
    assert table == mapped


@pytest.mark.parametrize(("index", "name"), list(enumerate(PROFILES, start=1)))
def test_each_profile_is_documented_with_its_weights(index: int, name: str) -> None:
    table = rows(section(SEARCHING, "## Profiles"))
    told = {code(row[0])[0]: float(row[index]) for row in table if row[index]}
    assert told == PROFILES[name].weights


@pytest.mark.parametrize(
    ("readme", "heading"),
    [("README.md", "## What a search weighs"), ("README.zh.md", "## 检索时看什么")],
)
def test_the_readme_tells_the_weights_of_the_default_profile(readme: str, heading: str) -> None:
    told = {code(row[0])[0]: float(row[1]) for row in rows(section(readme, heading))}
    assert told == PROFILES["balanced"].weights


def test_each_signal_is_documented_and_each_half_life() -> None:
    told = {name: row[1] for row in rows(section(SEARCHING, "## Signals")) for name in code(row[0])}
    assert set(told) == {*SIGNALS, *MemoryType}
    for kind, policy in POLICIES.items():
        days = policy.half_life and f"{policy.half_life.days} days"
        assert told[kind].startswith(days or "none"), kind


def test_each_verdict_and_each_intent_is_documented() -> None:
    assert set(first_names(section(SEARCHING, "## Validity"))) == set(get_args(Verdict))
    assert {each.name for each in INTENTS} <= set(code(section(SEARCHING, "## Open questions")))


def test_the_formulas_have_the_factors_and_lifts_of_the_code() -> None:
    text = read(SEARCHING)
    assert re.findall(r"× ([\d.]+) for", text) == [str(factor) for factor, _ in FACTORS]
    lifts = {name: re.search(rf"^{name} += ([\d.]+) ", text, re.MULTILINE) for name in LIFT_WEIGHTS}
    assert {name: told and float(told[1]) for name, told in lifts.items()} == LIFT_WEIGHTS


def test_each_outcome_and_each_type_is_documented() -> None:
    before, _, after = prose("docs/writing.md").partition("## What is worth writing")
    assert set(first_names(before)) == set(Outcome)
    assert set(first_names(after.split("## Defaults")[0])) == set(MemoryType)


def test_each_source_is_documented_with_what_it_starts_as() -> None:
    table = rows(section("docs/writing.md", "## Defaults of a source"))
    told = {code(row[0])[0]: (float(row[1]), code(row[2])[0], float(row[3])) for row in table}
    assert told == {
        source: (standing.trust, standing.status, standing.confidence)
        for source, standing in TRUST.items()
    }


@pytest.mark.parametrize("readme", ["README.md", "README.zh.md"])
def test_the_readme_tells_every_outcome_that_can_happen(readme: str) -> None:
    later = {Outcome.QUARANTINED}
    assert set(first_names(prose(readme))) - set(SIGNALS) == set(Outcome) - later
    assert all(f"`{outcome.value}`" in prose(readme) for outcome in later)
    assert len(read(readme).splitlines()) <= 200


def test_each_number_is_the_one_in_the_code() -> None:
    numbers = [
        (code(row[-1])[0], row[-2])
        for name in ("docs/searching.md", "docs/writing.md")
        for row in rows(read(name))
        if re.fullmatch(r"`(?:core|engine|stores|interfaces)\.[\w.]+`", row[-1])
    ]
    assert len(numbers) > 20
    assert [(where, told) for where, told in numbers if float(told) != value_at(where)] == []


def value_at(where: str) -> Any:
    """Of a dotted path below our package: a module, then names in it."""
    parts = where.split(".")
    for cut in range(len(parts), 0, -1):
        name = ".".join(["hindsight_memory", *parts[:cut]])
        try:
            found: Any = importlib.import_module(name)
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            found = getattr(found, part)
        return found
    return None


def test_each_method_of_the_library_is_documented_with_its_positional_arguments() -> None:
    table = {code(row[0])[0]: code(row[1]) for row in rows(prose("docs/library.md"))}
    methods = {
        name for name, _ in inspect.getmembers(Hindsight, inspect.isfunction) if name[0] != "_"
    }
    assert set(table) == methods
    for operation in OPERATIONS:
        taken = [each.name for each in fields(operation.takes) if not each.kw_only]
        assert table[operation.command.replace("-", "_")] == taken, operation.command


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", prose(named(page)))
    broken = [link for link in links if ":" not in link and not leads_somewhere(page, link)]
    assert broken == []


def leads_somewhere(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    return target.exists() and (not anchor or anchor in anchors(target))


def anchors(page: Path) -> set[str]:
    """As GitHub makes them of headings: letters, digits, hyphens; spaces become hyphens."""
    headings = re.findall(r"^#+ (.+)$", prose(named(page)), re.MULTILINE)
    return {
        "".join(
            letter
            for letter in heading.lower().replace(" ", "-")
            if letter in "-_" or unicodedata.category(letter)[0] in "LN"
        )
        for heading in headings
    }
