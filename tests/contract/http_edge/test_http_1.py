"""HTTP/1.1 over a socket: what the server below us refuses is refused in JSON-RPC, what it takes is taken exactly."""

import json
from collections.abc import AsyncGenerator, Iterator
from itertools import repeat
from typing import Any

import pytest
import pytest_asyncio

from mcp_frontend.protocol.errors import INVALID_REQUEST
from tests.support.asgi_client import HttpReply
from tests.support.front_end import FrontEnd
from tests.support.raw_http import exchange, serving

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
PONG: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "result": {}}
MEBIBYTE = 1_048_576
TOO_LARGE = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {"code": -32600, "message": "Request body too large (limit 1048576 bytes)"},
}


@pytest_asyncio.fixture
async def front_end() -> FrontEnd:
    return FrontEnd()


@pytest_asyncio.fixture
async def port(front_end: FrontEnd) -> AsyncGenerator[int]:
    async with serving(front_end) as port:
        yield port


def head(
    front_end: FrontEnd, *lines: bytes, request_line: bytes = b"POST / HTTP/1.1", host: bytes = b"Host: mcp.example"
) -> bytes:
    """A good POST that asks for the connection to end with it, but for the lines that the test adds or changes."""
    token = f"Authorization: Bearer {front_end.token()}".encode()
    own = [request_line, *([host] if host else []), token, b"Content-Type: application/json", b"Connection: close"]
    return b"\r\n".join([*own, *lines, b"", b""])


def length(body: bytes) -> bytes:
    return b"Content-Length: %d" % len(body)


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def refusal(reply: HttpReply) -> tuple[int, int]:
    """Status and code of a refusal that was made before the message was read."""
    assert reply.header("Content-Type") == "application/json"
    body = reply.json()
    assert body.keys() == {"jsonrpc", "id", "error"}
    assert body["id"] is None
    assert isinstance(body["error"]["message"], str)
    return reply.status, body["error"]["code"]


async def only(port: int, sent: bytes | Iterator[bytes]) -> HttpReply:
    replies = await exchange(port, sent)
    assert len(replies) == 1
    return replies[0]


@pytest.mark.requirement("http.json-rpc-refusals")
@pytest.mark.parametrize(
    "sent",
    [
        b"GARBAGE\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"POST / HTTP/1.1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: mcp.example\r\nHost: mcp.example\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost mcp.example\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: mcp.example\r\nX: a\x00b\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: mcp.example\r\nX: a\rb\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: mcp.example\r\nX Y: a\r\n\r\n",
        b"POST /\x00 HTTP/1.1\r\nHost: mcp.example\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: mcp.example\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: mcp.example\r\nContent-Length: abc\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: mcp.example\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"POST / HTTP/1.1\r\nHost: mcp.example\r\nContent-Length: 1, 2\r\n\r\nab",
    ],
)
async def test_d02_what_is_no_http_is_refused_in_json_rpc(port: int, sent: bytes) -> None:
    reply = await only(port, sent)
    assert refusal(reply) == (400, INVALID_REQUEST)
    assert reply.header("Cache-Control") == "no-store"
    assert reply.header("Connection") == "close"


@pytest.mark.requirement("http.json-rpc-refusals")
async def test_d02_a_head_beyond_its_limit_is_refused(port: int) -> None:
    def lines() -> Iterator[bytes]:
        yield b"POST / HTTP/1.1\r\nHost: mcp.example\r\n"
        for number in range(1000):
            yield b"X-%d: %b\r\n" % (number, b"a" * 4096)

    assert refusal(await only(port, lines())) == (431, INVALID_REQUEST)


@pytest.mark.requirement("http.json-rpc-refusals")
@pytest.mark.parametrize("coding", [b"gzip", b"gzip, chunked", b"identity", b"chunked, chunked"])
async def test_another_transfer_coding_is_refused(port: int, front_end: FrontEnd, coding: bytes) -> None:
    reply = await only(port, head(front_end, b"Transfer-Encoding: " + coding))
    assert refusal(reply) in ((501, INVALID_REQUEST), (400, INVALID_REQUEST))


async def test_a_length_beside_chunks_lets_no_second_request_in(port: int, front_end: FrontEnd) -> None:
    smuggled = b"POST / HTTP/1.1\r\nHost: evil.example\r\n\r\n"
    sent = head(front_end, b"Transfer-Encoding: chunked", b"Content-Length: 4") + chunk(PING) + chunk(b"") + smuggled
    replies = await exchange(port, sent)
    assert [reply.status for reply in replies] in ([200], [400])


@pytest.mark.requirement("http.body-limit")
@pytest.mark.parametrize("size", [MEBIBYTE, MEBIBYTE + 1])
async def test_d44_a_declared_length_counts_to_the_byte(port: int, front_end: FrontEnd, size: int) -> None:
    body = PING.ljust(size)
    reply = await only(port, head(front_end, length(body)) + body)
    assert (reply.status, reply.json()) == ((200, PONG) if size == MEBIBYTE else (413, TOO_LARGE))


@pytest.mark.requirement("http.body-limit")
@pytest.mark.parametrize("size", [MEBIBYTE, MEBIBYTE + 1])
@pytest.mark.parametrize("chunk_size", [1000, 65_536, 2 * MEBIBYTE])
async def test_d44_chunks_count_to_the_byte(port: int, front_end: FrontEnd, size: int, chunk_size: int) -> None:
    body = PING.ljust(size)
    pieces = [chunk(body[start : start + chunk_size]) for start in range(0, size, chunk_size)]
    reply = await only(port, head(front_end, b"Transfer-Encoding: chunked") + b"".join(pieces) + chunk(b""))
    assert (reply.status, reply.json()) == ((200, PONG) if size == MEBIBYTE else (413, TOO_LARGE))


@pytest.mark.requirement("http.body-limit")
async def test_d44_endless_chunks_are_answered_and_cut_off(port: int, front_end: FrontEnd) -> None:
    def pieces() -> Iterator[bytes]:
        yield head(front_end, b"Transfer-Encoding: chunked")
        yield from repeat(chunk(b" " * 65_536))

    reply = await only(port, pieces())
    assert (reply.status, reply.json(), reply.header("Connection")) == (413, TOO_LARGE, "close")


@pytest.mark.requirement("http.uncompressed")
@pytest.mark.parametrize("encoding", [b"gzip", b"deflate", b"br", b"identity, gzip"])
async def test_d44_a_compressed_body_is_refused_uninflated(port: int, front_end: FrontEnd, encoding: bytes) -> None:
    bomb = b"\x1f\x8b" + b"\x00" * 1000
    reply = await only(port, head(front_end, b"Content-Encoding: " + encoding, length(bomb)) + bomb)
    assert refusal(reply) == (415, INVALID_REQUEST)


@pytest.mark.requirement("http.slow-body")
async def test_d44_a_length_that_promises_more_than_comes_is_not_waited_for_long() -> None:
    front_end = FrontEnd(settings={"MCP_FRONTEND_BODY_DEADLINE_SECONDS": "0.05"})
    async with serving(front_end) as port:
        reply = await only(port, head(front_end, b"Content-Length: 1000") + PING)
    assert refusal(reply) == (408, INVALID_REQUEST)


async def test_what_follows_the_declared_length_is_another_request(port: int, front_end: FrontEnd) -> None:
    kept = head(front_end, length(PING)).replace(b"Connection: close\r\n", b"")
    replies = await exchange(port, kept + PING + b"}" + b" / HTTP/1.1\r\n\r\n")
    assert [reply.status for reply in replies] == [200, 400]
    assert replies[0].json() == PONG


async def test_requests_on_one_connection_are_answered_in_order(port: int, front_end: FrontEnd) -> None:
    kept = head(front_end, length(PING)).replace(b"Connection: close\r\n", b"")
    first = [kept + PING.replace(b'"id":1', b'"id":%d' % number) for number in range(2, 9)]
    replies = await exchange(port, b"".join(first) + head(front_end, length(PING)) + PING)
    assert [reply.json()["id"] for reply in replies] == [2, 3, 4, 5, 6, 7, 8, 1]


async def test_a_refusal_of_a_large_body_reaches_a_client_that_sends_all_of_it_first(
    port: int, front_end: FrontEnd
) -> None:
    body = b" " * (4 * MEBIBYTE)
    unknown = head(front_end, length(body)).replace(b"Bearer ", b"Bearer x")
    reply = await only(port, unknown + body)
    assert reply.status == 401


async def test_http_1_0_is_answered(port: int, front_end: FrontEnd) -> None:
    reply = await only(port, head(front_end, length(PING), request_line=b"POST / HTTP/1.0") + PING)
    assert reply.json() == PONG


@pytest.mark.requirement("http.host")
async def test_http_1_0_without_a_host_is_refused(port: int, front_end: FrontEnd) -> None:
    reply = await only(port, head(front_end, length(PING), request_line=b"POST / HTTP/1.0", host=b"") + PING)
    assert reply.status == 403


@pytest.mark.requirement("http.one-path")
@pytest.mark.parametrize("target", [b"/", b"//", b"/?x=1", b"///?", b"http://mcp.example/", b"HTTPS://mcp.example?x"])
async def test_d13_every_spelling_of_the_root_is_the_endpoint(port: int, front_end: FrontEnd, target: bytes) -> None:
    reply = await only(port, head(front_end, length(PING), request_line=b"POST %b HTTP/1.1" % target) + PING)
    assert (reply.status, reply.json()) == (200, PONG)


@pytest.mark.requirement("http.host")
async def test_the_authority_of_a_whole_url_counts_in_place_of_host(port: int, front_end: FrontEnd) -> None:
    reply = await only(port, head(front_end, length(PING), request_line=b"POST http://evil.example/ HTTP/1.1") + PING)
    assert reply.status == 403


@pytest.mark.requirement("http.json-rpc-refusals")
@pytest.mark.parametrize("target", [b"/mcp", b"/sse", b"*", b"mcp.example:443", b"/%00", b"/%ff", b"/../", b"ftp://x/"])
async def test_d02_every_other_target_is_refused_in_json_rpc(port: int, front_end: FrontEnd, target: bytes) -> None:
    reply = await only(port, head(front_end, length(PING), request_line=b"POST %b HTTP/1.1" % target) + PING)
    assert refusal(reply) == (404, INVALID_REQUEST)


@pytest.mark.requirement("http.only-post")
@pytest.mark.parametrize(
    "request_line", [b"GET / HTTP/1.1", b"DELETE / HTTP/1.1", b"TRACE / HTTP/1.1", b"BREW / HTTP/1.1"]
)
async def test_d12_every_other_method_is_405(port: int, front_end: FrontEnd, request_line: bytes) -> None:
    lines = (b"Accept: text/event-stream", b"Mcp-Session-Id: x", b"Last-Event-ID: 1")
    reply = await only(port, head(front_end, *lines, request_line=request_line))
    assert (refusal(reply), reply.header("Allow")) == ((405, INVALID_REQUEST), "POST, OPTIONS")


async def test_a_web_socket_is_refused_and_not_opened(port: int, front_end: FrontEnd) -> None:
    lines = (b"Upgrade: websocket", b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", b"Sec-WebSocket-Version: 13")
    request = head(front_end, *lines, request_line=b"GET / HTTP/1.1")
    replies = await exchange(port, request.replace(b"Connection: close", b"Connection: Upgrade"))
    assert [reply.status for reply in replies] == [404]


@pytest.mark.requirement("stateless.one-line-each", "versions.one-header-line")
@pytest.mark.parametrize("name", [b"Mcp-Name", b"Mcp-Method", b"MCP-Protocol-Version"])
async def test_two_lines_of_a_mirrored_header_are_refused(port: int, front_end: FrontEnd, name: bytes) -> None:
    prefix = "io.modelcontextprotocol/"
    meta = {f"{prefix}protocolVersion": "2026-07-28", f"{prefix}clientCapabilities": {}}
    params = {"name": "kadu_tasks_list", "_meta": meta}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    mirrored = {b"Mcp-Name": b"kadu_tasks_list", b"Mcp-Method": b"tools/call", b"MCP-Protocol-Version": b"2026-07-28"}
    lines = [b"%b: %b" % each for each in mirrored.items()]
    good = await only(port, head(front_end, *lines, length(body)) + body)
    assert good.status == 200
    twice = await only(port, head(front_end, *lines, b"%b: %b" % (name, mirrored[name]), length(body)) + body)
    assert (twice.status, twice.json()["error"]["code"]) == (400, -32020)


async def test_header_names_are_read_in_any_case(port: int, front_end: FrontEnd) -> None:
    sent = head(front_end, length(PING)).replace(b"Authorization", b"AUTHORIZATION").replace(b"Host", b"hOST")
    assert (await only(port, sent + PING)).json() == PONG


async def test_a_client_that_waits_to_be_told_to_continue_is_told(port: int, front_end: FrontEnd) -> None:
    replies = await exchange(port, head(front_end, length(PING), b"Expect: 100-continue") + PING)
    assert replies[-1].json() == PONG
