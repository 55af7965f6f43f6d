"""Working memory for people: the agent's notepad, part by part."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hindsight_memory.interfaces.agent_schemas import DocumentOut, WorkingMemoryOut
from hindsight_memory.interfaces.cli.wording import cut, safe


def working_shown(result: WorkingMemoryOut, _glance: object) -> RenderableType:
    """What is empty is not shown."""
    table = Table.grid(padding=(0, 2))
    for name, line in _lines(result.document):
        table.add_row(Text(name, "dim"), line)
    session = Text(f"session {safe(result.session_id)} · version {result.version}", "dim")
    notes = (Text(safe(note), "dim") for note in result.notes)
    return Group(*([table] if table.row_count else [Text("Nothing noted yet.")]), session, *notes)


def _lines(document: DocumentOut) -> Iterator[tuple[str, Text]]:
    """Each with its name, which the next of its kind does not repeat."""
    if document.task_goal:
        yield "goal", Text(safe(document.task_goal), "bold")
    for name, (heading, told) in _PARTS.items():
        if folded := document.folded.get(name):
            yield heading, Text(f"{folded} older ones are no longer told", "dim")
            heading = ""  # noqa: PLW2901 - once for each part
        for each in getattr(document, name):
            yield heading, Text(cut(told(each)))
            heading = ""  # noqa: PLW2901 - likewise


def _attempt(each: Any) -> str:
    return ": ".join(filter(None, (each.action, each.reason, each.error)))


def _call(each: Any) -> str:
    arguments = json.dumps(each.arguments, ensure_ascii=False) if each.arguments else ""
    return " ".join(filter(None, (each.status, each.tool, arguments)))


_PARTS: Mapping[str, tuple[str, Callable[[Any], str]]] = {
    "confirmed_facts": ("facts", lambda each: f"{each.fact} ({each.source})"),
    "pending_items": ("to do", lambda each: f"{each.priority} {each.item}"),
    "failed_attempts": ("failed", _attempt),
    "tool_call_history": ("calls", _call),
}
