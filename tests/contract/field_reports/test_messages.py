"""Reports about versions, ids, keys and numbers: what one message may look like."""

import json
from typing import Any

import pytest

from tests.support.asgi_client import HttpReply
from tests.support.whole_wire import WholeWire
from tests.support.wire import (
    CAPABILITIES_KEY,
    EMPTY_OBJECT,
    HANDSHAKE,
    STATELESS,
    VERSION_KEY,
    Post,
    notification,
    stateless,
)

MEBIBYTE = 1_048_576
BIG = 9007199254740993
"""2^53 + 1: the first integer that a double cannot hold."""


async def send(wire: WholeWire, message: Post, *, token: str | None = None) -> HttpReply:
    lines = [(name.decode(), value.decode("latin-1")) for name, value in message.headers]
    return await wire.send(message.body, *lines, token=token)


def code_of(reply: HttpReply) -> int:
    """The code of a reply that any client of either era reads as an error."""
    assert reply.header("Content-Type") == "application/json"
    body = reply.json()
    assert body.keys() == {"jsonrpc", "id", "error"}
    assert body["jsonrpc"] == "2.0"
    assert isinstance(body["error"]["code"], int)
    return body["error"]["code"]


@pytest.mark.parametrize(
    ("header", "asked", "answered"),
    [
        ("2025-11-25", "2025-11-25", "2025-06-18"),
        ("2025-06-18", "2025-11-25", "2025-06-18"),
        ("2025-11-25", "2025-03-26", "2025-03-26"),
        ("2025-03-26", "2025-06-18", "2025-06-18"),
        (None, "1999-01-01", "2025-06-18"),
    ],
)
async def test_d01_the_body_of_initialize_negotiates_whatever_2025_its_header_names(
    wire: WholeWire, header: str | None, asked: str, answered: str
) -> None:
    params = {"protocolVersion": asked, "capabilities": EMPTY_OBJECT, "clientInfo": {"name": "t", "version": "1"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
    reply = await wire.send(body, *([("MCP-Protocol-Version", header)] if header else []))
    assert (reply.status, reply.json()["result"]["protocolVersion"]) == (200, answered)


@pytest.mark.parametrize(
    ("header", "method"), [("1999-01-01", "initialize"), ("2025-11-25", "tools/list"), ("2025-11-25", "ping")]
)
async def test_d01_any_other_header_that_is_not_served_is_told_the_versions(
    wire: WholeWire, header: str, method: str
) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"protocolVersion": HANDSHAKE}})
    reply = await wire.send(body.encode(), ("MCP-Protocol-Version", header))
    assert (reply.status, code_of(reply)) == (400, -32022)
    assert reply.json()["error"]["data"]["supported"] == [STATELESS, HANDSHAKE, "2025-03-26"]


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        pytest.param(
            b'{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}',
            [("MCP-Protocol-Version", STATELESS), ("Mcp-Method", "server/discover")],
            400,
            -32602,
            id="no envelope",
        ),
        pytest.param(
            stateless("server/discover", version="1999-01-01").body,
            [("MCP-Protocol-Version", "1999-01-01"), ("Mcp-Method", "server/discover")],
            400,
            -32022,
            id="an envelope of 1999",
        ),
        pytest.param(
            stateless("server/discover").body,
            [("MCP-Protocol-Version", STATELESS), ("Mcp-Method", "tools/list")],
            400,
            -32020,
            id="another method in the header",
        ),
        pytest.param(
            stateless("server/nope").body,
            [("MCP-Protocol-Version", STATELESS), ("Mcp-Method", "server/nope")],
            404,
            -32601,
            id="an unknown method",
        ),
        pytest.param(b"{", [], 400, -32700, id="half a body"),
        pytest.param(b" " * (MEBIBYTE + 1), [], 413, -32600, id="a body over the limit"),
    ],
)
async def test_d02_a_broken_probe_is_answered_in_json_rpc(
    wire: WholeWire, body: bytes, headers: list[tuple[str, str]], status: int, code: int
) -> None:
    reply = await wire.send(body, *headers)
    assert (reply.status, code_of(reply)) == (status, code)


@pytest.mark.parametrize(
    ("target", "media_type", "status"), [("/", "text/plain", 415), ("/mcp", "application/json", 404)]
)
async def test_d02_a_probe_of_another_type_or_path_is_answered_in_json_rpc(
    wire: WholeWire, target: str, media_type: str, status: int
) -> None:
    headers = [*wire.front_end.headers(token=wire.token())[:2], ("Content-Type", media_type)]
    reply = await wire.front_end.http("POST", target, headers=headers, body=stateless("server/discover").body)
    assert (reply.status, code_of(reply)) == (status, -32600)


@pytest.mark.parametrize("name", ["=?base64?a2FkdV90YXNrc19saXN0?=", "kadu_tasks_list"])
async def test_d04_a_name_in_base64_is_compared_by_what_it_means(wire: WholeWire, name: str) -> None:
    message = stateless("tools/call", {"name": "kadu_tasks_list", "arguments": {}}).with_header("Mcp-Name", name)
    reply = await send(wire, message)
    assert reply.json()["result"]["content"][0]["text"].startswith('{"data":[')


async def test_d04_a_name_in_base64_that_means_another_is_a_mismatch(wire: WholeWire) -> None:
    message = stateless("tools/call", {"name": "kadu_tasks_list", "arguments": {}})
    reply = await send(wire, message.with_header("Mcp-Name", "=?base64?a2FkdV90YXNrc19nZXQ=?="))
    assert (reply.status, code_of(reply)) == (400, -32020)


@pytest.mark.parametrize("version", [STATELESS, HANDSHAKE])
@pytest.mark.parametrize("request_id", ["null", "true", "false", "{}", "[]", "1.5", "1e400"])
async def test_d07_an_id_that_is_none_is_refused_and_never_a_notification(
    wire: WholeWire, version: str, request_id: str
) -> None:
    meta = f'"_meta":{{"{VERSION_KEY}":"{STATELESS}","{CAPABILITIES_KEY}":{{}}}}' if version == STATELESS else ""
    body = f'{{"jsonrpc":"2.0","id":{request_id},"method":"tools/list","params":{{{meta}}}}}'
    reply = await wire.send(body.encode(), ("MCP-Protocol-Version", version), ("Mcp-Method", "tools/list"))
    assert (reply.status, reply.json()["id"]) == (400, None)
    assert code_of(reply) in (-32600, -32700)


@pytest.mark.parametrize("version", [None, "2025-03-26", HANDSHAKE, STATELESS])
@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/cancelled", "notifications/foo"])
async def test_d08_every_notification_is_202_with_nothing_in_it(
    wire: WholeWire, version: str | None, method: str
) -> None:
    reply = await send(wire, notification(method, {"requestId": 1}, version=version))
    assert (reply.status, reply.body, reply.header("Content-Type")) == (202, b"", None)


@pytest.mark.parametrize("request_id", ["9007199254740993", "-9007199254740993", "0", '"9007199254740993"', '""'])
@pytest.mark.parametrize("method", ["tools/list", "ping", "nope"])
async def test_d09_an_id_is_echoed_to_the_digit(wire: WholeWire, method: str, request_id: str) -> None:
    body = f'{{"jsonrpc":"2.0","id":{request_id},"method":"{method}"}}'
    reply = await wire.send(body.encode(), ("MCP-Protocol-Version", HANDSHAKE))
    assert f'"id":{request_id},'.encode() in reply.body


def call_of_list(arguments: str) -> bytes:
    return b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kadu_tasks_list","arguments":%b}}' % (
        arguments.encode()
    )


@pytest.mark.parametrize(
    ("limit", "detail"),
    [
        (str(BIG), "O máximo é 100."),
        (f"-{BIG}", "O mínimo é 1."),
        ("101", "O máximo é 100."),
        ("0", "O mínimo é 1."),
        ("-1", "O mínimo é 1."),
        ("10.5", "Envie um número inteiro."),
        ("10.0", "Envie um número inteiro."),
        ("1e1", "Envie um número inteiro."),
        ("true", "Envie um número inteiro."),
        ('"10"', "Envie um número inteiro, não um texto."),
    ],
)
async def test_d09_a_number_out_of_range_is_named_with_its_range_and_never_rounded(
    wire: WholeWire, limit: str, detail: str
) -> None:
    reply = await wire.send(call_of_list(f'{{"limit":{limit}}}'), ("MCP-Protocol-Version", HANDSHAKE))
    result = reply.json()["result"]
    (error,) = json.loads(result["content"][0]["text"])["errors"]
    assert (result["isError"], error["param"], error["detail"]) == (True, "limit", detail)


async def test_d09_a_number_that_no_reader_could_hold_is_no_json(wire: WholeWire) -> None:
    reply = await wire.send(call_of_list('{"limit":1e400}'), ("MCP-Protocol-Version", HANDSHAKE))
    assert (reply.status, code_of(reply)) == (400, -32700)


async def test_d09_an_id_argument_that_is_a_number_is_refused_by_name(wire: WholeWire) -> None:
    result = await wire.call("kadu_tasks_get", {"id": BIG})
    assert result["isError"] is True
    assert json.loads(result["content"][0]["text"])["errors"][0]["param"] == "id"


@pytest.mark.parametrize(
    "twin",
    [
        ("params", '"Name":"kadu_tasks_delete"'),
        ("params", '"NAME":"kadu_tasks_delete"'),
        ("params", '"Arguments":{"id":"resumo"}'),
        ("message", '"Method":"tools/list"'),
        ("message", '"ID":7'),
        ("message", '"Params":{"name":"kadu_tasks_delete","arguments":{"id":"resumo"}}'),
    ],
)
async def test_d10_only_exact_keys_count(wire: WholeWire, twin: tuple[str, str]) -> None:
    place, text = twin
    meta = json.dumps({VERSION_KEY: STATELESS, CAPABILITIES_KEY: {}})
    params = f'"name":"kadu_tasks_list",{text + "," if place == "params" else ""}"arguments":{{}},"_meta":{meta}'
    twin_of_member = text + "," if place == "message" else ""
    body = f'{{"jsonrpc":"2.0","id":1,"method":"tools/call",{twin_of_member}"params":{{{params}}}}}'
    headers = {"MCP-Protocol-Version": STATELESS, "Mcp-Method": "tools/call", "Mcp-Name": "kadu_tasks_list"}
    reply = await wire.send(body.encode(), *headers.items())
    assert reply.json()["id"] == 1
    listed: dict[str, Any] = json.loads(reply.json()["result"]["content"][0]["text"])
    assert "resumo" in [task["slug"] for task in listed["data"]]
