"""Our own server as a process, for tests of what is said to it from outside."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

COMMAND = str(Path(sys.executable).with_name("hindsight-memory"))

STOP_SECONDS = 30
"""A server ends its requests for ten, and the machine may be busy."""


@contextmanager
def serving(folder: Path, environment: Mapping[str, str], **settings: str) -> Iterator[str]:
    """The address of a server with these settings, whose store is in ``folder``, and whose log is
    in its file ``log``. It must end in order. environment: the rest of its variables.
    """
    variables = {name: each for name, each in environment.items() if "HINDSIGHT" not in name}
    variables["HINDSIGHT_MEMORY_STORE_URL"] = f"sqlite:///{folder / 'memory.db'}"
    variables["HINDSIGHT_MEMORY_EMBEDDER"] = "hashing:64"
    variables |= {f"HINDSIGHT_MEMORY_{name.upper()}": each for name, each in settings.items()}
    command = [COMMAND, "serve", "--port", "0", "--json"]
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(  # noqa: S603 - our own command
            command, env=variables, stdout=subprocess.PIPE, stderr=log
        ) as process,
    ):
        try:
            assert process.stdout is not None
            told = json.loads(process.stdout.readline())
            yield f"http://127.0.0.1:{told['url'].rpartition(':')[2]}"
            process.terminate()
            assert process.wait(timeout=STOP_SECONDS) == 0
        finally:
            process.kill()
