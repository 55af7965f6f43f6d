"""Hooks as clients run them, with what they write on stdin; and the installation of them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

COMMAND = str(Path(sys.executable).with_name("hindsight-memory"))
NOBODY = "http://127.0.0.1:9"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    return tmp_path


def run(home: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "HINDSIGHT_MEMORY_STORE_URL": f"sqlite:///{home}/memory.db",
        "HINDSIGHT_MEMORY_EMBEDDER": "none",
    }
    return subprocess.run(
        [COMMAND, *arguments],
        input=given,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def hook(home: Path, event: str, given: Any, *, client: str = "claude-code") -> str:
    text = given if isinstance(given, str) else json.dumps(given)
    done = run(home, "hook", event, "--client", client, "--url", NOBODY, given=text)
    assert done.returncode == 0
    return done.stdout


def claude(home: Path, event: str, **given: Any) -> dict[str, Any]:
    return {
        "session_id": "s1",
        "transcript_path": "/x.jsonl",
        "cwd": str(home / "shop"),
        "hook_event_name": event,
        **given,
    }


def call(home: Path, event: str, encoding: str, **more: Any) -> dict[str, Any]:
    tool = {"tool_name": "read_csv", "tool_input": {"path": "a.csv", "encoding": encoding}}
    return claude(home, event, **tool, **more)


def stored(home: Path) -> list[dict[str, Any]]:
    found = json.loads(run(home, "list", "--json").stdout)["memories"]
    return [each for each in found if each["layer"] == "semantic"]


def test_a_session_writes_when_its_turn_ends_and_the_next_one_is_told(home: Path) -> None:
    said = claude(home, "UserPromptSubmit", prompt="Prices are never in dollars. Import the file.")
    hook(home, "prompt", said)
    error = "UnicodeDecodeError: byte 0xb9"
    hook(home, "tool-failed", call(home, "PostToolUseFailure", "utf-8", error=error))
    hook(home, "after-tool", call(home, "PostToolUse", "gbk", tool_response={"rows": 812}))
    assert stored(home) == []
    hook(home, "stop", claude(home, "Stop", stop_hook_active=False))
    contents = [each["content"] for each in stored(home)]
    assert "Prices are never in dollars." in contents
    assert any("encoding=gbk worked" in each for each in contents)
    assert {each["project"] for each in stored(home)} == {"shop"}
    asked = claude(home, "UserPromptSubmit", prompt="Are prices in dollars or in euros?")
    output = json.loads(hook(home, "prompt", asked | {"session_id": "s2"}))
    told = output["hookSpecificOutput"]
    assert told["hookEventName"] == "UserPromptSubmit"
    assert "Prices are never in dollars." in told["additionalContext"]


def test_before_a_tool_the_model_hears_what_failed_and_what_worked(home: Path) -> None:
    error = "UnicodeDecodeError: byte 0xb9"
    for _ in range(2):
        hook(home, "tool-failed", call(home, "PostToolUseFailure", "utf-8", error=error))
    hook(home, "after-tool", call(home, "PostToolUse", "gbk", tool_response={}))
    hook(home, "session-end", claude(home, "SessionEnd"))
    given = call(home, "PreToolUse", "utf-8") | {"session_id": "s2"}
    told = json.loads(hook(home, "before-tool", given))["hookSpecificOutput"]
    assert "gbk" in told["additionalContext"]
    assert "permissionDecision" not in told
    cursor = {**given, "conversation_id": "c", "workspace_roots": [str(home / "shop")]}
    assert (
        "gbk"
        in json.loads(hook(home, "before-tool", cursor, client="cursor"))["additional_context"]
    )


def test_a_turn_that_ends_twice_writes_once(home: Path) -> None:
    hook(home, "prompt", claude(home, "UserPromptSubmit", prompt="价格必须用欧元。"))
    for _ in range(2):
        hook(home, "stop", claude(home, "Stop"))
    assert [each["content"] for each in stored(home)] == ["价格必须用欧元。"]


@pytest.mark.parametrize("given", ["", "no json", "[]", '{"tool_input": 3, "cwd": null}'])
@pytest.mark.parametrize("event", ["session-start", "before-tool", "after-tool", "stop"])
def test_whatever_comes_in_a_client_goes_on(home: Path, event: str, given: str) -> None:
    assert hook(home, event, given) == ""


def test_where_the_store_cannot_be_opened_a_client_goes_on(home: Path) -> None:
    (home / "memory.db").write_text("no database")
    done = run(home, "hook", "prompt", "--url", NOBODY, given='{"prompt": "x"}')
    assert (done.returncode, done.stdout) == (0, "")
    assert "hindsight-memory: prompt: " in done.stderr


@pytest.mark.parametrize("client", ["claude-code", "codex", "cursor", "claude-desktop", "vscode"])
def test_an_installation_is_told_before_it_is_made_and_taken_out_whole(
    home: Path, client: str
) -> None:
    before = sorted(home.rglob("*"))
    plan = json.loads(run(home, "install", client, "--dry-run", "--json").stdout)
    assert sorted(home.rglob("*")) == before
    assert all(file["changed"] and file["diff"] for file in plan["files"])
    made = json.loads(run(home, "install", client, "--json").stdout)
    assert [file["path"] for file in made["files"]] == [file["path"] for file in plan["files"]]
    assert all(Path(file["path"]).exists() for file in made["files"])
    assert run(home, "install", client, "--uninstall").returncode == 0
    assert [path for path in home.rglob("*") if path.is_file()] == []
