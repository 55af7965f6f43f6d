"""Lessons in a model's words, where it says the same. Its faults: test_faults."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from hindsight_memory.engine.memories import Memories
from hindsight_memory.providers.chat import ChatModel
from hindsight_memory.providers.remote import Service
from hindsight_memory.testing.agent_life import ME, UNICODE, Life
from hindsight_memory.testing.model_server import ModelServer

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
    model = ChatModel(Service(base_url=server.url), "m")
    life.reads_gbk("s1")
    Memories(replace(life.memory.memories.parts, model=model)).retrospect(ME, "s1")
    return life.lesson().content


def test_a_lesson_is_worded_by_the_model(life: Life, server: ModelServer) -> None:
    assert looked_back(life, server) == WORDED


@pytest.mark.parametrize("sentence", ["Use gbk.", PLAIN.replace("gbk", "latin-1"), PLAIN * 2])
def test_what_says_something_else_is_not_taken(
    life: Life, server: ModelServer, sentence: str
) -> None:
    server.answers({"sentence": sentence})
    assert looked_back(life, server) == PLAIN


def test_a_worded_lesson_still_climbs_and_has_no_twin(life: Life, server: ModelServer) -> None:
    looked_back(life, server)
    life.call("s2", "read_csv", path="b.csv", encoding="gbk")
    life.looks_back("s2")
    lesson = life.lesson()
    assert (lesson.status, lesson.content) == ("confirmed", WORDED)
