"""``serve``: the HTTP doors, to this machine, or with API keys to others."""

import errno
import json
import os
import socket
from contextlib import closing, suppress

import click
import uvicorn

from hindsight_memory.core.addresses import is_loopback
from hindsight_memory.engine.background import Background
from hindsight_memory.errors import InvalidInput, Unavailable
from hindsight_memory.interfaces.cli.shell import (
    Shell,
    opened_by_first_use,
    pass_shell,
    setting,
    shared,
)
from hindsight_memory.interfaces.http import Doors, create_app
from hindsight_memory.interfaces.measuring import open_metrics
from hindsight_memory.interfaces.tracing import exporting
from hindsight_memory.settings import Settings
from hindsight_memory.wiring import open_addresses, open_keyring, open_limiter

GRACE_SECONDS = 10
"""How long open requests get when the server is asked to stop; event streams never end alone."""


@click.command(
    params=[
        setting("host", "--host", help="Address to listen at; default 127.0.0.1."),
        setting("port", "--port", type=int, help="Default 8080; 0 takes any free port."),
        *shared(),
    ]
)
@pass_shell
def serve(shell: Shell) -> None:
    """Serve REST and MCP over HTTP.

    To this machine; at an address that others reach only with API keys, which the command key
    makes. Stops on Ctrl-C or SIGTERM, after the requests that are running. Logs go to stderr.
    """
    settings = shell.settings
    shell.usual_log_level = "info"
    shell.start_logs()
    caller = shell.caller(is_person=False)
    doors = _doors(settings)
    with (
        exporting(),
        closing(_listening(settings.host, settings.port)) as listener,
        opened_by_first_use(shell) as engine,
    ):
        background = Background(
            lambda: engine().parts, keeps_up=settings.maintain_daily, works=settings.worker
        )
        app = create_app(engine, caller, doors=doors, background=background, metrics=open_metrics())
        _tell(_url(listener), keys=len(doors.keyring), as_json=shell.as_json)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,  # the app logs one line for each request itself
            server_header=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        with suppress(KeyboardInterrupt):  # uvicorn stopped in order, then raises it again
            uvicorn.Server(config).run([listener])


def _doors(settings: Settings) -> Doors:
    """Raises InvalidInput where others could come in without a key."""
    keyring, addresses = open_keyring(settings), open_addresses(settings)
    public = sorted(name for name in addresses.hosts if not is_loopback(name))
    if not is_loopback(settings.host):
        public.insert(0, settings.host)
    if public and not len(keyring):
        raise InvalidInput(
            f"other machines reach {public[0]!r}, so callers must show an API key: make one with "
            "`hindsight-memory key`, which says what to set; or serve this machine only, with "
            "--host 127.0.0.1 and without HINDSIGHT_MEMORY_ALLOWED_HOSTS"
        )
    return Doors(addresses=addresses, keyring=keyring, limiter=open_limiter(settings))


def _listening(host: str, port: int) -> socket.socket:
    """Bound here and not by uvicorn, which only logs that a port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    try:
        listener = socket.create_server((host, port), family=family, dualstack_ipv6=both)
    except OSError as error:
        # Names that nobody knows have negative numbers, those of getaddrinfo.
        if error.errno == errno.EADDRNOTAVAIL or (error.errno or 0) < 0:
            raise InvalidInput(f"{host!r} is no address of this machine") from error
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


def _tell(url: str, *, keys: int, as_json: bool) -> None:
    places = {
        "rest": f"{url}/v1",
        "mcp": f"{url}/mcp",
        "openapi": f"{url}/openapi.json",
        "metrics": f"{url}/metrics",
    }
    if as_json:
        click.echo(json.dumps({"url": url, **places, "keys": keys}))
        return
    whom = f"who shows one of {keys} API keys" if keys else "this machine"
    click.echo(f"Hindsight Memory serves {whom} at {url} (Ctrl-C stops it)")
    for name, place in places.items():
        click.echo(f"  {name:<8}{place}")
