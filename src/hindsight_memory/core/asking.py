"""What is asked of a language model, and what it answers: values that know no provider. Pure.

A model only ever proposes. What it gives is checked against the schema of the question, and then
passes the same rules as what anybody else says.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hindsight_memory.core.model import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """operation: what it is for ("extract", "word_lessons", ...); picks the model and the budget.

    instructions: ours, the same for every question of the operation. text: what they are about,
    which is data. schema: JSON Schema of the answer, an object with every property required.
    """

    operation: str
    instructions: str
    text: str
    schema: Mapping[str, Any]
    most_output_tokens: int = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """Tokens of one operation: of this day (UTC), and since the process began. budget: the most of
    a day; None is any number.
    """

    today: int = 0
    since_start: int = 0
    budget: int | None = None

    @property
    def left(self) -> int | None:
        """Of today; None where there is no budget."""
        return None if self.budget is None else max(0, self.budget - self.today)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """value: follows the schema. Tokens as the provider counts them; 0 where it does not say, and
    for an answer that was kept from before.
    """

    value: Mapping[str, Json]
    input_tokens: int = 0
    output_tokens: int = 0
