"""An HTTP server of the test on a loopback port, whose every answer the test decides."""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field


@dataclass(slots=True)
class HttpPeer:
    """Answers each connection with `status` and `body`, once `open` is set."""

    status: int = 200
    body: bytes = b""
    location: str = ""
    open: asyncio.Event = field(default_factory=asyncio.Event)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    requests: list[str] = field(default_factory=list)
    """Request lines, in order."""
    messages: list[bytes] = field(default_factory=list)
    """Whole requests, with their bodies."""
    url: str = ""

    def __post_init__(self) -> None:
        self.open.set()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.requests.append(head.split(b"\r\n", 1)[0].decode())
        length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
        self.messages.append(head + (await reader.readexactly(int(length[1])) if length else b""))
        self.asked.set()
        await self.open.wait()
        location = f"Location: {self.location}\r\n" if self.location else ""
        writer.write(f"HTTP/1.1 {self.status} Test\r\n{location}Connection: close\r\n\r\n".encode() + self.body)
        # Whoever asked may have read enough and be gone.
        with suppress(ConnectionError):
            await writer.drain()
        writer.close()


@asynccontextmanager
async def serve(peer: HttpPeer) -> AsyncGenerator[HttpPeer]:
    """The peer, with the URL on which it answers."""
    server = await asyncio.start_server(peer.answer, "127.0.0.1", 0)
    peer.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield peer
    finally:
        peer.open.set()
        server.close()
        await server.wait_closed()
