"""Lessons in a model's words, where there is a model, and where it says the same."""

import structlog

from hindsight_memory.core import phrasing
from hindsight_memory.core.ports import Model
from hindsight_memory.core.retrospection.model import Pattern
from hindsight_memory.core.retrospection.wording import Wording, worded
from hindsight_memory.errors import Unavailable

log = structlog.get_logger(__name__)


class Phraser:
    """What ``word`` says, as the model would put it; ``word`` itself without one, and wherever the
    model says something else. One for each look back: once the model did not answer, it is let
    alone, and ``missed`` says of which patterns, and why.
    """

    def __init__(self, model: Model | None, word: Wording = worded) -> None:
        self.word = word
        self.missed: dict[str, str] = {}
        self._model = model

    @property
    def has_model(self) -> bool:
        return self._model is not None

    def __call__(self, pattern: Pattern) -> str:
        plain = self.word(pattern)
        if self._model is None:
            return plain
        if self.missed:
            self.missed[pattern.key] = next(iter(self.missed.values()))
            return plain
        try:
            reply = self._model.ask(phrasing.question(plain))
        except Unavailable as error:
            log.warning("wording_unavailable", error=str(error))
            self.missed[pattern.key] = str(error)
            return plain
        wording = str(reply.value["sentence"]).strip()
        return wording if phrasing.is_faithful(plain, wording) else plain
