"""The body of a request, which is read to its end before the request is refused.

A connection that is closed while bytes still arrive is reset, and then a client that sends all of
its body before it reads may never see the answer.
"""

import anyio
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope

MOST_BYTES = 64 * 1024 * 1024
MOST_SECONDS = 10
"""What of a refused body is read, and thrown away, at most. Who sends more may be cut off."""


class Body:
    """``receive`` of ASGI, which knows what of the body is still to come."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._receive = receive
        self._is_read = False
        # Who expects leave to send has sent nothing yet; and to receive is to give leave.
        self._awaits_leave = Headers(scope=scope).get("expect", "").lower() == "100-continue"

    async def receive(self) -> Message:
        self._awaits_leave = False
        message = await self._receive()
        self._is_read = not message.get("more_body", False)
        return message

    async def drain(self) -> None:
        """Read what is left."""
        left = MOST_BYTES
        with anyio.move_on_after(MOST_SECONDS):
            while left > 0 and not (self._is_read or self._awaits_leave):
                left -= len((await self.receive()).get("body", b""))
