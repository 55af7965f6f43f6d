"""Lessons in a model's words, where there is a model, and where it says the same."""

import structlog

from hindsight_memory.core import phrasing
from hindsight_memory.core.ports import Model
from hindsight_memory.core.retrospection.model import Pattern
from hindsight_memory.core.retrospection.wording import Wording, worded
from hindsight_memory.errors import Unavailable

log = structlog.get_logger(__name__)


def by_model(model: Model | None, word: Wording = worded) -> Wording:
    """What ``word`` says, as the model would put it; ``word`` itself without one, and wherever the
    model does not answer or says something else.
    """
    if model is None:
        return word

    def put(pattern: Pattern) -> str:
        plain = word(pattern)
        try:
            reply = model.ask(phrasing.question(plain))
        except Unavailable as error:
            log.warning("wording_unavailable", error=str(error))
            return plain
        wording = str(reply.value["sentence"]).strip()
        return wording if phrasing.is_faithful(plain, wording) else plain

    return put
