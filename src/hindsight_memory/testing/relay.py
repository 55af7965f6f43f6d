"""A line to a server that can be cut and mended, in the clear or under TLS."""

import socket
import ssl
import threading
from types import TracebackType
from typing import Self

CHUNK_BYTES = 64 * 1024


class Relay:
    """Listens on a free port of loopback and passes on to another port of it. tls: what callers are
    met with.
    """

    def __init__(self, target: int, *, tls: ssl.SSLContext | None = None) -> None:
        self._target, self._tls = target, tls
        self._lock = threading.Lock()
        self._ends: set[socket.socket] = set()
        self._is_cut = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]

    def cut(self) -> None:
        """Nobody comes through, and who was through is thrown out."""
        with self._lock:
            self._is_cut = True
            ends, self._ends = self._ends, set()
        for end in ends:
            _close(end)

    def mend(self) -> None:
        with self._lock:
            self._is_cut = False

    def _listen(self) -> None:
        while True:
            try:
                caller, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(caller,), daemon=True).start()

    def _serve(self, caller: socket.socket) -> None:
        try:
            if self._tls is not None:
                caller = self._tls.wrap_socket(caller, server_side=True)
            called = socket.create_connection(("127.0.0.1", self._target))
        except OSError:
            _close(caller)
            return
        with self._lock:
            is_cut = self._is_cut
            if not is_cut:
                self._ends |= {caller, called}
        if is_cut:
            _close(caller)
            _close(called)
            return
        threading.Thread(target=_pass_on, args=(called, caller), daemon=True).start()
        _pass_on(caller, called)

    def __enter__(self) -> Self:
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        _close(self._listener)
        self.cut()


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    try:
        while said := source.recv(CHUNK_BYTES):
            sink.sendall(said)
    except OSError:
        pass
    finally:
        _close(source)
        _close(sink)


def _close(end: socket.socket) -> None:
    """Also wakes who waits for it in another thread."""
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    finally:
        end.close()
