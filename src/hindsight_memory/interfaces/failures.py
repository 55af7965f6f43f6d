"""What a caller is told when a request fails: the same words through every door."""

from typing import Any

from pydantic import BaseModel, Field

from hindsight_memory.errors import HindsightError
from hindsight_memory.interfaces.journal import log_bug


class Failure(BaseModel):
    """The one shape of every failure; ``code`` is that of the error in hindsight_memory.errors."""

    code: str = Field(description="Stable name of the kind of failure.")
    message: str = Field(description="What went wrong and what to do, for a person or a model.")
    details: dict[str, Any] = Field(default={}, description="Facts for programs, by kind.")


def failure_of(error: Exception) -> Failure:
    """A bug is logged with its traceback, and its caller learns nothing of our insides."""
    if isinstance(error, HindsightError):
        return Failure(code=error.code, message=str(error))
    log_bug(error)
    return Failure(code=HindsightError.code, message="internal error")
