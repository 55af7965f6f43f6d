"""One JSON-RPC message a line, over two pipes.

A transport of our own below the SDK's ``Server.run``: its ``stdio_server`` would cancel what still
runs when stdin ends, drop malformed lines without an answer, and demand a handshake of older
protocols, which nobody wants to type into a shell.
"""

import math
from functools import partial
from types import TracebackType
from typing import Any, BinaryIO, Self

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel.server import Server
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from pydantic import ValidationError

from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.mcp.pipes import Pipes
from hindsight_memory.interfaces.threads import call_in_thread, lines_from
from hindsight_memory.interfaces.wire import MAX_MESSAGE_BYTES, decode

MAX_PENDING = 1024
"""Requests in work at once; later lines wait in the pipe, so a flood is bounded in memory."""

READY = types.JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized")


async def converse(server: Server[Any], pipes: Pipes) -> None:
    """Answer what comes in until it ends; what is pending then is finished and answered first."""
    send, receive = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    lines_out, lines = anyio.create_memory_object_stream[bytes](math.inf)
    answers = Answers(lines_out)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_read, pipes.incoming, send, answers)
        tasks.start_soon(_write, lines, pipes.outgoing)
        await server.run(receive, answers, server.create_initialization_options())


class Answers:
    """Implements the SDK's write stream. Knows which requests are pending."""

    def __init__(self, lines: MemoryObjectSendStream[bytes]) -> None:
        self._lines = lines
        self._free = anyio.Semaphore(MAX_PENDING)

    async def expect(self) -> ServerMessageMetadata:
        """Count a request as pending; what is returned must travel with it.

        The SDK calls ``on_request_unanswered`` for a request that the client cancelled, which gets
        no answer; every other request gets exactly one.
        """
        await self._free.acquire()
        return ServerMessageMetadata(on_request_unanswered=self._settle)

    async def all_settled(self) -> None:
        for _ in range(MAX_PENDING):
            await self._free.acquire()

    async def send(self, item: SessionMessage) -> None:
        """Never waits, so a cancellation cannot come between an answer and its count."""
        self.tell(item.message)
        if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
            self._free.release()

    def tell(self, message: types.JSONRPCMessage) -> None:
        """Queue a message that settles no request."""
        self._lines.send_nowait(_encode(message))

    async def aclose(self) -> None:
        self._lines.close()

    async def _settle(self) -> None:
        self._free.release()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()


async def _read(
    pipe: BinaryIO,
    send: MemoryObjectSendStream[SessionMessage | Exception],
    answers: Answers,
) -> None:
    is_open = False
    async with send, lines_from(partial(_read_line, pipe)) as lines:
        async for line in lines:
            message = _understand(line)
            if isinstance(message, types.JSONRPCError):
                answers.tell(message)
                continue
            if isinstance(message, types.JSONRPCRequest):
                if not is_open and _skips_the_handshake(message):
                    await send.send(SessionMessage(READY))
                is_open = True
                await send.send(SessionMessage(message, await answers.expect()))
            elif message is not None:
                await send.send(SessionMessage(message))
        await answers.all_settled()


async def _write(lines: MemoryObjectReceiveStream[bytes], pipe: BinaryIO) -> None:
    """A client that is gone gets no answers, but what it asked for is finished all the same."""
    is_broken = False
    with lines:
        async for line in lines:
            if not is_broken:
                is_broken = not await call_in_thread(partial(_write_line, pipe, line))


def _read_line(pipe: BinaryIO) -> bytes:
    """The next line, or of one that is too long its beginning, just as long as to tell."""
    line = rest = pipe.readline(MAX_MESSAGE_BYTES + 1)
    while len(rest) > MAX_MESSAGE_BYTES and not rest.endswith(b"\n"):
        rest = pipe.readline(MAX_MESSAGE_BYTES + 1)
    return line


def _write_line(pipe: BinaryIO, line: bytes) -> bool:
    """False when nobody reads any more."""
    rest = memoryview(line)
    try:
        while rest:
            rest = rest[pipe.write(rest) :]
    except OSError:
        return False
    return True


def _understand(line: bytes) -> types.JSONRPCMessage | None:
    """The message in ``line``; an error to answer when it is none; None for an empty line."""
    if len(line) > MAX_MESSAGE_BYTES:
        return _refuse(types.INVALID_REQUEST, f"a line has at most {MAX_MESSAGE_BYTES} bytes")
    if not line.strip():
        return None
    try:
        given = decode(line)
    except InvalidInput as error:
        return _refuse(types.PARSE_ERROR, str(error))
    if not isinstance(given, dict):
        return _refuse(types.INVALID_REQUEST, "a line holds one JSON-RPC object; no batches")
    try:
        message = types.jsonrpc_message_adapter.validate_python(given, by_name=False)
    except ValidationError:
        message = None
    # The SDK's union takes a request with a wrong id for a notification and leaves it unanswered.
    if message is None or not (_is_id(given.get("id", 0)) and _is_text(given.get("method", ""))):
        return _refuse(types.INVALID_REQUEST, "not a JSON-RPC 2.0 message", given.get("id"))
    return message


def _refuse(code: int, message: str, request_id: Any = None) -> types.JSONRPCError:
    """``request_id`` is repeated when it can be one."""
    known = request_id if _is_id(request_id) else None
    error = types.ErrorData(code=code, message=message)
    return types.JSONRPCError(jsonrpc="2.0", id=known, error=error)


def _is_id(value: Any) -> bool:
    return _is_text(value) or (isinstance(value, int) and not isinstance(value, bool))


def _is_text(value: Any) -> bool:
    """A lone surrogate, which JSON can spell and UTF-8 cannot, could not be sent back."""
    return isinstance(value, str) and not any("\ud800" <= each <= "\udfff" for each in value)


def _skips_the_handshake(request: types.JSONRPCRequest) -> bool:
    """A bare request of an older protocol, typed or piped in by hand."""
    meta = (request.params or {}).get("_meta")
    is_stateless = isinstance(meta, dict) and types.PROTOCOL_VERSION_META_KEY in meta
    return request.method != "initialize" and not is_stateless


def _encode(message: types.JSONRPCMessage) -> bytes:
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
    except ValueError:  # a lone surrogate came back, which no encoding can spell
        request_id = getattr(message, "id", None)
        return _encode(_refuse(types.INTERNAL_ERROR, "the answer is not valid text", request_id))
