"""HTTP/1.1 over a socket, byte for byte as the test says, and the front end on fakes behind a real server."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, suppress

from hypercorn.asyncio import serve

from mcp_frontend.web.http_server import server_config
from tests.support.asgi_client import HttpReply
from tests.support.front_end import FrontEnd

# Generous, because a loaded machine is slow; nothing here waits this long when all is well.
PATIENCE_SECONDS = 60
GRACE_SECONDS = 1.0


@asynccontextmanager
async def serving(front_end: FrontEnd) -> AsyncGenerator[int]:
    """The loopback port on which it answers, with the server as production configures it."""
    stop = asyncio.Event()
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    # It listens already, so whoever connects before the server runs waits in its queue.
    config = server_config(f"fd://{listening.detach()}", GRACE_SECONDS)
    task = asyncio.create_task(serve(front_end.app, config, shutdown_trigger=stop.wait, mode="asgi"))
    try:
        yield port
    finally:
        stop.set()
        await task


async def exchange(port: int, sent: bytes | Iterable[bytes]) -> list[HttpReply]:
    """Every answer on one connection, until the server closes it; what is sent goes on until then."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        sending = asyncio.create_task(_send(writer, [sent] if isinstance(sent, bytes) else sent))
        try:
            return [reply async for reply in _replies(reader)]
        finally:
            sending.cancel()
            writer.close()


async def _send(writer: asyncio.StreamWriter, pieces: Iterable[bytes]) -> None:
    with suppress(ConnectionError):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()


async def _replies(reader: asyncio.StreamReader) -> AsyncGenerator[HttpReply]:
    while head := await _head(reader):
        status_line, *lines = head.decode("latin-1").split("\r\n")
        headers = tuple((name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines))
        length = int(next((value for name, value in headers if name == "content-length"), "0"))
        yield HttpReply(int(status_line.split(" ")[1]), headers, await reader.readexactly(length))


async def _head(reader: asyncio.StreamReader) -> bytes:
    with suppress(asyncio.IncompleteReadError):
        return (await reader.readuntil(b"\r\n\r\n"))[:-4]
    return b""
