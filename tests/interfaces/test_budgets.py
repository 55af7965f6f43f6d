"""What a language model costs: told to whoever had it asked, and by doctor."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from click.testing import CliRunner

from hindsight_memory.interfaces.cli.main import cli
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.interfaces.schemas import EventIn
from hindsight_memory.testing.agent_life import UNICODE
from hindsight_memory.testing.model_server import ModelServer


def read(encoding: str, error: str = "") -> EventIn:
    return EventIn(
        role="tool",
        tool="read_csv",
        arguments={"path": "a.csv", "encoding": encoding},
        outcome="failure" if error else "success",
        error=error,
    )


@pytest.fixture(autouse=True)
def logs() -> Iterator[None]:
    yield
    structlog.reset_defaults()  # they went to a stderr that is gone with the runner


@pytest.mark.parametrize(
    ("budgets", "told"),
    [
        ({}, "tokens of the model today: 120"),
        ({"retrospect": 1_000}, "tokens of the model today: 120, 880 left"),
        ({"*": 100}, "tokens of the model today: 120, 0 left"),
    ],
)
def test_who_looks_back_is_told_what_the_words_cost(
    tmp_path: Path, budgets: dict[str, int], told: str
) -> None:
    with ModelServer() as server:
        server.answers({"sentence": "anything"})
        given = {"llm_model": "m", "llm_base_url": server.url, "llm_daily_tokens": budgets}
        url = f"sqlite:///{tmp_path / 'memory.db'}"
        with Hindsight.open(url, embedder="none", **given) as memory:
            for event in (read("utf-8", UNICODE), read("gbk")):
                said = f"read_csv {event.arguments} {event.outcome}"
                memory.write(said, session_id="s", event=event, source="tool_result")
            assert memory.retrospect("s").notes[1:] == [told]


def test_doctor_names_the_budgets(tmp_path: Path) -> None:
    variables = {
        "HINDSIGHT_MEMORY_STORE_URL": f"sqlite:///{tmp_path / 'memory.db'}",
        "HINDSIGHT_MEMORY_EMBEDDER": "none",
        "HINDSIGHT_MEMORY_LLM_MODEL": "m",
        "HINDSIGHT_MEMORY_LLM_DAILY_TOKENS": '{"extract": 200000, "*": 50000}',
    }
    result = CliRunner(env=variables).invoke(cli, ["doctor", "--json"])
    told = [each["told"] for each in json.loads(result.stdout)["findings"]]
    assert "tokens a day: * 50000, extract 200000; /metrics of a server tells what it spent" in told
