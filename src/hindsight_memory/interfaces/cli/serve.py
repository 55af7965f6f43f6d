"""``serve``: the HTTP doors, on the loopback interface."""

import json
import os
import socket
from contextlib import closing, suppress

import click
import uvicorn

from hindsight_memory.engine.background import Background
from hindsight_memory.errors import InvalidInput, Unavailable
from hindsight_memory.interfaces.boundary import LOOPBACK
from hindsight_memory.interfaces.cli.shell import (
    Shell,
    opened_by_first_use,
    pass_shell,
    setting,
    shared,
)
from hindsight_memory.interfaces.http import create_app

GRACE_SECONDS = 10
"""How long open requests get when the server is asked to stop; event streams never end alone."""


@click.command(
    params=[
        setting("host", "--host", help="Loopback address; default 127.0.0.1."),
        setting("port", "--port", type=int, help="Default 8080; 0 takes any free port."),
        *shared(),
    ]
)
@pass_shell
def serve(shell: Shell) -> None:
    """Serve REST and MCP over HTTP to this machine.

    Stops on Ctrl-C or SIGTERM, after the requests that are running. Logs go to stderr.
    """
    settings = shell.settings
    shell.usual_log_level = "info"
    shell.start_logs()
    caller = shell.caller(is_person=False)
    with (
        closing(_listening(settings.host, settings.port)) as listener,
        opened_by_first_use(shell) as engine,
    ):
        background = Background(
            lambda: engine().parts, keeps_up=settings.maintain_daily, works=settings.worker
        )
        app = create_app(engine, caller, background=background)
        _tell(_url(listener), as_json=shell.as_json)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,  # the app logs one line for each request itself
            server_header=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        with suppress(KeyboardInterrupt):  # uvicorn stopped in order, then raises it again
            uvicorn.Server(config).run([listener])


def _listening(host: str, port: int) -> socket.socket:
    """Bound here and not by uvicorn, which only logs that a port is taken."""
    if host not in LOOPBACK:
        raise InvalidInput(
            f"host {host!r} is not on the loopback interface ({', '.join(sorted(LOOPBACK))}); "
            "to serve other machines needs API keys, which come with a later release"
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        raise Unavailable(
            f"cannot listen on port {port} of {host}: {os.strerror(error.errno or 0)}; stop what "
            "uses it, or choose another with --port (0 takes any free one)"
        ) from error
    # asyncio sets it only on sockets whose protocol is named, which this one's is not; without it
    # an answer waits 40 ms for the client to acknowledge the headers. Connections inherit it.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _url(listener: socket.socket) -> str:
    host, port, *_ = listener.getsockname()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _tell(url: str, *, as_json: bool) -> None:
    places = {"rest": f"{url}/v1", "mcp": f"{url}/mcp", "openapi": f"{url}/openapi.json"}
    if as_json:
        click.echo(json.dumps({"url": url, **places}))
        return
    click.echo(f"Hindsight Memory serves this machine at {url} (Ctrl-C stops it)")
    for name, place in places.items():
        click.echo(f"  {name:<8}{place}")
