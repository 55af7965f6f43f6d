"""The fields of what an operation takes, as arguments and options of a command.

How a type is typed in a shell is a row of ``_KINDS``; a type without one is typed as JSON.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import click
from annotated_types import Ge, Le
from pydantic.fields import FieldInfo

from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces import wire
from hindsight_memory.interfaces.cli.stdin import read_text


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A field. kind: its type without annotations, None and list. bounds: of a number, or ""."""

    name: str
    kind: Any
    is_list: bool
    is_positional: bool
    default: Any
    description: str
    bounds: str


def fields_of(takes: type) -> list[Asked]:
    """In the order of the dataclass."""
    hints = get_type_hints(takes, include_extras=True)
    return [_asked(field, hints[field.name]) for field in dataclasses.fields(takes)]


def parameters(takes: type) -> list[click.Parameter]:
    """One for each field: an argument where it has a position, an option where it has none.

    What is not given is None, and an option repeated no more than once, as "", the empty list.
    """
    return [
        _argument(asked) if asked.is_positional else _option(asked) for asked in fields_of(takes)
    ]


def _asked(field: dataclasses.Field[Any], hint: Any) -> Asked:
    infos = list(_infos(hint))
    kind, is_list = _item(_plain(hint))
    return Asked(
        name=field.name,
        kind=kind,
        is_list=is_list,
        is_positional=not field.kw_only,
        default=field.default,
        description=next((info.description for info in infos if info.description), ""),
        bounds=_bounds([each for info in infos for each in info.metadata]),
    )


def _infos(hint: Any) -> Iterator[FieldInfo]:
    """What pydantic's Field says of a type, from the outside in."""
    if get_origin(hint) is Annotated:
        yield from (each for each in hint.__metadata__ if isinstance(each, FieldInfo))
        yield from _infos(get_args(hint)[0])
    elif get_origin(hint) in {Union, UnionType}:
        for each in get_args(hint):
            yield from _infos(each)


def _bounds(constraints: Iterable[Any]) -> str:
    least = next((each.ge for each in constraints if isinstance(each, Ge)), None)
    most = next((each.le for each in constraints if isinstance(each, Le)), None)
    return "" if least is None or most is None else f"{least} to {most}"


def _plain(hint: Any) -> Any:
    """The type that a caller thinks of: no annotations, and None is what is not given."""
    if get_origin(hint) is Annotated:
        return _plain(get_args(hint)[0])
    if get_origin(hint) in {Union, UnionType}:
        [one] = [each for each in get_args(hint) if each is not NoneType]
        return _plain(one)
    return hint


def _item(kind: Any) -> tuple[Any, bool]:
    if get_origin(kind) is list:
        return _plain(get_args(kind)[0]), True
    return kind, False


def _argument(asked: Asked) -> click.Argument:
    how = _how(asked)
    return click.Argument(
        [asked.name],
        nargs=-1 if asked.is_list else 1,
        required=asked.default is dataclasses.MISSING and not asked.is_list,
        callback=_listed(how) if asked.is_list else _PIPED.get(asked.kind, _piped_json),
    )


def _option(asked: Asked) -> click.Option:
    flags = [f"--{name.replace('_', '-')}" for name in _names(asked)]
    if asked.kind is bool:
        flag = flags[0] if asked.default is False else f"{flags[0]}/--no-{flags[0][2:]}"
        return click.Option([asked.name, flag], help=asked.description, is_flag=True, default=None)
    how = _how(asked)
    if asked.is_list:
        how |= {"multiple": True, "callback": _repeated(how)}
    return click.Option([asked.name, *flags], help=_help(asked), **how)


def _how(asked: Asked) -> dict[str, Any]:
    return next(how(asked.kind) for fits, how in _KINDS if fits(asked.kind))


def _names(asked: Asked) -> list[str]:
    """Its own, and the one that comes to mind: --tag for one of the tags, --user."""
    if asked.is_list:
        return list(dict.fromkeys([asked.name, asked.name.removesuffix("s")]))
    return [asked.name, *_SHORT.get(asked.name, ())]


_SHORT: Mapping[str, tuple[str, ...]] = {
    "user_id": ("user",),
    "agent_id": ("agent",),
    "session_id": ("session",),
}


def _help(asked: Asked) -> str:
    default = "" if asked.default in {None, dataclasses.MISSING} else f"default {asked.default}"
    repeated = "can be repeated" if asked.is_list else ""
    told = ", ".join(filter(None, (asked.bounds, default, repeated)))
    return " ".join(filter(None, (asked.description, f"({told})" if told else "")))


def _piped(_context: click.Context, _argument: click.Parameter, value: str | None) -> str | None:
    """``-`` stands for all of stdin."""
    return read_text() if value == "-" else value


def _listed(how: Mapping[str, Any]) -> Callable[[click.Context, click.Parameter, Any], list[Any]]:
    """Each of the values as ``how`` reads one."""
    read = how.get("callback", _as_typed)

    def listed(context: click.Context, parameter: click.Parameter, values: Any) -> list[Any]:
        return [read(context, parameter, value) for value in values]

    return listed


def _repeated(
    how: Mapping[str, Any],
) -> Callable[[click.Context, click.Parameter, Any], list[Any] | None]:
    listed = _listed(how)

    def repeated(context: click.Context, option: click.Parameter, values: Any) -> list[Any] | None:
        given = [value for value in values if value]
        return listed(context, option, given) if values else None

    return repeated


def _as_typed(_context: click.Context, _parameter: click.Parameter, value: Any) -> Any:
    return value


def _json(context: click.Context, option: click.Parameter, value: str | None) -> Any:
    if value is None:
        return None
    try:
        return wire.decode(value.encode("utf-8", "surrogateescape"))
    except InvalidInput as error:
        raise click.BadParameter(str(error), context, option) from error


def _piped_json(context: click.Context, argument: click.Parameter, value: str | None) -> Any:
    return _json(context, argument, _piped(context, argument, value))


_PIPED: Mapping[Any, Callable[[click.Context, click.Parameter, str | None], Any]] = {str: _piped}

_KINDS: tuple[tuple[Callable[[Any], bool], Callable[[Any], dict[str, Any]]], ...] = (
    (
        lambda kind: isinstance(kind, type) and issubclass(kind, Enum),
        lambda kind: {"type": click.Choice([each.value for each in kind])},
    ),
    (
        lambda kind: get_origin(kind) is Literal,
        lambda kind: {"type": click.Choice(get_args(kind))},
    ),
    (lambda kind: kind in {str, int, float}, lambda kind: {"type": kind}),
    (lambda kind: kind is datetime, lambda _kind: {"metavar": "TIME"}),
    (lambda _kind: True, lambda _kind: {"metavar": "JSON", "callback": _json}),
)
