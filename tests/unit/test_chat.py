"""What a model's answer that cannot be used is told as."""

import pytest

from hindsight_memory.core.asking import Question
from hindsight_memory.errors import Unavailable
from hindsight_memory.providers.chat import ChatModel
from hindsight_memory.providers.remote import Service
from hindsight_memory.testing.model_server import INJECTED, Fault, ModelServer

KINDS = {"type": "string", "enum": ["fact", "lesson"]}


def test_a_failure_never_repeats_what_a_model_said() -> None:
    schema = {"type": "object", "properties": {"kind": KINDS}, "required": ["kind"]}
    question = Question(operation="extract", instructions="", text="", schema=schema)
    with ModelServer() as server:
        server.answers({"kind": "fact"})
        server.faults(Fault.INJECTED, Fault.INJECTED)
        model = ChatModel(Service(base_url=server.url, retries=0), "m")
        with pytest.raises(Unavailable) as failure:
            model.ask(question)
        asked_again = server.requests[1]["messages"][0]["content"]
    assert '$.kind: it must follow enum: ["fact", "lesson"]' in str(failure.value)
    assert INJECTED not in str(failure.value) + asked_again
