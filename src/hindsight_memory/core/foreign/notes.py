"""Notes in Markdown, as coding agents keep them: CLAUDE.md, AGENTS.md, MEMORY.md.

Each item of a list and each paragraph is a statement of its own; its headings become tags. A nested
item gets the words that it depends on: "Tests:" and "run them twice" are "Tests: run them twice".
"""

import re
from collections.abc import Iterator
from typing import Any

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_ITEM = re.compile(r"(\s*)(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$")
_FENCE = re.compile(r"\s*(```|~~~)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_STRONG = re.compile(r"(\*\*|__)(\S(?:.*?\S)?)\1")
_TABLE = re.compile(r"\s*\|.*\|\s*$")
_RULE = re.compile(r"\s*(?:[-*_]\s*){3,}$")
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)

TAG_CHARACTERS = 60
INTRODUCTION = (":", "：")


def rows(text: str) -> Iterator[dict[str, Any]]:
    reader = _Reader()
    for line in _COMMENT.sub("", _FRONT.sub("", text.replace("\r\n", "\n"))).split("\n"):
        yield from reader.line(line)
    yield from reader.paragraph()


class _Reader:
    """headings: those above, with their levels. outer: the items above, with their depths."""

    def __init__(self) -> None:
        self._headings: list[tuple[int, str]] = []
        self._outer: list[tuple[int, str]] = []
        self._words: list[str] = []
        self._fence = ""

    def line(self, line: str) -> Iterator[dict[str, Any]]:
        if self._fence or _FENCE.match(line):
            yield from self._code(line)
        elif found := _HEADING.match(line):
            yield from self.paragraph()
            self._heading(len(found[1]), _plain(found[2]))
        elif found := _ITEM.match(line):
            yield from self.paragraph()
            yield from self._item(len(found[1].expandtabs(4)), _plain(found[2]))
        elif not line.strip() or _RULE.match(line):
            yield from self.paragraph()
        elif _TABLE.match(line):
            yield from self.paragraph()
            yield {"left": "a row of a table"}
        else:
            self._words.append(_plain(line))

    def paragraph(self) -> Iterator[dict[str, Any]]:
        if self._words:
            yield _note(" ".join(self._words), self._headings)
            self._words.clear()

    def _code(self, line: str) -> Iterator[dict[str, Any]]:
        found = _FENCE.match(line)
        if not self._fence and found:
            yield from self.paragraph()
            yield {"left": "a block of code"}
            self._fence = found[1]
        elif found and found[1] == self._fence:
            self._fence = ""

    def _heading(self, level: int, words: str) -> None:
        self._headings = [each for each in self._headings if each[0] < level]
        self._headings.append((level, words))
        self._outer.clear()

    def _item(self, depth: int, said: str) -> Iterator[dict[str, Any]]:
        self._outer = [each for each in self._outer if each[0] < depth]
        context = " ".join(words for _, words in self._outer if words.endswith(INTRODUCTION))
        self._outer.append((depth, said))
        if said and not said.endswith(INTRODUCTION):
            yield _note(f"{context} {said}".strip(), self._headings)


def _note(content: str, headings: list[tuple[int, str]]) -> dict[str, Any]:
    if content.startswith("@"):
        return {"left": "a reference to another file"}
    tags = [words[:TAG_CHARACTERS] for level, words in headings if words and level > 1]
    return {"note": {"content": content, "source": "document", "tags": tags}}


def _plain(text: str) -> str:
    """Without marks of layout; what is in backticks stays as it is."""
    parts = re.split(r"(`[^`]*`)", text.strip().removeprefix("> "))
    plain = (
        part if part.startswith("`") else _STRONG.sub(r"\2", _LINK.sub(r"\1", part))
        for part in parts
    )
    return " ".join("".join(plain).split())
