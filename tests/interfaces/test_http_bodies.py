"""Who sends too much is told so, over a real connection, also one that ends with the answer."""

import socket
from collections.abc import Iterator

import pytest
import uvicorn

from hindsight_memory.interfaces.bodies import MOST_BYTES
from hindsight_memory.interfaces.wire import MAX_MESSAGE_BYTES

CHUNK = 64 * 1024
SIZE = 32 * MAX_MESSAGE_BYTES
"""More than the buffers of both ends hold, so that the last bytes wait until somebody reads."""

pytestmark = pytest.mark.usefixtures("server")


def head(path: str, *headers: str) -> bytes:
    common = ("Host: 127.0.0.1", "Content-Type: application/json", "Connection: close")
    return "\r\n".join((f"POST {path} HTTP/1.1", *common, *headers, "", "")).encode()


@pytest.fixture
def client(server: uvicorn.Server, listener: socket.socket) -> Iterator[socket.socket]:
    with socket.create_connection(listener.getsockname(), timeout=20) as client:
        yield client


def flood(client: socket.socket, size: int) -> None:
    for _ in range(size // CHUNK):
        client.sendall(b"x" * CHUNK)


def answer(client: socket.socket) -> bytes:
    """Up to the end of the connection."""
    return b"".join(iter(lambda: client.recv(CHUNK), b""))


@pytest.mark.parametrize(
    ("path", "status"), [("/odd/echo", b"413"), ("/mcp", b"413"), ("/nowhere", b"404")]
)
def test_a_large_body_is_read_to_its_end_and_answered(
    client: socket.socket, path: str, status: bytes
) -> None:
    client.sendall(head(path, "Accept: application/json", f"Content-Length: {SIZE}"))
    flood(client, SIZE)
    assert answer(client).startswith(b"HTTP/1.1 " + status)


def test_so_is_a_body_that_does_not_say_its_length(client: socket.socket) -> None:
    client.sendall(head("/odd/echo", "Transfer-Encoding: chunked"))
    for _ in range(SIZE // CHUNK):
        client.sendall(b"%x\r\n" % CHUNK + b"x" * CHUNK + b"\r\n")
    client.sendall(b"0\r\n\r\n")
    assert answer(client).startswith(b"HTTP/1.1 413")


def test_who_asks_before_sending_is_refused_at_once(client: socket.socket) -> None:
    client.sendall(head("/odd/echo", f"Content-Length: {SIZE}", "Expect: 100-continue"))
    assert answer(client).startswith(b"HTTP/1.1 413")


def test_nobody_is_listened_to_for_ever(client: socket.socket) -> None:
    client.sendall(head("/odd/echo", f"Content-Length: {2 * MOST_BYTES}"))
    with pytest.raises((ConnectionResetError, BrokenPipeError)):
        flood(client, 2 * MOST_BYTES)
