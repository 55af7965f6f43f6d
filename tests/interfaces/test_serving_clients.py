"""Hooks that ask a server which wants a key: what is written, and where it never is."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from hindsight_memory.testing.http_server import COMMAND, serving

ACME = "hm_Zx8Qk3Lr5Tn7Vb9Wc1Yd2Fg4Hj6KmPpQq"
BEARER = {"Authorization": f"Bearer {ACME}"}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("store"), os.environ, api_keys=f"acme:{ACME}") as base:
        yield base


def hook(home: Path, event: str, *flags: str, **settings: str) -> subprocess.CompletedProcess[str]:
    given = {"session_id": "s1", "cwd": str(home), "prompt": "价格必须用欧元。"}
    own = {"HOME": str(home), "HINDSIGHT_MEMORY_STORE_URL": f"sqlite:///{home}/memory.db"}
    set_ = {f"HINDSIGHT_MEMORY_{name.upper()}": each for name, each in settings.items()}
    return subprocess.run(
        [COMMAND, "hook", event, *flags],
        input=json.dumps(given),
        env={"PATH": os.environ["PATH"], "HINDSIGHT_MEMORY_EMBEDDER": "none", **own, **set_},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )


def test_a_hook_takes_the_server_and_the_key_from_the_settings(base: str, tmp_path: Path) -> None:
    for event in ("prompt", "stop"):
        assert hook(tmp_path, event, server_url=base, api_key=ACME).stderr == ""
    listed = httpx2.get(f"{base}/v1/memories", headers=BEARER, timeout=20).json()["memories"]
    assert [each["content"] for each in listed if each["layer"] == "semantic"] == [
        "价格必须用欧元。"
    ]
    assert not (tmp_path / "memory.db").exists()


def test_options_win_over_them(base: str, tmp_path: Path) -> None:
    flags = ("--url", base, "--api-key", ACME)
    done = hook(tmp_path, "prompt", *flags, server_url="http://127.0.0.1:9", api_key="wrong")
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"api_key": "wrong"}, "this server does not know that API key: send the header"),
        ({}, "this server wants an API key: send the header"),
        ({"server_url": "http://no.such.host.invalid"}, "no.such.host.invalid does not answer"),
    ],
)
def test_where_the_server_refuses_or_is_away_nothing_is_written_elsewhere(
    base: str, tmp_path: Path, settings: dict[str, str], told: str
) -> None:
    for event in ("prompt", "stop"):
        done = hook(tmp_path, event, **{"server_url": base, **settings})
        assert told in done.stderr
    assert not (tmp_path / "memory.db").exists()
    [noted] = tmp_path.rglob("s1.*")
    assert json.loads(noted.read_text("utf-8").splitlines()[0])["content"] == "价格必须用欧元。"
