"""Memories that people have elsewhere, as the lines that an import takes. Pure.

A format reads a whole file and gives rows: ``note`` (one statement), a turn of a conversation, or
``left`` (what is not taken, and why). A new format is a module here and a row of ``FORMATS``.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from hindsight_memory.core.foreign import chats, graph, memories, notes
from hindsight_memory.errors import InvalidInput

Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """title: for people. rows: from the parsed document, or from text where it is no JSON."""

    title: str
    rows: Callable[[Any], Iterator[Row]]
    fits: Callable[[Any], bool]


FORMATS: Mapping[str, Format] = {
    "chatgpt": Format(title="ChatGPT's export", rows=chats.chatgpt, fits=chats.is_chatgpt),
    "claude": Format(title="Claude's export", rows=chats.claude, fits=chats.is_claude),
    "mem0": Format(title="mem0's or OpenMemory's", rows=memories.rows, fits=memories.fits),
    "memory-server": Format(title="the MCP memory server's", rows=graph.rows, fits=graph.fits),
    "notes": Format(title="Markdown notes", rows=notes.rows, fits=lambda it: isinstance(it, str)),
}
"""The most particular first; notes take any text."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file that was read, and what it is: a key of ``FORMATS``."""

    form: str
    document: Any

    def rows(self) -> Iterator[Row]:
        return FORMATS[self.form].rows(self.document)


def found(name: str, raw: bytes) -> Found | None:
    """None for lines of our own.

    name: of the file; Markdown is told by its ending, all else by what it holds.
    """
    if name.lower().endswith((".md", ".markdown", ".mdc", ".txt")):
        return Found("notes", _text(raw))
    document = _document(raw)
    forms = (each for each, form in FORMATS.items() if form.fits(document))
    return next((Found(form, document) for form in forms), None)


def read_as(form: str, raw: bytes) -> Found:
    """Raises InvalidInput for what is not of that format."""
    document = _text(raw) if form == "notes" else _document(raw)
    if document is None or not FORMATS[form].fits(document):
        raise InvalidInput(f"this is not {FORMATS[form].title} format")
    return Found(form, document)


def _document(raw: bytes) -> Any:
    """The JSON of a file; of several lines that are JSON each, the list; None for anything else."""
    try:
        text = _text(raw)
    except InvalidInput:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return graph.Lines([json.loads(line) for line in text.splitlines() if line.strip()])
    except (ValueError, RecursionError):
        return None


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"not UTF-8: {error}") from error
