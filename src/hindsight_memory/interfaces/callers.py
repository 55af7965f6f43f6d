"""Who is calling, as far as a connection says."""

from dataclasses import replace
from typing import TYPE_CHECKING

from hindsight_memory.core.hygiene import check_identifier
from hindsight_memory.core.model import Caller
from hindsight_memory.errors import InvalidInput

if TYPE_CHECKING:  # reading settings takes 50 ms to import, and odd servers have none
    from starlette.requests import HTTPConnection

    from hindsight_memory.core.keys import Key
    from hindsight_memory.settings import Settings

AGENT_HEADER = "Hindsight-Agent-Id"
"""Names the agent that a request comes from, for everything it writes and its private memories."""

KEY = "hindsight_memory.key"
"""Where an ASGI scope has the key that was shown, or None; it is absent where none is needed."""


def caller_of(settings: "Settings", *, is_person: bool) -> Caller:
    """Who the settings say is calling, where a call does not say more. Raises InvalidInput."""
    return Caller(
        user_id=check_identifier(settings.user_id, "the setting user_id"),
        agent_id=check_identifier(settings.agent_id, "the setting agent_id"),
        project=settings.project and check_identifier(settings.project, "the setting project"),
        is_person=is_person,
    )


def caller_from(caller: Caller, request: "HTTPConnection", *, session_id: str = "") -> Caller:
    """``caller``, as its request says more exactly. The tenant is that of its key, whatever else
    it says.

    session_id: of the connection, "" when it has none.
    Raises InvalidInput for an id that an argument may not be either.
    """
    key: Key | None = request.scope.get(KEY)
    if key is not None:
        caller = replace(caller, tenant=key.tenant)
    agent_id = request.headers.get(AGENT_HEADER)
    if agent_id is not None:
        caller = replace(caller, agent_id=check_identifier(_text(agent_id), AGENT_HEADER))
    if session_id:
        caller = replace(caller, session_id=check_identifier(session_id, "the session id"))
    return caller


def _text(value: str) -> str:
    """A header as who sent it wrote it: its bytes are UTF-8, and are handed on as Latin-1."""
    try:
        return value.encode("latin-1").decode()
    except UnicodeError as error:
        raise InvalidInput(f"{AGENT_HEADER} is not in UTF-8") from error
