"""The moments at which an agent is told something without having searched. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hindsight_memory.core.model import Json, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Where an agent stands. project: "" sees what belongs to none. session_id: "" where nobody
    says; then what is shown is not noted. token_budget: of all that is shown, estimated.
    """

    scope: Scope
    project: str = ""
    session_id: str = ""
    token_budget: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A tool call that is about to be made, as it will be made."""

    tool: str
    arguments: Mapping[str, Json] = field(default_factory=dict)
