"""HTTP/2 with prior knowledge: the same answers, and frames that no client of good will sends."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import Any

import h2.config
import h2.connection
import h2.events
import httpx2
import pytest
import pytest_asyncio

from tests.support.front_end import FrontEnd
from tests.support.raw_http import PATIENCE_SECONDS, serving

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
PONG: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "result": {}}
MEBIBYTE = 1_048_576

Headers = Sequence[tuple[str, str]]


@pytest_asyncio.fixture
async def front_end() -> FrontEnd:
    return FrontEnd()


@pytest_asyncio.fixture
async def port(front_end: FrontEnd) -> AsyncGenerator[int]:
    async with serving(front_end) as port:
        yield port


@pytest_asyncio.fixture
async def client(port: int) -> AsyncGenerator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(
        trust_env=False, http1=False, http2=True, base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_SECONDS
    ) as client:
        yield client


async def in_pieces(body: bytes, size: int = 65_536) -> AsyncIterator[bytes]:
    """A body whose length no header says."""
    for start in range(0, len(body), size):
        yield body[start : start + size]


async def test_a_message_is_answered(client: httpx2.AsyncClient, front_end: FrontEnd) -> None:
    reply = await client.post("/", headers=front_end.headers(), content=PING)
    assert (reply.http_version, reply.status_code, reply.json()) == ("HTTP/2", 200, PONG)


@pytest.mark.requirement("http.body-limit")
@pytest.mark.parametrize("size", [MEBIBYTE, MEBIBYTE + 1, 4 * MEBIBYTE])
async def test_d44_what_arrives_is_counted_without_any_length(
    client: httpx2.AsyncClient, front_end: FrontEnd, size: int
) -> None:
    reply = await client.post("/", headers=front_end.headers(), content=in_pieces(PING.ljust(size)))
    assert "content-length" not in reply.request.headers
    assert reply.status_code == (200 if size == MEBIBYTE else 413)
    # The connection serves on.
    assert (await client.post("/", headers=front_end.headers(), content=PING)).json() == PONG


@pytest.mark.requirement("stateless.one-line-each", "versions.one-header-line")
@pytest.mark.parametrize("name", ["Mcp-Name", "Mcp-Method", "MCP-Protocol-Version"])
async def test_two_lines_of_a_mirrored_header_are_refused(
    client: httpx2.AsyncClient, front_end: FrontEnd, name: str
) -> None:
    prefix = "io.modelcontextprotocol/"
    meta = {f"{prefix}protocolVersion": "2026-07-28", f"{prefix}clientCapabilities": {}}
    params = {"name": "kadu_tasks_list", "_meta": meta}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    mirrored = {"Mcp-Name": "kadu_tasks_list", "Mcp-Method": "tools/call", "MCP-Protocol-Version": "2026-07-28"}
    good = await client.post("/", headers=front_end.headers(*mirrored.items()), content=body)
    assert good.status_code == 200
    twice = front_end.headers(*mirrored.items(), (name, mirrored[name]))
    refused = await client.post("/", headers=twice, content=body)
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, -32020)


@pytest.mark.requirement("http.host")
async def test_a_host_beside_another_authority_is_refused(port: int, front_end: FrontEnd) -> None:
    # RFC 9113 8.3.1 lets a server end such a stream without an answer.
    lines = [(":authority", "evil.example"), ("host", "mcp.example")]
    assert await _status(port, [*_pseudo(), *lines, *_own(front_end)], PING) in (None, 403)


@pytest.mark.requirement("http.host")
async def test_the_authority_is_the_host(port: int, front_end: FrontEnd) -> None:
    assert await _status(port, [*_pseudo(), (":authority", "mcp.example"), *_own(front_end)], PING) == 200


@pytest.mark.parametrize("path", ["/caf\xe9", "*", "", "/\x7f"])
async def test_a_path_that_is_none_disturbs_nobody(
    port: int, front_end: FrontEnd, client: httpx2.AsyncClient, path: str
) -> None:
    lines = [*_pseudo(path), (":authority", "mcp.example"), *_own(front_end)]
    assert await _status(port, lines, PING) in (None, 400, 404)
    assert (await client.post("/", headers=front_end.headers(), content=PING)).json() == PONG


async def test_a_body_that_goes_on_after_its_answer_disturbs_nobody(
    port: int, front_end: FrontEnd, client: httpx2.AsyncClient
) -> None:
    lines = [*_pseudo(), (":authority", "mcp.example"), *_own(front_end)]
    assert await _status(port, lines, b" " * (40 * MEBIBYTE)) == 413
    assert (await client.post("/", headers=front_end.headers(), content=PING)).json() == PONG


def _pseudo(path: str = "/") -> list[tuple[str, str]]:
    return [(":method", "POST"), (":path", path), (":scheme", "http")]


def _own(front_end: FrontEnd) -> list[tuple[str, str]]:
    return [(name.lower(), value) for name, value in front_end.headers() if name != "Host"]


async def _status(port: int, headers: Headers, body: bytes) -> int | None:
    """The status of the answer to one request, checked by nobody on this side; None when there is none.

    All of the body is sent, as far as the server takes it, also after the answer.
    """
    config = h2.config.H2Configuration(
        client_side=True, validate_outbound_headers=False, normalize_outbound_headers=False
    )
    connection = h2.connection.H2Connection(config)
    connection.initiate_connection()
    stream_id = connection.get_next_available_stream_id()
    connection.send_headers(stream_id, [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers])
    status: int | None = None
    async with asyncio.timeout(PATIENCE_SECONDS):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            is_over = False
            while not is_over:
                body = _send_some(connection, stream_id, body)
                writer.write(connection.data_to_send())
                await writer.drain()
                data = await reader.read(65_536)
                is_over = not data
                for event in connection.receive_data(data):
                    if isinstance(event, h2.events.ResponseReceived):
                        status = int(dict(event.headers)[b":status"])
                    is_over |= isinstance(
                        event, h2.events.StreamEnded | h2.events.StreamReset | h2.events.ConnectionTerminated
                    )
        except ConnectionError:
            return status
        finally:
            writer.close()
    return status


def _send_some(connection: h2.connection.H2Connection, stream_id: int, body: bytes) -> bytes:
    """Hand over what flow control lets through; the rest."""
    size = connection.max_outbound_frame_size
    while body and (window := connection.local_flow_control_window(stream_id)):
        piece = body[: min(size, window)]
        body = body[len(piece) :]
        connection.send_data(stream_id, piece, end_stream=not body)
    return body
