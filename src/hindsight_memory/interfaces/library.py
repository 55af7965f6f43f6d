"""The library: what an agent's own loop imports.

Each method is an operation of the table and takes what the operation takes, so its signature is
that of the schema; a new operation is one line here.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from datetime import datetime
from inspect import Parameter, Signature, signature
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, get_type_hints
from weakref import finalize

from pydantic import BaseModel, ValidationError

from hindsight_memory.core import hygiene
from hindsight_memory.core.model import Caller
from hindsight_memory.core.ports import Progress
from hindsight_memory.engine import transfer
from hindsight_memory.engine.exporting import export_lines, silent
from hindsight_memory.engine.lines import Report
from hindsight_memory.engine.memories import Memories
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces import (
    agent_operations,
    agent_schemas,
    exporting,
    files,
    importing,
    memory_operations,
    promises,
    schemas,
    upkeep,
    verification,
)
from hindsight_memory.interfaces.callers import caller_of
from hindsight_memory.interfaces.operation import explain
from hindsight_memory.interfaces.operations import named
from hindsight_memory.settings import Settings
from hindsight_memory.wiring import open_memories

Given = ParamSpec("Given")
Gives = TypeVar("Gives", bound=BaseModel)
Takes = TypeVar("Takes")


def _method(
    takes: Callable[Given, Takes], run: Callable[[Memories, Caller, Takes], Gives]
) -> Callable[Concatenate["Hindsight", Given], Gives]:
    """An operation as a method; bad arguments raise InvalidInput, as through every door."""

    def method(self: "Hindsight", /, *args: Given.args, **kwargs: Given.kwargs) -> Gives:
        try:
            given = takes(*args, **kwargs)
        except ValidationError as error:
            raise InvalidInput(explain(error)) from error
        hygiene.check_encodable({**vars(given), **kwargs})
        return run(self.memories, self.caller, given)

    method.__name__ = method.__qualname__ = run.__name__
    method.__doc__ = run.__doc__
    method.__signature__ = _signature(takes)  # type: ignore[attr-defined]  # for help()
    return method


def _signature(takes: Callable[..., Any]) -> Signature:
    """That of a method with the arguments of ``takes``, without what only schemas need."""
    kinds = get_type_hints(takes)
    known = signature(takes).parameters.values()
    itself = Parameter("self", Parameter.POSITIONAL_ONLY)
    return Signature([itself, *(each.replace(annotation=kinds[each.name]) for each in known)])


class Hindsight:
    """A store of memories, opened. Use it in a ``with`` block, from any thread.

    >>> with Hindsight.open("sqlite:///memory.db") as memory:
    ...     memory.write("用户偏好用中文交流")
    ...     memory.search("which language?").hits
    """

    def __init__(
        self, memories: Memories, caller: Caller, closing: ExitStack | None = None
    ) -> None:
        self.memories = memories
        self.caller = caller
        # Also when nobody closes it: a thread that the interpreter stops in a write, when it ends,
        # never lets go of the store, and what closes the store then waits for ever.
        self._finalize = finalize(self, (closing or ExitStack()).close)

    @classmethod
    def open(cls, store_url: str | None = None, **settings: Any) -> Self:
        """Open the store at ``store_url`` (default: that of the settings).

        settings: fields of ``Settings`` to use instead of the environment's, such as ``user_id``,
        ``agent_id``, ``project`` or ``embedder``. Raises InvalidInput, Incompatible, Unavailable.
        """
        given = settings if store_url is None else {"store_url": store_url, **settings}
        chosen = Settings.load(**given)
        caller = caller_of(chosen, is_person=False)
        closing = ExitStack()
        memories = closing.enter_context(open_memories(chosen))
        return cls(memories, caller, closing)

    write = _method(schemas.WriteIn, memory_operations.memory_write)
    search = _method(schemas.SearchIn, memory_operations.memory_search)
    update = _method(schemas.UpdateIn, memory_operations.memory_update)
    forget = _method(schemas.ForgetIn, memory_operations.memory_forget)
    verify = _method(verification.VerifyIn, memory_operations.memory_verify)
    context = _method(agent_schemas.ContextIn, agent_operations.memory_context)
    advise = _method(agent_schemas.AdviseIn, agent_operations.memory_advise)
    working_memory = _method(agent_schemas.WorkingMemoryIn, agent_operations.working_memory)
    working_memory_turn = _method(
        agent_schemas.WorkingMemoryTurnIn, agent_operations.working_memory_turn
    )
    retrospect = _method(agent_schemas.RetrospectIn, agent_operations.memory_retrospect)
    feedback = _method(schemas.FeedbackIn, memory_operations.memory_feedback)
    show = _method(schemas.GetIn, memory_operations.memory_get)
    list = _method(schemas.ListIn, memory_operations.memory_list)
    history = _method(schemas.HistoryIn, memory_operations.memory_history)
    written = _method(promises.WrittenIn, promises.memory_written)
    jobs = _method(promises.JobsIn, promises.memory_jobs)
    retry = _method(promises.RetryIn, promises.memory_retry)
    maintain = _method(upkeep.MaintainIn, upkeep.memory_maintain)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Any operation by its tool name, with plain values, as an agent calls it over MCP."""
        operation = named(tool)
        result = operation.run(self.memories, self.caller, operation.parse(arguments))
        return result.model_dump(mode="json")

    def export_to(
        self,
        path: str | PathLike[str],
        *,
        user_id: str | None = None,
        project: str | None = None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        progress: Progress = silent,
    ) -> int:
        """Write every memory with its version history to a file, for ``import_from``, and return
        how many there are: all users', forgotten and superseded ones too, but only those of
        exactly ``user_id`` and ``project`` where given. The file appears when it is complete.

        as_of, known_at: instead, what a list of that time shows, as it was then.
        """
        chosen = {"user_id": user_id, "project": project, "as_of": as_of, "known_at": known_at}
        wanted = exporting.wanted(chosen)
        with files.replacing(Path(path)) as target:
            return export_lines(
                self.memories.parts,
                self.caller.tenant,
                target.write,
                wanted=wanted,
                progress=progress,
            )

    def import_from(
        self,
        path: str | PathLike[str],
        *,
        user_speakers: Iterable[str] = (),
        form: str = importing.AUTO,
        strict: bool = False,
        progress: Progress = silent,
    ) -> Report:
        """Bring in the memories and the conversation turns of a file, as the command ``import``.

        form: what the file is ("lines", "notes", "mem0", ...), where it does not show.
        Memories are found by words when this returns; their vectors follow in the background.
        """
        with files.reading(Path(path)) as source:
            report = transfer.import_rows(
                self.memories.parts,
                self.caller,
                importing.rows_of(source, str(path), form),
                user_speakers=user_speakers,
                strict=strict,
                progress=progress,
                total=files.count_lines(Path(path)),
            )
        self.memories.parts.behind.wake()
        return report

    def close(self) -> None:
        """Finish what was left to do and let go of the store; twice is harmless.

        Happens by itself when the process ends.
        """
        self._finalize()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
