"""Who is calling, as far as a connection says."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from hindsight_memory.core.model import Caller
from hindsight_memory.errors import InvalidInput

if TYPE_CHECKING:  # reading settings takes 50 ms to import, and odd servers have none
    from hindsight_memory.settings import Settings

AGENT_HEADER = "Hindsight-Agent-Id"
"""Names the agent that a request comes from, for everything it writes and its private memories."""

MAX_ID_CHARACTERS = 128


def caller_of(settings: "Settings", *, is_person: bool) -> Caller:
    """Who the settings say is calling, where a call does not say more."""
    return Caller(
        user_id=settings.user_id,
        agent_id=settings.agent_id,
        project=settings.project,
        is_person=is_person,
    )


def caller_from(caller: Caller, headers: Mapping[str, str], *, session_id: str = "") -> Caller:
    """``caller``, as its request says more exactly; ``headers`` ignores case.

    session_id: of the connection, "" when it has none.
    Raises InvalidInput for an id that is empty, too long or not printable ASCII.
    """
    agent_id = headers.get(AGENT_HEADER)
    return replace(
        caller,
        agent_id=caller.agent_id if agent_id is None else _checked(AGENT_HEADER, agent_id),
        session_id=_checked("session id", session_id) if session_id else caller.session_id,
    )


def _checked(name: str, value: str) -> str:
    if 0 < len(value) <= MAX_ID_CHARACTERS and value.isascii() and value.isprintable():
        return value
    raise InvalidInput(f"{name}: 1 to {MAX_ID_CHARACTERS} printable ASCII characters are needed")
