"""Results on stdout: JSON for programs, tables for people. Nothing else is ever written there."""

import sys
from typing import TYPE_CHECKING

from pydantic import BaseModel

from hindsight_memory.interfaces.cli.shell import Shell

if TYPE_CHECKING:
    from hindsight_memory.interfaces.cli.views import View


def show(shell: Shell, result: BaseModel, view: "View | None" = None) -> None:
    """view: by default that of ``VIEWS``."""
    if shell.as_json:
        show_json(result)
        return
    from hindsight_memory.interfaces.cli import views  # rich takes 50 ms to import

    views.show(result, shell.settings.time_zone, view)


def show_json(result: BaseModel) -> None:
    """The same document as over HTTP, in UTF-8 whatever the locale is."""
    sys.stdout.buffer.write(result.model_dump_json().encode() + b"\n")
    sys.stdout.buffer.flush()
