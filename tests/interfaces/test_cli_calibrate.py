"""``calibrate``: what an embedder's similarities mean, and putting that into use."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from click.testing import CliRunner, Result

from hindsight_memory import Hindsight
from hindsight_memory.core.calibration import Scale
from hindsight_memory.interfaces.cli.main import cli
from hindsight_memory.testing.model_server import DIMENSIONS, ModelServer

WORDS = "hashing:256"


@pytest.fixture(autouse=True)
def logs() -> Iterator[None]:
    yield
    structlog.reset_defaults()  # they went to a stderr that is gone with the runner


def run(*args: str, **settings: str) -> Result:
    variables = {f"HINDSIGHT_MEMORY_{name.upper()}": value for name, value in settings.items()}
    return CliRunner(env={"COLUMNS": "100", **variables}).invoke(cli, ["calibrate", *args])


def answer(*args: str, **settings: str) -> Any:
    result = run(*args, "--json", **settings)
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def own_scales(line: str) -> str:
    """The value of the printed line, as a shell reads it."""
    [assignment] = shlex.split(line)
    name, _, value = assignment.partition("=")
    assert name == "HINDSIGHT_MEMORY_EMBEDDER_SCALES"
    return value


def test_each_language_is_measured_by_itself_and_with_the_other() -> None:
    found = answer("--embedder", WORDS)
    assert (found["embedder"], found["dimensions"], found["scale"]) == (WORDS, 256, "table")
    groups = {"English": 7, "Chinese": 7, "English, Chinese": 6}
    counted = [each["languages"] for each in found["pairs"]]
    assert {name: counted.count(name) for name in groups} == groups
    assert {(each["languages"], each["nearer"]) for each in found["told_apart"]} >= {
        ("Chinese", "same meaning"),
        ("English, Chinese", "question, its answer"),
    }
    used = {(each["writing"], each["anchor"]): each["in_use"] for each in found["anchors"]}
    assert used["cjk", "true_answer"] == 0.3


def test_what_was_measured_can_be_put_into_use(tmp_path: Path) -> None:
    measured = answer("--embedder", "hashing:64")
    scales = own_scales(measured["setting"])
    again = answer("--embedder", "hashing:64", embedder_scales=scales)
    assert again["scale"] == "settings"
    assert [each for each in again["anchors"] if each["measured"] != each["in_use"]] == []
    url = f"sqlite:///{tmp_path / 'memory.db'}"
    with Hindsight.open(url, embedder_scales=json.loads(scales)) as memory:
        used = memory.memories.parts.meaning.calibration
    assert used.cjk.true_answer == again["anchors"][6]["measured"]


def test_a_remote_model_that_nobody_measured_is_told_how_to_be_used() -> None:
    with ModelServer() as server:
        given = {"embedder": "openai:scripted", "embedder_base_url": server.url}
        found = answer(**given)
        shown = run(**given).stdout
    assert (found["dimensions"], found["scale"]) == (DIMENSIONS, "unknown")
    assert own_scales(found["setting"]) in shown
    assert "nobody measured this model" in shown


def test_where_the_model_does_not_answer_it_says_so() -> None:
    result = run("--embedder", "openai:m", embedder_base_url="http://127.0.0.1:9/v1")
    assert result.exit_code == 6
    assert "is it running" in result.stderr


def test_without_an_embedder_there_is_nothing_to_measure() -> None:
    result = run("--embedder", "none")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "nothing to measure" in result.stderr


@pytest.mark.parametrize(
    ("scales", "said"),
    [
        ('{"cjk": {}}', "give the scales of 'other'"),
        ('{"other": {"true_answer": 1}}', "'other' needs exactly"),
        (json.dumps({"other": dict.fromkeys(Scale.__slots__, 0.5)}), "'other' must rise"),
    ],
)
def test_what_is_no_scale_is_refused(scales: str, said: str) -> None:
    result = run("--embedder", WORDS, embedder_scales=scales)
    assert result.exit_code == 2
    assert f"HINDSIGHT_MEMORY_EMBEDDER_SCALES: {said}" in result.stderr
