"""An HTTP client for an ASGI callable in the same process: no socket, every byte and chunk as the test says."""

import asyncio
import json
from collections.abc import Iterable, MutableMapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from mcp_frontend.web.asgi import AsgiApp

HeaderLines = Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class HttpReply:
    """One complete response; header names in lower case."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str | None:
        """The value of the only line of that name; None when there is none."""
        lines = [value for each, value in self.headers if each == name.lower()]
        assert len(lines) <= 1, f"{name} stands {len(lines)} times"
        return lines[0] if lines else None

    def json(self) -> Any:
        return json.loads(self.body)


class Arrival(Enum):
    """How a request body ends: whole, cut off by a client that left, or never."""

    COMPLETE = auto()
    CUT_OFF = auto()
    STALLS = auto()


class AsgiClient:
    def __init__(self, app: AsgiApp) -> None:
        self._app = app
        self.connection_lost = False
        """Whether whoever asked is gone by the time of the answer."""

    async def request(
        self,
        method: str,
        target: str = "/",
        headers: HeaderLines = (),
        body: bytes | Sequence[bytes] = b"",
        *,
        arrival: Arrival = Arrival.COMPLETE,
        http_version: str = "1.1",
    ) -> HttpReply | None:
        """Send one request; a sequence of bodies arrives chunk by chunk. None when nothing was answered."""
        chunks = [body] if isinstance(body, bytes) else list(body)
        incoming: list[MutableMapping[str, Any]] = [
            {
                "type": "http.request",
                "body": chunk,
                "more_body": arrival is not Arrival.COMPLETE or chunk is not chunks[-1],
            }
            for chunk in chunks
        ]
        sent: list[MutableMapping[str, Any]] = []
        remaining = iter(incoming)

        async def receive() -> MutableMapping[str, Any]:
            message = next(remaining, None)
            if message is None and arrival is not Arrival.CUT_OFF:
                # A server calls a client gone when it is, and not when its body is over.
                await asyncio.Event().wait()
            return message or {"type": "http.disconnect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            if self.connection_lost:
                raise ConnectionResetError
            sent.append(message)

        path, _, query = target.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": http_version,
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers],
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 8000),
            "extensions": dict[str, Any](),
        }
        await self._app(scope, receive, send)
        return _reply(sent)


def _reply(sent: Sequence[MutableMapping[str, Any]]) -> HttpReply | None:
    if not sent:
        return None
    start, *bodies = sent
    assert start["type"] == "http.response.start"
    headers = tuple((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in start["headers"])
    return HttpReply(start["status"], headers, b"".join(message.get("body", b"") for message in bodies))
