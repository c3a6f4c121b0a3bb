"""A server whose answers come when the test lets them, and names that resolve as the test says.

Unlike `http_peer`, connections are kept, may be TLS, and are counted.
"""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

LOOPBACK = "127.0.0.1"


def reply(status: int = 200, body: bytes = b"", **headers: str) -> bytes:
    """An HTTP/1.1 answer; a header's underscores become hyphens."""
    lines = [
        f"{name.replace('_', '-')}: {value}" for name, value in {"Content_Length": str(len(body)), **headers}.items()
    ]
    return "\r\n".join([f"HTTP/1.1 {status} Test", *lines, "", ""]).encode() + body


@dataclass(slots=True)
class Peer:
    """A server that gives every request the same answer, each as soon as the gate lets one more through."""

    answer: bytes = field(default_factory=reply)
    gate: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1000))
    heads: list[str] = field(default_factory=list)
    arrivals: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    """The heads again, for those who wait for them."""
    connections: int = 0
    server_names: list[str | None] = field(default_factory=list)
    """What each TLS handshake asked for."""
    port: int = 0
    busy: set[asyncio.Task[Any]] = field(default_factory=set)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self.busy.add(task)
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                self.heads.append(head.decode("latin-1"))
                self.arrivals.put_nowait(self.heads[-1])
                await self.gate.acquire()
                writer.write(self.answer)
                await writer.drain()
        writer.close()
        self.busy.discard(task)


@asynccontextmanager
async def serve(
    peer: Peer, tls: ssl.SSLContext | None = None, hosts: Sequence[str] = (LOOPBACK,)
) -> AsyncGenerator[Peer]:
    """The peer on one port of those loopback addresses; its clients must be gone when this ends."""
    if tls is not None:
        tls.sni_callback = lambda _socket, name, _context: peer.server_names.append(name)
    async with AsyncExitStack() as stack:
        for host in hosts:
            server = await asyncio.start_server(peer.handle, host, peer.port, ssl=tls)
            stack.callback(server.close)
            peer.port = server.sockets[0].getsockname()[1]
        yield peer
    for _ in peer.busy:
        peer.gate.release()
    await asyncio.gather(*peer.busy)


@dataclass(slots=True)
class Names:
    """A resolver that gives one answer after the other, and the last one for ever."""

    answers: list[Sequence[str]]
    asked: list[str] = field(default_factory=list)

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
