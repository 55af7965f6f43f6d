"""MCP over this process's stdin and stdout. Nothing heavy is imported before the pipes are safe."""

import gc
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from hindsight_memory.core.model import Caller
from hindsight_memory.interfaces.mcp.pipes import claim_pipes

if TYPE_CHECKING:  # neither before the pipes are safe
    from hindsight_memory.engine.memories import Memories
    from hindsight_memory.interfaces.operation import Operation


def serve_stdio(
    open_engine: Callable[[], "Memories"],
    caller: Caller,
    operations: Sequence["Operation"] | None = None,
) -> None:
    """Answer requests from stdin until it ends and the last of them is answered.

    open_engine: called in worker threads by each tool call, so it must be safe there, and cheap
    when repeated; the list of tools is answered without it. operations: by default all.
    """
    pipes = claim_pipes()
    # Importing the SDK makes a thousand classes, none of them garbage: looking takes 30 of 350 ms.
    gc.disable()
    _build_wire_models_when_used()
    import anyio

    from hindsight_memory.interfaces.mcp.conversation import converse
    from hindsight_memory.interfaces.mcp.server import create_server
    from hindsight_memory.interfaces.operations import OPERATIONS

    gc.enable()
    if not caller.session_id:
        caller = replace(caller, session_id=uuid4().hex)
    server = create_server(open_engine, caller, operations or OPERATIONS)
    anyio.run(converse, server, pipes)


def _build_wire_models_when_used() -> None:
    """Spares 40 ms: the SDK has 300 models of two protocol versions, a client speaks five of them.

    There is no public way to say so (modelcontextprotocol/python-sdk, pull request 3220, brings
    it); should the private base class move, start-up is merely slower.
    """
    with suppress(ImportError):
        from mcp_types._wire_base import WireModel

        WireModel.model_config["defer_build"] = True
