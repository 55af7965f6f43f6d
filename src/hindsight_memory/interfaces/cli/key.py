"""``key``: makes an API key, and says what to do with it."""

import secrets

import click
from pydantic import BaseModel, Field
from rich.console import Group, RenderableType
from rich.text import Text

from hindsight_memory.core.keys import parse
from hindsight_memory.core.model import Caller
from hindsight_memory.interfaces.cli.output import show
from hindsight_memory.interfaces.cli.shell import Shell, pass_shell, shared
from hindsight_memory.interfaces.cli.views import Glance
from hindsight_memory.settings import PREFIX

RANDOM_BYTES = 32

MARK = "hm_"
"""By which people, and tools that look for leaked keys, know what it is."""


class KeyOut(BaseModel):
    key: str = Field(description="For the client; it is shown once, and kept nowhere.")
    entry: str = Field(description="For the server, which knows the key by its hash.")


@click.command(
    "key",
    params=[
        click.Option(["--tenant"], default=Caller().tenant, show_default=True, help="Whose."),
        click.Option(["--name"], default="", help="Which of the tenant's keys, for logs."),
        *shared("as_json"),
    ],
)
@pass_shell
def key_(shell: Shell, *, tenant: str, name: str) -> None:
    """Make an API key for a tenant.

    It is shown once. The server gets its hash, which opens nothing.
    """
    made = MARK + secrets.token_urlsafe(RANDOM_BYTES)
    [key] = parse(f"{tenant}/{name}:{made}")
    show(shell, KeyOut(key=made, entry=key.spelled()), told)


def told(result: KeyOut, _glance: Glance) -> RenderableType:
    return Group(
        Text("for the client", "dim"),
        _whole(f"{PREFIX}API_KEY={result.key}"),
        Text("for the server, after a comma where it has keys already", "dim"),
        _whole(f"{PREFIX}API_KEYS={result.entry}"),
    )


def _whole(line: str) -> Text:
    """To be copied, so it is not broken where the terminal ends."""
    return Text(line, no_wrap=True, overflow="ignore")
