"""Language models and remote embedders, against a scripted server that fails as real ones do."""

import threading
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from hindsight_memory.core.asking import Question, Reply, Spending
from hindsight_memory.core.model import Json
from hindsight_memory.core.ports import Embedder
from hindsight_memory.errors import InvalidInput, Unavailable
from hindsight_memory.providers.buckets import Bucket
from hindsight_memory.providers.chat import ChatModel
from hindsight_memory.providers.fastembed import FastEmbedder
from hindsight_memory.providers.limits import CachedModel, Metered, RateLimited
from hindsight_memory.providers.openai_embedder import BATCH_TEXTS, OpenAIEmbedder
from hindsight_memory.providers.remote import Service
from hindsight_memory.settings import Settings
from hindsight_memory.testing.embedder_suite import EmbedderSuite
from hindsight_memory.testing.fakes import FrozenClock
from hindsight_memory.testing.model_server import DIMENSIONS, Fault, ModelServer
from hindsight_memory.wiring import open_embedder, open_model

SCHEMA = {
    "type": "object",
    "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
    "required": ["facts"],
    "additionalProperties": False,
}
ASKED = Question(operation="extract", instructions="List facts.", text="端口是5432", schema=SCHEMA)
SAID: dict[str, Json] = {"facts": ["端口是5432"]}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        server.answers(SAID)
        yield server


def service(server: ModelServer, **given: Any) -> Service:
    return Service(base_url=server.url, timeout_seconds=5.0, **given)


def test_an_answer_follows_the_schema_and_says_what_it_cost(server: ModelServer) -> None:
    reply = ChatModel(service(server), "big", {"other": "small"}).ask(ASKED)
    assert reply == Reply(value=SAID, input_tokens=100, output_tokens=20)
    [request] = server.requests
    assert request["model"] == "big"
    assert request["response_format"]["json_schema"]["schema"] == SCHEMA
    assert request["messages"][-1] == {"role": "user", "content": "端口是5432"}


def test_an_operation_may_have_a_model_of_its_own(server: ModelServer) -> None:
    ChatModel(service(server), "big", {"extract": "small"}).ask(ASKED)
    assert [request["model"] for request in server.requests] == ["small"]


@pytest.mark.parametrize("fault", [Fault.RATE_LIMITED, Fault.BROKEN, Fault.CUT])
def test_what_passes_is_retried(server: ModelServer, fault: Fault) -> None:
    server.faults(fault)
    assert ChatModel(service(server), "m").ask(ASKED).value == SAID
    assert len(server.requests) == 2


@pytest.mark.parametrize("fault", [Fault.PROSE, Fault.FOREIGN_SHAPE])
def test_an_unusable_answer_is_asked_for_again_with_what_was_wrong(
    server: ModelServer, fault: Fault
) -> None:
    server.faults(fault)
    reply = ChatModel(service(server), "m").ask(ASKED)
    assert reply == Reply(value=SAID, input_tokens=200, output_tokens=40)
    assert "was unusable" in server.requests[1]["messages"][0]["content"]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault.RATE_LIMITED, "asked too often"),
        (Fault.BROKEN, "answered 500"),
        (Fault.CUT, "broke off"),
        (Fault.PAGE, "something else than asked for.*LLM_BASE_URL"),
        (Fault.HALF, "something else than asked for"),
        (Fault.ALIEN, "something else than asked for"),
        (Fault.NULLS, "not JSON"),
        (Fault.PROSE, "not JSON"),
        (Fault.FOREIGN_SHAPE, "'facts' is a required property"),
    ],
)
def test_what_does_not_pass_is_unavailable_and_says_why(
    server: ModelServer, fault: Fault, said: str
) -> None:
    server.faults(fault, fault, fault)
    with pytest.raises(Unavailable, match=said):
        ChatModel(service(server, retries=0), "m").ask(ASKED)


def test_no_answer_in_time_is_unavailable(server: ModelServer) -> None:
    server.faults(Fault.TIMEOUT)
    quick = Service(base_url=server.url, timeout_seconds=0.05, retries=0)
    with pytest.raises(Unavailable, match=r"did not answer in 0.05 s.*LLM_TIMEOUT_SECONDS"):
        ChatModel(quick, "m").ask(ASKED)


def test_a_server_that_is_not_there_is_unavailable() -> None:
    gone = Service(base_url="http://127.0.0.1:9/v1", retries=0)
    with pytest.raises(Unavailable, match="is it running"):
        ChatModel(gone, "m").ask(ASKED)


def test_a_server_without_schemas_is_asked_for_plain_json_from_then_on(
    server: ModelServer,
) -> None:
    model = ChatModel(service(server), "m")
    server.faults(Fault.NO_SCHEMAS)
    assert model.ask(ASKED).value == SAID
    assert model.ask(ASKED).value == SAID
    forms = [request["response_format"]["type"] for request in server.requests]
    assert forms == ["json_schema", "json_object", "json_object"]
    assert '"facts"' in server.requests[-1]["messages"][0]["content"]


def test_no_key_goes_into_a_representation() -> None:
    assert "secret" not in repr(Service(base_url="http://x", api_key="secret"))
    assert "secret" not in repr(Settings(llm_api_key="secret"))  # type: ignore[arg-type]


def test_a_bucket_lets_a_burst_through_and_then_so_many_a_second() -> None:
    now = 0.0
    waits: list[float] = []
    bucket = Bucket(2.0, now=lambda: now, sleep=waits.append)
    for _ in range(4):
        bucket.take()
    assert waits == [0.5, 1.0]
    now = 10.0
    bucket.take()
    assert waits == [0.5, 1.0]


class Scripted:
    """Answers at once and counts."""

    def __init__(self) -> None:
        self.asked = 0

    def ask(self, question: Question) -> Reply:
        self.asked += 1
        return Reply(value=SAID, input_tokens=60, output_tokens=50)


def test_a_budget_ends_an_operation_for_the_day_and_no_other() -> None:
    clock = FrozenClock(datetime(2026, 3, 1, 23, tzinfo=UTC))
    model = Metered(Scripted(), clock, {"extract": 100, "*": 1_000})
    model.ask(ASKED)
    with pytest.raises(Unavailable, match="'extract' spent 110 of 100 tokens today"):
        model.ask(ASKED)
    other = Question(operation="retrospect", instructions="", text="", schema=SCHEMA)
    model.ask(other)
    assert model.spending() == {
        "*": Spending(budget=1_000),
        "extract": Spending(today=110, since_start=110, budget=100),
        "retrospect": Spending(today=110, since_start=110, budget=1_000),
    }
    assert [each.left for each in model.spending().values()] == [1_000, 0, 890]
    clock.advance(timedelta(hours=2))
    assert model.ask(ASKED).value == SAID
    assert model.spending()["extract"] == Spending(today=110, since_start=220, budget=100)


def test_a_clock_set_back_gives_no_second_budget() -> None:
    clock = FrozenClock(datetime(2026, 3, 2, 1, tzinfo=UTC))
    model = Metered(Scripted(), clock, {"extract": 100})
    model.ask(ASKED)
    clock.advance(timedelta(days=-2))
    with pytest.raises(Unavailable):
        model.ask(ASKED)


def test_a_question_asked_before_costs_nothing_until_something_was_purged() -> None:
    inner = Scripted()
    model = CachedModel(inner)
    assert model.ask(ASKED).input_tokens == 60
    assert model.ask(ASKED) == Reply(value=SAID)
    model.forget(["any"])
    model.ask(ASKED)
    assert inner.asked == 2


def test_what_is_being_asked_during_a_purge_is_not_kept() -> None:
    class Purging(Scripted):
        def ask(self, question: Question) -> Reply:
            model.forget(["any"])
            return super().ask(question)

    inner = Purging()
    model = CachedModel(inner)
    model.ask(ASKED)
    model.ask(ASKED)
    assert inner.asked == 2


def test_callers_share_one_rate() -> None:
    waits: list[float] = []
    model = RateLimited(Scripted(), Bucket(1.0, now=lambda: 0.0, sleep=waits.append))
    threads = [threading.Thread(target=model.ask, args=(ASKED,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(waits) == [1.0, 2.0, 3.0]


class TestOpenAIEmbedder(EmbedderSuite):
    @pytest.fixture
    def embedder(self, server: ModelServer) -> Embedder:
        return OpenAIEmbedder(service(server), "scripted")


def test_texts_go_in_batches(server: ModelServer) -> None:
    embedder = OpenAIEmbedder(service(server), "m")
    texts = [f"text {number}" for number in range(BATCH_TEXTS + 1)]
    vectors = embedder.passages(texts)
    assert [len(request["input"]) for request in server.requests] == [BATCH_TEXTS, 1]
    assert np.allclose(vectors[-1], embedder.query(texts[-1]))


def test_a_model_that_is_not_known_is_asked_for_its_dimensions_once(server: ModelServer) -> None:
    embedder = OpenAIEmbedder(service(server), "m")
    assert (embedder.dimensions, embedder.dimensions) == (DIMENSIONS, DIMENSIONS)
    assert len(server.requests) == 1


def test_vectors_of_another_size_are_refused(server: ModelServer) -> None:
    with pytest.raises(Unavailable, match="64 dimensions instead of 1024"):
        OpenAIEmbedder(service(server), "bge-m3").query("x")


@pytest.mark.parametrize("fault", [Fault.PAGE, Fault.HALF, Fault.ALIEN, Fault.NULLS])
def test_what_is_no_vector_is_unavailable_and_says_why(server: ModelServer, fault: Fault) -> None:
    server.faults(fault)
    with pytest.raises(Unavailable, match="something else than asked for"):
        OpenAIEmbedder(service(server), "m").passages(["a", "b"])


def test_a_lost_vector_is_not_taken_for_that_of_another_text(server: ModelServer) -> None:
    server.faults(Fault.WRONG_IDS)
    with pytest.raises(Unavailable, match="vectors for 1 of 2 texts"):
        OpenAIEmbedder(service(server), "m").passages(["a", "b"])


class Weights:
    """What fastembed's class gives, without weights."""

    embedding_size = 2

    def passage_embed(self, texts: Iterable[str], **kwargs: Any) -> Iterable[Any]:
        return (np.array([3.0, len(text)]) for text in texts)

    def query_embed(self, query: str, **kwargs: Any) -> Iterable[Any]:
        return self.passage_embed([query])


def test_fastembed_rows_are_made_of_unit_length() -> None:
    embedder = FastEmbedder("some/model", load=lambda name: Weights())
    assert np.allclose(embedder.passages(["four"]), [[0.6, 0.8]])
    assert np.allclose(embedder.query("four"), [0.6, 0.8])
    assert embedder.fingerprint == "fastembed:some/model"


def test_fastembed_without_its_weights_is_unavailable_and_tried_again() -> None:
    attempts = 0

    def load(name: str) -> Weights:
        nonlocal attempts
        attempts += 1
        if attempts == 1:
            raise OSError("no route to host")
        return Weights()

    embedder = FastEmbedder("m", load=load)
    with pytest.raises(Unavailable, match="weights are downloaded"):
        embedder.query("x")
    assert embedder.dimensions == 2


def test_no_model_is_asked_unless_the_settings_name_one() -> None:
    clock = FrozenClock(datetime(2026, 3, 1, tzinfo=UTC))
    assert open_model(Settings(), clock) is None
    assert open_model(Settings(llm_model="qwen3"), clock) is not None


def test_an_embedder_without_a_model_says_what_is_missing() -> None:
    with pytest.raises(InvalidInput, match="openai:MODEL"):
        open_embedder(Settings(embedder="openai"))


def test_the_key_of_the_model_goes_to_no_other_address(server: ModelServer) -> None:
    settings = Settings(
        embedder="openai:m",
        embedder_base_url=server.url,
        llm_base_url="http://127.0.0.1:9/v1",
        llm_api_key="secret",  # type: ignore[arg-type]  # pydantic makes it one
    )
    embedder = open_embedder(settings)
    assert embedder is not None
    embedder.query("x")
    assert server.keys == ["Bearer none"]
