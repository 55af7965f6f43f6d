"""A language model behind any OpenAI-compatible ``/v1/chat/completions``, answering in JSON."""

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from hindsight_memory.core.asking import Question, Reply
from hindsight_memory.core.model import Json
from hindsight_memory.errors import Unavailable
from hindsight_memory.providers.once import Once
from hindsight_memory.providers.remote import Service, connected, foreign, translated

if TYPE_CHECKING:  # importing it takes 0.3 s
    from openai.types.chat import ChatCompletion

ATTEMPTS = 2
"""Times that a question is asked whose answer is not what the schema asks for."""

_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)


class ChatModel:
    """Asks ``model``, or that of ``models`` for the operation. Nothing is sent until it is asked.

    A server that refuses ``response_format`` with a schema is asked for any JSON object from then
    on, with the schema in the prompt.
    """

    def __init__(
        self, service: Service, model: str, models: Mapping[str, str] | None = None
    ) -> None:
        self._service = service
        self._model = model
        self._models = models or {}
        self._knows_schemas = True
        self._connection = Once(partial(connected, service))

    def name_for(self, operation: str) -> str:
        return self._models.get(operation, self._model)

    def ask(self, question: Question) -> Reply:
        """Raises Unavailable when there is no answer, or none that follows the schema."""
        spent_in = spent_out = 0
        problem = ""
        for _ in range(ATTEMPTS):
            completion = self._completion(question, problem)
            if completion.usage is not None:  # null counts as nothing: not every server counts
                spent_in += completion.usage.prompt_tokens or 0
                spent_out += completion.usage.completion_tokens or 0
            value, problem = _checked(completion, question.schema)
            if value is not None:
                return Reply(value=value, input_tokens=spent_in, output_tokens=spent_out)
        model = self.name_for(question.operation)
        raise Unavailable(f"the model {model!r} gave no usable answer: {problem}; retry later")

    def _completion(self, question: Question, problem: str) -> "ChatCompletion":
        import openai

        with translated(self._service):
            if self._knows_schemas:
                try:
                    return self._send(question, problem, _by_schema(question))
                except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                    if "response_format" not in error.message and "schema" not in error.message:
                        raise
                    self._knows_schemas = False
            return self._send(question, problem, {"type": "json_object"})

    def _send(self, question: Question, problem: str, form: Any) -> "ChatCompletion":
        from openai.types.chat import ChatCompletion

        completion = self._connection().chat.completions.create(
            model=self.name_for(question.operation),
            messages=_messages(question, problem),
            response_format=form,
            temperature=0,
            max_tokens=question.most_output_tokens,
        )
        if not isinstance(completion, ChatCompletion) or not completion.choices:
            raise foreign(self._service)
        return completion


def _by_schema(question: Question) -> dict[str, Any]:
    schema = {"name": question.operation, "strict": True, "schema": dict(question.schema)}
    return {"type": "json_schema", "json_schema": schema}


def _messages(question: Question, problem: str) -> Any:
    """The schema is in the prompt in any case: servers that do not enforce it need to be told."""
    schema = json.dumps(question.schema, ensure_ascii=False)
    told = f"{question.instructions}\n\nAnswer with one JSON object of this schema:\n{schema}"
    again = f"\n\nYour last answer was unusable: {problem}" if problem else ""
    return [{"role": "system", "content": told + again}, {"role": "user", "content": question.text}]


def _checked(
    completion: "ChatCompletion", schema: Mapping[str, Any]
) -> tuple[Mapping[str, Json] | None, str]:
    """The answer, or None and what is wrong with it."""
    choice = completion.choices[0]
    said = choice.message and choice.message.content
    text = said if isinstance(said, str) else ""
    if choice.finish_reason == "length":
        return None, "it was cut off"
    fenced = _FENCED.search(text)
    try:
        value = json.loads(fenced[1] if fenced else text)
    except ValueError:
        return None, "it is not JSON"
    return _following(value, schema)


def _following(value: Any, schema: Mapping[str, Any]) -> tuple[Mapping[str, Json] | None, str]:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(schema).iter_errors(value))
    if error is None:
        return value, ""
    # Their other messages quote the answer, which may be an order to whoever reads the failure.
    rule = f"it must follow {error.validator}: {json.dumps(error.validator_value)}"
    told = error.message if error.validator == "required" else rule
    return None, f"{error.json_path}: {told[:200]}"
