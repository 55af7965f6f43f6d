"""Edits to JSON as text, so that what is not ours keeps every byte: order, spaces and comments.

Understands comments and trailing commas, which editors allow in their settings.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from hindsight_memory.errors import InvalidInput

Step: TypeAlias = str
Path: TypeAlias = Sequence[Step]
"""Names of members, from the outermost object inwards."""

_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SCALAR = re.compile(r"[-+.\w]+")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


@dataclass(frozen=True, slots=True)
class Part:
    """A member of an object, or an item of an array (name "").

    start, end: from its name, or its value, to the end of its value. value: where that begins.
    """

    name: str
    start: int
    value: int
    end: int


def value_of(text: str) -> Any:
    """Raises InvalidInput for what is no JSON, comments and trailing commas aside."""
    if not text.strip():
        return {}
    try:
        return json.loads(_plain(text))
    except ValueError as error:
        raise InvalidInput(f"not JSON: {error}") from error


def with_member(text: str, path: Path, name: str, value: Any) -> str:
    """``text`` with the member at the end of the object that ``path`` leads to; the objects on the
    way there are made where they are missing, and a member of that name is replaced.
    """
    text = _object(text)
    at = _find(text, path)
    if at is None:
        *outer, last = path
        return with_member(text, outer, last, {name: value})
    for part in _parts(text, at):
        if part.name == name:
            return text[: part.value] + _written(value, text, at) + text[part.end :]
    return _appended(text, at, f"{json.dumps(name)}: {_written(value, text, at)}")


def with_item(text: str, path: Path, value: Any) -> str:
    """``text`` with the item at the end of the array that ``path`` leads to, which is made where it
    is missing.
    """
    text = _object(text)
    at = _find(text, path)
    if at is None:
        *outer, last = path
        return with_member(text, outer, last, [value])
    return _appended(text, at, _written(value, text, at))


def without(text: str, path: Path, index: int | None = None) -> str:
    """``text`` without the member that ``path`` leads to, or the item ``index`` of that array."""
    inside = _find(text, path[:-1] if index is None else path)
    if inside is None:
        return text
    parts = list(_parts(text, inside))
    wanted = index
    if wanted is None:
        names = [part.name for part in parts]
        wanted = names.index(path[-1]) if path[-1] in names else None
    if wanted is None or wanted >= len(parts):
        return text
    return _removed(text, inside, parts, wanted)


def _object(text: str) -> str:
    """``text``, or that of an empty object. Raises InvalidInput for anything else."""
    if not isinstance(value_of(text), dict):
        raise InvalidInput("not a JSON object")
    return text if text.strip() else "{}\n"


def _removed(text: str, inside: int, parts: Sequence[Part], number: int) -> str:
    """With the comma and the blanks that came with it."""
    part = parts[number]
    if number > 0:
        return text[: parts[number - 1].end] + text[part.end :]
    if len(parts) > 1:
        return text[: part.start] + text[parts[1].start :]
    after = _blank(text, part.end)
    end = _blank(text, after + 1) if text[after] == "," else after
    return text[: inside + 1] + text[end:]


def _appended(text: str, at: int, what: str) -> str:
    parts = list(_parts(text, at))
    inner = _indent(text, at) + _step(text)
    if not parts:
        end = _blank(text, at + 1)
        return f"{text[: at + 1]}\n{inner}{what}\n{_indent(text, at)}{text[end:]}"
    last = parts[-1].end
    return f"{text[:last]},\n{inner}{what}{text[last:]}"


def _written(value: Any, text: str, at: int) -> str:
    """``value``, indented as a part of what begins at ``at``."""
    step = _step(text)
    lines = json.dumps(value, ensure_ascii=False, indent=step).splitlines()
    return f"\n{_indent(text, at) + step}".join(lines)


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at + 1]
    return line[: len(line) - len(line.lstrip())]


def _step(text: str) -> str:
    """How deep the file indents; two blanks where it does not say."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else "  "


def _find(text: str, path: Path) -> int | None:
    """Where the value at the end of ``path`` begins."""
    at = _blank(text, 0)
    for name in path:
        found = [part for part in _parts(text, at) if part.name == name]
        if not found:
            return None
        at = found[-1].value
    return at


def _parts(text: str, at: int) -> Iterator[Part]:
    """Of the object or array that begins at ``at``. Raises InvalidInput for anything else."""
    if text[at : at + 1] not in {"{", "["}:
        raise InvalidInput("where our entry belongs stands something that is no object or array")
    is_object = text[at] == "{"
    at = _blank(text, at + 1)
    while text[at] not in "}]":
        start, name = at, ""
        if is_object:
            end = _end(text, at)
            name = json.loads(text[at:end])
            at = _blank(text, _blank(text, end) + 1)
        end = _end(text, at)
        yield Part(name, start, at, end)
        at = _blank(text, end)
        if text[at] == ",":
            at = _blank(text, at + 1)


def _end(text: str, at: int) -> int:
    """Where the value that begins at ``at`` ends."""
    if text[at] in "{[":
        last = at + 1
        for part in _parts(text, at):
            last = part.end
        end = _blank(text, last)
        return (_blank(text, end + 1) if text[end] == "," else end) + 1
    found = (_STRING if text[at] == '"' else _SCALAR).match(text, at)
    if found is None:
        raise InvalidInput(f"not JSON at character {at}")
    return found.end()


def _blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _plain(text: str) -> str:
    """Without comments and trailing commas."""
    kept: list[str] = []
    at = 0
    pattern = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
    for found in pattern.finditer(text):
        kept += [text[at : found.start()], found[1] or " "]
        at = found.end()
    joined = "".join([*kept, text[at:]])
    return re.sub(r'("(?:[^"\\]|\\.)*")|,(\s*[}\]])', lambda found: found[1] or found[2], joined)
