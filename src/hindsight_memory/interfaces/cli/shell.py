"""What every command starts from: the options that they share, and what these open."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from threading import Lock
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:  # to import these takes longer than all that `--version` does
    from pydantic import BaseModel

    from hindsight_memory.core.model import Caller
    from hindsight_memory.engine.memories import Memories
    from hindsight_memory.interfaces.operation import Operation
    from hindsight_memory.settings import Settings


@dataclass
class Shell:
    """overrides: settings that options say otherwise. as_json: whether to print results as JSON.

    usual_log_level: of the command, where the settings name none.
    """

    overrides: dict[str, Any] = field(default_factory=dict)
    as_json: bool = False
    usual_log_level: str | None = None

    @classmethod
    def of(cls, context: click.Context) -> "Shell":
        return context.ensure_object(cls)

    @cached_property
    def settings(self) -> "Settings":
        """Raises InvalidInput for a bad value, and for a variable that is no setting."""
        from hindsight_memory.settings import Settings

        return Settings.load(**self.overrides)

    def caller(self, *, is_person: bool = True) -> "Caller":
        from hindsight_memory.interfaces.callers import caller_of

        return caller_of(self.settings, is_person=is_person)

    def start_logs(self) -> None:
        from hindsight_memory import logs

        chosen = "log_level" in self.settings.model_fields_set
        usual = None if chosen else self.usual_log_level
        logs.configure(usual or self.settings.log_level, self.settings.log_format)

    @contextmanager
    def memories(self) -> "Iterator[Memories]":
        self.start_logs()
        from hindsight_memory.wiring import open_memories

        with open_memories(self.settings) as memories:
            yield memories

    def run(self, operation: "Operation", arguments: Mapping[str, Any]) -> "BaseModel":
        """The one way of this door into the engine. Wrong arguments open no store."""
        given = operation.parse(arguments)
        caller = self.caller()
        with self.memories() as memories:
            return operation.run(memories, caller, given)


@contextmanager
def opened_by_first_use(shell: Shell) -> "Iterator[Callable[[], Memories]]":
    """A function for servers: opens the engine when first called, from any thread.

    Where opening fails, the next call tries again. What was opened is closed at the end.
    """
    lock = Lock()
    opened: list[Memories] = []
    with ExitStack() as stack:

        def engine() -> "Memories":
            with lock:
                if not opened:
                    opened.append(stack.enter_context(shell.memories()))
                return opened[0]

        yield engine


pass_shell = click.make_pass_decorator(Shell, ensure=True)


def _note(context: click.Context, option: click.Parameter, value: Any) -> None:
    shell = Shell.of(context)
    if option.name == "as_json":
        shell.as_json = shell.as_json or bool(value)
    elif value is not None and option.name is not None:
        shell.overrides[option.name] = value


def setting(name: str, *flags: str, help: str, **how: Any) -> click.Option:  # noqa: A002
    """An option that overrides the setting ``name``; ``how`` is click's."""
    return click.Option([name, *flags], help=help, expose_value=False, callback=_note, **how)


_SHARED: Mapping[str, Callable[[], click.Option]] = {
    "store_url": partial(
        setting, "store_url", "--store", metavar="URL", help="Where memories live."
    ),
    "user_id": partial(setting, "user_id", "--user", "--user-id", help="Whose memories."),
    "agent_id": partial(setting, "agent_id", "--agent", "--agent-id", help="Who acts."),
    "project": partial(
        setting, "project", "--project", help="Repository, case or workspace they are about."
    ),
    "as_json": partial(
        setting, "as_json", "--json", is_flag=True, help="Print JSON; failures too, on stderr."
    ),
}


def shared(*names: str) -> list[click.Parameter]:
    """The options with these names, by default all: each may stand before or after a command."""
    return [_SHARED[name]() for name in names or _SHARED]
