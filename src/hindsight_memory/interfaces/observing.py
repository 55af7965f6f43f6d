"""Around every operation of a server: a span, a count of what came of it, and the right of way."""

from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from hindsight_memory.core.model import Caller
from hindsight_memory.engine.background import Beside
from hindsight_memory.errors import HindsightError
from hindsight_memory.interfaces import tracing
from hindsight_memory.interfaces.measuring import Metrics
from hindsight_memory.interfaces.operation import Operation

if TYPE_CHECKING:  # the engine is imported by the first call
    from hindsight_memory.engine.memories import Memories


def observed(operation: Operation, metrics: Metrics | None) -> Operation:
    """``operation``, with a span of its own; metrics: None where nobody counts."""
    run = operation.run

    @wraps(run)
    def watched(memories: "Memories", caller: Caller, given: Any) -> BaseModel:
        outcome = HindsightError.code
        with tracing.operation_span(operation.name) as span:
            try:
                result = run(memories, caller, given)
                outcome = outcome_of(result)
            except HindsightError as error:
                outcome = error.code
                raise
            else:
                return result
            finally:
                tracing.end_operation(span, outcome)
                if metrics is not None:
                    metrics.operation(operation.name, outcome)

    return replace(operation, run=watched)


def first(operation: Operation, background: Beside) -> Operation:
    """``operation``, and ``background`` waits while it runs."""
    run = operation.run

    @wraps(run)
    def go_first(memories: "Memories", caller: Caller, given: Any) -> BaseModel:
        with background.passing():
            return run(memories, caller, given)

    return replace(operation, run=go_first)


def outcome_of(result: BaseModel) -> str:
    """What a result says came of it, as all results with several ends do; "ok" for the others."""
    if getattr(result, "abstained", False):
        return "abstained"
    return str(getattr(result, "outcome", "ok"))
