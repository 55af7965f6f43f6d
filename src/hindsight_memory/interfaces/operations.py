"""Every operation offered to the outside, in one table.

MCP tools, REST routes, shell commands and the library's methods are derived from it, so an
operation added here appears in all of them with the same name, schema and right.
"""

from collections.abc import Mapping

from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces import agent_operations, memory_operations
from hindsight_memory.interfaces.agent_schemas import (
    AdviseIn,
    AdviseOut,
    ContextIn,
    ContextOut,
    RetrospectIn,
    RetrospectOut,
    WorkingMemoryIn,
    WorkingMemoryOut,
    WorkingMemoryTurnIn,
)
from hindsight_memory.interfaces.operation import Operation, Route
from hindsight_memory.interfaces.promises import (
    JobOut,
    JobsIn,
    JobsOut,
    RetryIn,
    WrittenIn,
    memory_jobs,
    memory_retry,
    memory_written,
)
from hindsight_memory.interfaces.schemas import (
    FeedbackIn,
    FeedbackOut,
    ForgetIn,
    ForgetOut,
    GetIn,
    HistoryIn,
    HistoryOut,
    ListIn,
    ListOut,
    MemoryOut,
    SearchIn,
    SearchOut,
    UpdateIn,
    WriteIn,
    WriteOut,
)
from hindsight_memory.interfaces.upkeep import MaintainIn, MaintainOut, memory_maintain
from hindsight_memory.interfaces.verification import VerifyIn, VerifyOut

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        name="memory_write",
        command="write",
        right="write",
        routes=(Route("POST", "/v1/memories"),),
        takes=WriteIn,
        gives=WriteOut,
        run=memory_operations.memory_write,
    ),
    Operation(
        name="memory_search",
        command="search",
        right="read",
        routes=(Route("POST", "/v1/memories/search"),),
        takes=SearchIn,
        gives=SearchOut,
        run=memory_operations.memory_search,
        is_idempotent=True,
    ),
    Operation(
        name="memory_update",
        command="update",
        right="write",
        routes=(Route("PATCH", "/v1/memories/{memory_id}"),),
        takes=UpdateIn,
        gives=MemoryOut,
        run=memory_operations.memory_update,
    ),
    Operation(
        name="memory_forget",
        command="forget",
        right="forget",
        routes=(
            Route("DELETE", "/v1/memories/{memory_id}"),
            Route("POST", "/v1/memories/forget"),
        ),
        takes=ForgetIn,
        gives=ForgetOut,
        run=memory_operations.memory_forget,
    ),
    Operation(
        name="memory_verify",
        command="verify",
        right="write",
        routes=(Route("POST", "/v1/memories/verify"),),
        takes=VerifyIn,
        gives=VerifyOut,
        run=memory_operations.memory_verify,
    ),
    Operation(
        name="memory_context",
        command="context",
        right="read",
        routes=(Route("POST", "/v1/context"),),
        takes=ContextIn,
        gives=ContextOut,
        run=agent_operations.memory_context,
        is_idempotent=True,
    ),
    Operation(
        name="memory_advise",
        command="advise",
        right="read",
        routes=(Route("POST", "/v1/advice"),),
        takes=AdviseIn,
        gives=AdviseOut,
        run=agent_operations.memory_advise,
        is_idempotent=True,
    ),
    Operation(
        name="working_memory",
        command="working-memory",
        right="write",
        routes=(
            Route("GET", "/v1/sessions/{session_id}/working-memory"),
            Route("PATCH", "/v1/sessions/{session_id}/working-memory"),
        ),
        takes=WorkingMemoryIn,
        gives=WorkingMemoryOut,
        run=agent_operations.working_memory,
    ),
    Operation(
        name="memory_retrospect",
        command="retrospect",
        right="write",
        routes=(Route("POST", "/v1/retrospect"),),
        takes=RetrospectIn,
        gives=RetrospectOut,
        run=agent_operations.memory_retrospect,
        is_idempotent=True,
    ),
    Operation(
        name="memory_feedback",
        command="feedback",
        right="write",
        routes=(Route("POST", "/v1/feedback"),),
        takes=FeedbackIn,
        gives=FeedbackOut,
        run=memory_operations.memory_feedback,
    ),
    Operation(
        name="memory_maintain",
        command="maintain",
        right="forget",
        routes=(Route("POST", "/v1/maintain"),),
        takes=MaintainIn,
        gives=MaintainOut,
        run=memory_maintain,
        is_tool=False,
        is_idempotent=True,
    ),
    Operation(
        name="working_memory_turn",
        command="working-memory-turn",
        right="write",
        routes=(Route("POST", "/v1/sessions/{session_id}/turns"),),
        takes=WorkingMemoryTurnIn,
        gives=WorkingMemoryOut,
        run=agent_operations.working_memory_turn,
        is_tool=False,
    ),
    Operation(
        name="memory_written",
        command="written",
        right="read",
        routes=(Route("GET", "/v1/writes/{write_id}"),),
        takes=WrittenIn,
        gives=WriteOut,
        run=memory_written,
        is_tool=False,
        is_idempotent=True,
    ),
    Operation(
        name="memory_jobs",
        command="jobs",
        right="read",
        routes=(Route("GET", "/v1/jobs"),),
        takes=JobsIn,
        gives=JobsOut,
        run=memory_jobs,
        is_tool=False,
        is_idempotent=True,
    ),
    Operation(
        name="memory_retry",
        command="retry",
        right="write",
        routes=(Route("POST", "/v1/jobs/{job_id}/retry"),),
        takes=RetryIn,
        gives=JobOut,
        run=memory_retry,
        is_tool=False,
    ),
    Operation(
        name="memory_get",
        command="show",
        right="read",
        routes=(Route("GET", "/v1/memories/{memory_id}"),),
        takes=GetIn,
        gives=MemoryOut,
        run=memory_operations.memory_get,
        is_tool=False,
        is_idempotent=True,
    ),
    Operation(
        name="memory_list",
        command="list",
        right="read",
        routes=(Route("GET", "/v1/memories"),),
        takes=ListIn,
        gives=ListOut,
        run=memory_operations.memory_list,
        is_tool=False,
        is_idempotent=True,
    ),
    Operation(
        name="memory_history",
        command="history",
        right="read",
        routes=(Route("GET", "/v1/memories/{memory_id}/history"),),
        takes=HistoryIn,
        gives=HistoryOut,
        run=memory_operations.memory_history,
        is_tool=False,
        is_idempotent=True,
    ),
)
BY_NAME: Mapping[str, Operation] = {operation.name: operation for operation in OPERATIONS}


def named(tool: str) -> Operation:
    """Raises InvalidInput for a name that no operation has."""
    operation = BY_NAME.get(tool)
    if operation is None:
        raise InvalidInput(f"no tool {tool!r}; known: {', '.join(BY_NAME)}")
    return operation
