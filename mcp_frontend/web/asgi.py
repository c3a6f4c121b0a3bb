"""The few words of ASGI that the endpoint speaks: reading a bounded body, sending one reply."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
# Any: every framework and server has types of its own for these three.
AsgiApp = Callable[[Any, Any, Any], Awaitable[None]]


class ClientGone(Exception):
    """The client closed the connection before its request was complete; nobody waits for an answer."""


class BodyTooLarge(Exception):
    pass


class BodyTooSlow(Exception):
    pass


class Body:
    """The body of one request, taken from the connection at most once."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.is_over = False
        """Whether nothing more of it will come."""

    async def read(self, *, limit_bytes: int, deadline_seconds: float) -> bytes:
        """All of it. What arrives is counted, whatever length was declared.

        Raises:
            BodyTooLarge: one byte more than the limit arrived; the rest is not read.
            BodyTooSlow: it was not complete within the deadline.
            ClientGone: see there.
        """
        chunks: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(deadline_seconds):
                while not self.is_over:
                    chunk = await self._next_chunk()
                    size += len(chunk)
                    if size > limit_bytes:
                        raise BodyTooLarge
                    chunks.append(chunk)
        except TimeoutError:
            raise BodyTooSlow from None
        return b"".join(chunks)

    async def discard(self, *, limit_bytes: int, deadline_seconds: float) -> None:
        """Take in what still comes and forget it, up to one of the limits."""
        size = 0
        try:
            async with asyncio.timeout(deadline_seconds):
                while not self.is_over and size <= limit_bytes:
                    size += len(await self._next_chunk())
        except (TimeoutError, ClientGone):
            return

    async def _next_chunk(self) -> bytes:
        message = await self._receive()
        if message["type"] == "http.disconnect":
            self.is_over = True
            raise ClientGone
        self.is_over = not message.get("more_body", False)
        return message.get("body", b"")


async def send_reply(send: Send, status: int, headers: Iterable[tuple[str, str]], body: bytes, *, more: bool) -> None:
    """One complete answer; with `more` the exchange stays open until `finish`. Header text is ASCII by here."""
    raw = [(name.lower().encode("ascii"), value.encode("ascii")) for name, value in headers]
    raw.append((b"content-length", b"%d" % len(body)))
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body, "more_body": more})


async def finish(send: Send) -> None:
    """Let go of an exchange that was kept open."""
    await send({"type": "http.response.body", "body": b""})
