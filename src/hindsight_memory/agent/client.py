"""How the agent's side reaches the memory: in this process, or over HTTP.

``Hindsight`` of the library is a client, and so is ``HttpClient``. Importing this module is cheap,
because hooks do it before every tool call.
"""

import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from string import Formatter
from typing import Any, Protocol
from urllib.parse import quote, urlsplit

from hindsight_memory.errors import (
    Conflict,
    HindsightError,
    InvalidInput,
    NotFound,
    RateLimited,
    Unauthenticated,
    Unavailable,
)

ROUTES: Mapping[str, str] = {
    "memory_write": "/v1/memories",
    "memory_search": "/v1/memories/search",
    "memory_feedback": "/v1/feedback",
    "memory_context": "/v1/context",
    "memory_advise": "/v1/advice",
    "memory_retrospect": "/v1/retrospect",
    "working_memory": "PATCH /v1/sessions/{session_id}/working-memory",
    "working_memory_turn": "/v1/sessions/{session_id}/turns",
}
"""What an agent's side calls, by POST where no method is named."""

_ERRORS: Mapping[str, type[HindsightError]] = {
    each.code: each
    for each in (InvalidInput, NotFound, Conflict, Unauthenticated, RateLimited, Unavailable)
}


class Client(Protocol):
    def call(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the operation gives, as JSON. Raises HindsightError."""
        ...


class HttpClient:
    """A server of ours at ``url``. A connection for each call, so that nothing is held open.

    timeout_seconds: of connecting, and of waiting for more of an answer.
    """

    def __init__(
        self, url: str = "http://127.0.0.1:8080", *, timeout_seconds: float = 2.0, api_key: str = ""
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise InvalidInput(f"{url!r} is no address; give one like http://127.0.0.1:8080")
        self.url = url.rstrip("/")
        self._timeout_seconds = timeout_seconds
        self._headers = {"Content-Type": "application/json"}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"

    @classmethod
    def open(cls) -> "HttpClient":
        """The server of the settings, shown their key. Raises InvalidInput for a bad setting."""
        from hindsight_memory.settings import Settings

        settings = Settings.load()
        return cls(settings.server_url, api_key=settings.api_key.get_secret_value())

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        parts = urlsplit(self.url)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        connection = kind(str(parts.hostname), parts.port, timeout=self._timeout_seconds)
        try:
            method, _, route = ROUTES[tool].rpartition(" ")
            named = {name for _, name, *_ in Formatter().parse(route) if name}
            path = route.format(**{name: quote(str(arguments[name]), safe="") for name in named})
            body = {name: value for name, value in arguments.items() if name not in named}
            sent = json.dumps(body).encode()
            connection.request(method or "POST", parts.path + path, sent, self._headers)
            response = connection.getresponse()
            return _read(response.status, response.read())
        except (OSError, HTTPException) as error:
            raise Unavailable(f"{self.url} does not answer: {error}; is it running?") from error
        finally:
            connection.close()


def _read(status: int, body: bytes) -> Mapping[str, Any]:
    try:
        answer = json.loads(body)
    except ValueError as error:
        raise Unavailable(f"an answer with status {status} that is no JSON") from error
    if not isinstance(answer, dict):
        raise Unavailable(f"an answer with status {status} that is no object")
    if status < 400:  # noqa: PLR2004 - HTTP's
        return answer
    kind = _ERRORS.get(str(answer.get("code")), Unavailable)
    raise kind(str(answer.get("message", f"status {status}")))
