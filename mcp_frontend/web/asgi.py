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


async def read_body(receive: Receive, *, limit_bytes: int, deadline_seconds: float) -> bytes:
    """The whole body. What arrives is counted, whatever length was declared.

    Raises:
        BodyTooLarge: one byte more than the limit arrived; the rest is not read.
        BodyTooSlow: it was not complete within the deadline.
        ClientGone: see there.
    """
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(deadline_seconds):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientGone
                chunk = message.get("body", b"")
                size += len(chunk)
                if size > limit_bytes:
                    raise BodyTooLarge
                chunks.append(chunk)
                if not message.get("more_body", False):
                    return b"".join(chunks)
    except TimeoutError:
        raise BodyTooSlow from None


async def send_reply(send: Send, status: int, headers: Iterable[tuple[str, str]], body: bytes) -> None:
    """One complete response. Header text is ASCII by the time it comes here."""
    raw = [(name.lower().encode("ascii"), value.encode("ascii")) for name, value in headers]
    raw.append((b"content-length", b"%d" % len(body)))
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})
