"""Our entries in clients' files: put in and taken out, all else kept to the byte."""

import json
import tomllib
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.clients import installing, jsontext
from hindsight_memory.interfaces.clients.entries import CLIENTS, Folder

COMMAND = PurePosixPath("/opt/memory tools/bin/hindsight-memory")

FOREIGN = {
    "claude-code": {
        ".claude.json": '{\n    "numStartups": 7,\n    "mcpServers": {\n'
        '        "other": {"command": "x"}\n    }\n}',
        ".claude/settings.json": '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": '
        '[{"type": "command", "command": "check.sh"}]}]}, "model": "opus"}\n',
    },
    "codex": {
        ".codex/config.toml": 'model = "gpt-6"\n\n[mcp_servers.other]\ncommand = "x"\n\n'
        '[tui]\ntheme = "dark"\n',
        ".codex/hooks.json": "{}\n",
    },
    "cursor": {
        ".cursor/mcp.json": '{"mcpServers": {}}',
        ".cursor/hooks.json": '{\r\n\t"version": 1,\r\n\t"hooks": {\r\n\t\t"stop": [\r\n'
        '\t\t\t{ "command": "./gate" },\r\n\t\t]\r\n\t}\r\n}\r\n',
    },
    "claude-desktop": {"Claude/claude_desktop_config.json": "  "},
    "vscode": {
        "Code/User/mcp.json": '// our servers\n{\n\t"servers": {\n\t\t/* the first */\n'
        '\t\t"a": { "type": "stdio", "command": "中文", },\n\t},\n\t"inputs": [],\n}\n'
    },
}
"""What people have in these files: other orders, indents, line ends, comments, trailing commas."""


@pytest.fixture
def folders(tmp_path: Path) -> dict[Folder, Path]:
    return {"home": tmp_path, "config": tmp_path}


def fill(client: str, folder: Path) -> None:
    for name, text in FOREIGN[client].items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def install(client: str, folders: dict[Folder, Path], url: str = "") -> list[installing.Change]:
    changes = list(installing.installation(client, folders, COMMAND, url=url))
    for change in changes:
        installing.apply(change, keeps_backup=True)
    return changes


def uninstall(client: str, folders: dict[Folder, Path]) -> None:
    for change in list(installing.removal(client, folders, COMMAND)):
        installing.apply(change, keeps_backup=False)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("client", CLIENTS)
def test_what_was_installed_and_taken_out_left_no_byte(
    client: str, folders: dict[Folder, Path], tmp_path: Path
) -> None:
    fill(client, tmp_path)
    before = contents(tmp_path)
    install(client, folders)
    assert contents(tmp_path) != before
    uninstall(client, folders)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("client", CLIENTS)
def test_files_that_were_not_there_are_gone_again(
    client: str, folders: dict[Folder, Path], tmp_path: Path
) -> None:
    install(client, folders)
    assert contents(tmp_path) != {}
    uninstall(client, folders)
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("client", CLIENTS)
def test_installing_twice_changes_nothing_the_second_time(
    client: str, folders: dict[Folder, Path], tmp_path: Path
) -> None:
    fill(client, tmp_path)
    install(client, folders)
    once = contents(tmp_path)
    assert [change.is_one for change in install(client, folders)] == [False] * len(
        CLIENTS[client].files
    )
    assert contents(tmp_path) == once


@pytest.mark.parametrize("client", CLIENTS)
def test_what_others_wrote_since_stays_when_ours_goes(
    client: str, folders: dict[Folder, Path], tmp_path: Path
) -> None:
    fill(client, tmp_path)
    install(client, folders)
    for name in FOREIGN[client]:
        path = tmp_path / name
        path.write_bytes(path.read_bytes() + b"\n")
    uninstall(client, folders)
    for name, text in FOREIGN[client].items():
        now = (tmp_path / name).read_text()
        assert "hindsight" not in now
        if name.endswith(".json"):
            assert jsontext.value_of(now) == _bare(jsontext.value_of(text))


def _bare(value: dict[str, Any]) -> dict[str, Any]:
    """Empty containers of ours and theirs look alike, and go."""
    ours = ("mcpServers", "hooks", "servers")
    return {key: each for key, each in value.items() if each or key not in ours}


def test_the_entry_of_claude_code_starts_the_server_and_names_each_event(
    folders: dict[Folder, Path], tmp_path: Path
) -> None:
    install("claude-code", folders)
    servers = json.loads((tmp_path / ".claude.json").read_text())["mcpServers"]
    assert servers == {
        "hindsight-memory": {"type": "stdio", "command": str(COMMAND), "args": ["mcp"]}
    }
    hooks = json.loads((tmp_path / ".claude/settings.json").read_text())["hooks"]
    [group] = hooks["UserPromptSubmit"]
    assert group["hooks"] == [
        {
            "type": "command",
            "command": f"'{COMMAND}' hook prompt --client claude-code",
            "timeout": 10,
        }
    ]


URL = "https://memory.example.com"
SERVED = {
    "claude-code": (
        ".claude.json",
        "mcpServers",
        {
            "type": "http",
            "url": f"{URL}/mcp",
            "headers": {"Authorization": "Bearer ${HINDSIGHT_MEMORY_API_KEY}"},
        },
    ),
    "cursor": (
        ".cursor/mcp.json",
        "mcpServers",
        {
            "url": f"{URL}/mcp",
            "headers": {"Authorization": "Bearer ${env:HINDSIGHT_MEMORY_API_KEY}"},
        },
    ),
    "vscode": (
        "Code/User/mcp.json",
        "servers",
        {
            "type": "http",
            "url": f"{URL}/mcp",
            "headers": {"Authorization": "Bearer ${env:HINDSIGHT_MEMORY_API_KEY}"},
        },
    ),
}


@pytest.mark.parametrize("client", SERVED)
def test_a_client_is_given_a_server_and_where_to_find_its_key(
    client: str, folders: dict[Folder, Path], tmp_path: Path
) -> None:
    path, key, entry = SERVED[client]
    install(client, folders, URL)
    assert json.loads((tmp_path / path).read_text())[key] == {"hindsight-memory": entry}


def test_codex_is_given_a_server_in_its_own_form(
    folders: dict[Folder, Path], tmp_path: Path
) -> None:
    install("codex", folders, URL)
    servers = tomllib.loads((tmp_path / ".codex/config.toml").read_text())["mcp_servers"]
    entry = {"url": f"{URL}/mcp", "bearer_token_env_var": "HINDSIGHT_MEMORY_API_KEY"}
    assert servers == {"hindsight-memory": entry}


@pytest.mark.parametrize("client", ["claude-code", "codex", "cursor"])
def test_its_hooks_ask_that_server(
    client: str, folders: dict[Folder, Path], tmp_path: Path
) -> None:
    install(client, folders, URL)
    hooks = (tmp_path / CLIENTS[client].files[1].path).read_text()
    events = hooks.count("hindsight-memory' hook ")
    assert events == hooks.count(f"--client {client} --url {URL}") > 4


@pytest.mark.parametrize("client", [*SERVED, "codex"])
@pytest.mark.parametrize("url", ["", URL])
def test_what_was_installed_another_way_before_is_taken_out_too(
    client: str, url: str, folders: dict[Folder, Path], tmp_path: Path
) -> None:
    fill(client, tmp_path)
    install(client, folders)
    install(client, folders, URL)
    for change in list(installing.removal(client, folders, COMMAND, url=url)):
        installing.apply(change, keeps_backup=False)
    assert not any(b"hindsight" in text for text in contents(tmp_path).values())


def test_a_client_that_knows_no_servers_is_named_and_left(
    folders: dict[Folder, Path], tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput, match=r"no servers but those that it starts; leave out --url"):
        install("claude-desktop", folders, URL)
    assert contents(tmp_path) == {}


def test_a_moved_program_replaces_its_old_entry(
    folders: dict[Folder, Path], tmp_path: Path
) -> None:
    install("claude-code", folders)
    for change in list(
        installing.installation("claude-code", folders, PurePosixPath("/new/hindsight-memory"))
    ):
        installing.apply(change, keeps_backup=True)
    text = (tmp_path / ".claude/settings.json").read_text()
    assert str(COMMAND) not in text
    assert len(json.loads(text)["hooks"]["Stop"]) == 1


@pytest.mark.parametrize(
    "text", ["{", "[1]", '{"mcpServers": 3}', '{"mcpServers": {"a": }}', "\x00"]
)
def test_a_file_that_cannot_be_read_is_named_and_left(
    text: str, folders: dict[Folder, Path], tmp_path: Path
) -> None:
    path = tmp_path / ".cursor/mcp.json"
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(InvalidInput, match=r"mcp\.json.*left as it is"):
        install("cursor", folders)
    assert path.read_text() == text


def test_a_link_into_a_folder_of_settings_stays_a_link(
    folders: dict[Folder, Path], tmp_path: Path
) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    link = tmp_path / ".claude.json"
    link.symlink_to(real)
    install("claude-code", folders)
    assert link.is_symlink()
    assert "hindsight-memory" in real.read_text()


NAMES = st.text(alphabet='ab"\\中 ,:{}[]/*', max_size=4)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
FORMS = st.sampled_from([None, 1, 4, "\t"])


@given(st.dictionaries(NAMES, VALUES, max_size=4), FORMS, NAMES, NAMES, VALUES)
def test_a_member_goes_in_and_out_of_any_file(
    value: dict[str, Any], form: Any, outer: str, name: str, member: Any
) -> None:
    value = {key: each for key, each in value.items() if key != outer}
    text = json.dumps(value, indent=form, ensure_ascii=False)
    more = jsontext.with_member(text, [outer], name, member)
    assert jsontext.value_of(more) == value | {outer: {name: member}}
    assert jsontext.value_of(jsontext.without(more, [outer])) == value


@given(st.lists(VALUES, min_size=1, max_size=4), FORMS, VALUES, st.data())
def test_an_item_goes_in_and_out_of_any_list(
    items: list[Any], form: Any, item: Any, data: st.DataObject
) -> None:
    text = json.dumps({"a": {"b": items}}, indent=form)
    more = jsontext.with_item(text, ["a", "b"], item)
    assert jsontext.value_of(more) == {"a": {"b": [*items, item]}}
    at = data.draw(st.integers(0, len(items)))
    left = [*items, item]
    del left[at]
    assert jsontext.value_of(jsontext.without(more, ["a", "b"], at)) == {"a": {"b": left}}
