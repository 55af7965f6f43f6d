"""Long-term memory for LLM agents that knows what can still be believed."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hindsight_memory.errors import (
    Conflict,
    Damaged,
    HindsightError,
    Incompatible,
    InvalidInput,
    NotFound,
    RateLimited,
    Unauthenticated,
    Unavailable,
)

if TYPE_CHECKING:
    from hindsight_memory.engine.lines import Report
    from hindsight_memory.interfaces.agent_schemas import (
        AdviseOut,
        ConfirmedFactOut,
        ContextOut,
        DocumentOut,
        FailedAttemptOut,
        LessonOut,
        PendingItemOut,
        ProposalOut,
        RetrospectOut,
        ToolCallOut,
        WorkingMemoryOut,
    )
    from hindsight_memory.interfaces.library import Hindsight
    from hindsight_memory.interfaces.promises import JobOut, JobsOut
    from hindsight_memory.interfaces.schemas import (
        CandidateOut,
        EventIn,
        FeedbackOut,
        ForgetOut,
        HistoryOut,
        HitOut,
        ListOut,
        MemoryOut,
        RelatedOut,
        RevisionOut,
        SearchOut,
        SourceOut,
        WriteOut,
    )
    from hindsight_memory.interfaces.upkeep import MaintainOut, StepOut
    from hindsight_memory.interfaces.verification import CheckOut, VerifyOut

__all__ = [
    "AdviseOut",
    "CandidateOut",
    "CheckOut",
    "ConfirmedFactOut",
    "Conflict",
    "ContextOut",
    "Damaged",
    "DocumentOut",
    "EventIn",
    "FailedAttemptOut",
    "FeedbackOut",
    "ForgetOut",
    "Hindsight",
    "HindsightError",
    "HistoryOut",
    "HitOut",
    "Incompatible",
    "InvalidInput",
    "JobOut",
    "JobsOut",
    "LessonOut",
    "ListOut",
    "MaintainOut",
    "MemoryOut",
    "NotFound",
    "PendingItemOut",
    "ProposalOut",
    "RateLimited",
    "RelatedOut",
    "Report",
    "RetrospectOut",
    "RevisionOut",
    "SearchOut",
    "SourceOut",
    "StepOut",
    "ToolCallOut",
    "Unauthenticated",
    "Unavailable",
    "VerifyOut",
    "WorkingMemoryOut",
    "WriteOut",
]

_ON_FIRST_USE = {
    "engine.lines": ("Report",),
    "interfaces.agent_schemas": (
        "AdviseOut",
        "ConfirmedFactOut",
        "ContextOut",
        "DocumentOut",
        "FailedAttemptOut",
        "LessonOut",
        "PendingItemOut",
        "ProposalOut",
        "RetrospectOut",
        "ToolCallOut",
        "WorkingMemoryOut",
    ),
    "interfaces.library": ("Hindsight",),
    "interfaces.promises": ("JobOut", "JobsOut"),
    "interfaces.schemas": (
        "CandidateOut",
        "EventIn",
        "FeedbackOut",
        "ForgetOut",
        "HistoryOut",
        "HitOut",
        "ListOut",
        "MemoryOut",
        "RelatedOut",
        "RevisionOut",
        "SearchOut",
        "SourceOut",
        "WriteOut",
    ),
    "interfaces.upkeep": ("MaintainOut", "StepOut"),
    "interfaces.verification": ("CheckOut", "VerifyOut"),
}
"""Names by their module. The MCP server lists its tools without what these would import: 0.1 s for
the results, 0.3 s for the library."""


def __getattr__(name: str) -> Any:
    for module, names in _ON_FIRST_USE.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
