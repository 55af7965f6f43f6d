"""Lessons in a model's words; and with every fault of a model, in our own."""

from collections.abc import Iterator

import pytest

from hindsight_memory.engine.phrasing import by_model
from hindsight_memory.engine.retrospecting import Retrospector
from hindsight_memory.providers.chat import ChatModel
from hindsight_memory.providers.remote import Service
from hindsight_memory.testing.agent_life import ME, UNICODE, Life
from hindsight_memory.testing.model_server import Fault, ModelServer

PLAIN = f"read_csv (path=*.csv) with encoding=utf-8 failed: {UNICODE}; encoding=gbk worked"
WORDED = (
    f"At path=*.csv, call read_csv with encoding=gbk: with encoding=utf-8 it failed ({UNICODE})"
)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        server.answers({"sentence": WORDED})
        yield server


def looked_back(life: Life, server: ModelServer) -> str:
    service = Service(base_url=server.url, timeout_seconds=0.3, retries=0)
    word = by_model(ChatModel(service, "m"))
    life.reads_gbk("s1")
    Retrospector(life.memory.memories.parts, word=word).session(ME, "s1")
    return life.lesson().content


def test_a_lesson_is_worded_by_the_model(life: Life, server: ModelServer) -> None:
    assert looked_back(life, server) == WORDED


@pytest.mark.parametrize("fault", [each for each in Fault if each is not Fault.NO_SCHEMAS])
def test_with_every_fault_the_lesson_is_kept_in_our_words(
    life: Life, server: ModelServer, fault: Fault
) -> None:
    server.faults(fault, fault, fault, fault)
    told = looked_back(life, server)
    # Wrong ids harm nothing where none are asked for.
    assert told == (WORDED if fault is Fault.WRONG_IDS else PLAIN)


def test_a_worded_lesson_still_climbs_and_has_no_twin(life: Life, server: ModelServer) -> None:
    looked_back(life, server)
    life.call("s2", "read_csv", path="b.csv", encoding="gbk")
    life.looks_back("s2")
    lesson = life.lesson()
    assert (lesson.status, lesson.content) == ("confirmed", WORDED)
