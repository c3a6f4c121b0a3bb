"""Reports about HTTP round a message: what clients send, and what browsers and proxies need."""

import pytest

from tests.support.whole_wire import WholeWire
from tests.support.wire import stateless

LIST = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'


@pytest.mark.parametrize(
    "accept",
    [
        None,
        "*/*",
        "application/json",
        "application/json;q=0.9, */*;q=0.1",
        "application/*",
        "text/event-stream",
        "",
        "x",
    ],
)
async def test_d05_whatever_is_accepted_the_answer_is_json(wire: WholeWire, accept: str | None) -> None:
    reply = await wire.send(LIST, *([] if accept is None else [("Accept", accept)]))
    assert (reply.status, reply.header("Content-Type")) == (200, "application/json")
    assert reply.json()["result"]["tools"] != []


@pytest.mark.parametrize(
    "media_type",
    ["application/json; charset=utf-8", 'application/json;charset="UTF-8"', "Application/JSON", " application/json "],
)
async def test_d06_json_is_json_in_every_spelling(wire: WholeWire, media_type: str) -> None:
    headers = [*wire.front_end.headers(token=wire.token())[:2], ("Content-Type", media_type)]
    reply = await wire.front_end.http("POST", headers=headers, body=LIST)
    assert (reply.status, "tools" in reply.json()["result"]) == (200, True)


@pytest.mark.parametrize("is_signed_in", [True, False])
@pytest.mark.parametrize("lines", [(), (("Mcp-Session-Id", "x"), ("Last-Event-ID", "1"))])
async def test_d12_a_get_for_a_stream_is_405(
    wire: WholeWire, is_signed_in: bool, lines: tuple[tuple[str, str], ...]
) -> None:
    token = [("Authorization", f"Bearer {wire.token()}")] if is_signed_in else []
    headers = [("Host", "mcp.example"), ("Accept", "text/event-stream"), *token, *lines]
    reply = await wire.front_end.http("GET", headers=headers)
    assert (reply.status, reply.header("Allow")) == (405, "POST, OPTIONS")


async def test_d21_a_preflight_needs_no_token_and_is_allowed_every_header(wire: WholeWire) -> None:
    asked = "authorization,content-type,mcp-protocol-version,mcp-method,mcp-name"
    headers = [
        ("Host", "mcp.example"),
        ("Origin", "http://localhost:6274"),
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", asked),
    ]
    reply = await wire.front_end.http("OPTIONS", headers=headers)
    assert 200 <= reply.status < 300
    assert reply.header("Access-Control-Allow-Origin") == "http://localhost:6274"
    allowed = (reply.header("Access-Control-Allow-Headers") or "").lower().replace(" ", "").split(",")
    assert set(asked.split(",")) <= set(allowed)


async def test_d03_a_probe_without_a_token_is_challenged_at_once(wire: WholeWire) -> None:
    message = stateless("server/discover")
    lines = [(name.decode(), value.decode()) for name, value in message.headers]
    headers = [("Host", "mcp.example"), ("Content-Type", "application/json"), *lines]
    reply = await wire.front_end.http("POST", headers=headers, body=message.body)
    assert (reply.status, reply.header("Cache-Control"), reply.header("Content-Type")) == (
        401,
        "no-store",
        "application/json",
    )
    challenge = reply.header("WWW-Authenticate") or ""
    assert challenge.startswith("Bearer ")
    assert 'resource_metadata="https://mcp.example/.well-known/oauth-protected-resource"' in challenge
    assert reply.json()["error"]["code"] == -31002
