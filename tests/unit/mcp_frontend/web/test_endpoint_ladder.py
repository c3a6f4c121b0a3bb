"""The HTTP ladder of the endpoint, rung by rung: what ends a request, with which body and headers."""

import json
from typing import Any

import pytest

from mcp_frontend.protocol.errors import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    ORIGIN_REFUSED,
    SERVICE_UNAVAILABLE,
    UNAUTHENTICATED,
)
from tests.support.asgi_client import Arrival, HttpReply
from tests.support.fake_tool_gateway import FakeToolGateway
from tests.support.front_end import REQUEST_ID, FrontEnd

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
PONG: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "result": {}}
LIMIT = 1_048_576
METADATA = "https://mcp.example/.well-known/oauth-protected-resource"
TOO_LARGE = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {"code": -32600, "message": "Request body too large (limit 1048576 bytes)"},
}


def _error(reply: HttpReply) -> int:
    """The code of a refusal that was made before the body was read."""
    assert reply.header("Content-Type") == "application/json"
    body = reply.json()
    assert body.keys() == {"jsonrpc", "id", "error"}
    assert body["id"] is None
    return body["error"]["code"]


async def _ping(front_end: FrontEnd, *more: tuple[str, str], target: str = "/") -> HttpReply:
    return await front_end.http("POST", target, headers=front_end.headers(*more), body=PING)


@pytest.mark.requirement("http.answer-headers")
async def test_a_good_message_is_answered_with_all_headers_and_no_others() -> None:
    reply = await _ping(FrontEnd())
    assert reply.json() == PONG
    assert dict(reply.headers) == {
        "cache-control": "no-store",
        "content-type": "application/json",
        "content-length": str(len(reply.body)),
        "mcp-protocol-version": "2025-03-26",
        "request-id": REQUEST_ID,
    }


@pytest.mark.requirement("http.one-path")
@pytest.mark.parametrize("target", ["/", "//", "/?x=1", "///?"])
async def test_every_spelling_of_the_root_is_the_endpoint_and_none_redirects(target: str) -> None:
    assert (await _ping(FrontEnd(), target=target)).json() == PONG


@pytest.mark.requirement("http.no-session")
async def test_a_session_id_and_a_last_event_id_change_nothing() -> None:
    reply = await _ping(FrontEnd(), ("Mcp-Session-Id", "abc"), ("Last-Event-ID", "7"))
    assert (reply.status, reply.header("Mcp-Session-Id")) == (200, None)


@pytest.mark.requirement("http.no-stream")
@pytest.mark.parametrize("accept", ["*/*", "application/json", "text/event-stream", "application/*;q=0.1"])
async def test_accept_decides_nothing(accept: str) -> None:
    reply = await _ping(FrontEnd(), ("Accept", accept))
    assert (reply.json(), reply.header("Content-Type")) == (PONG, "application/json")


@pytest.mark.requirement("http.origin", "http.json-rpc-refusals")
@pytest.mark.parametrize("method", ["POST", "GET", "DELETE", "OPTIONS"])
async def test_a_foreign_origin_is_refused_before_everything_else(method: str) -> None:
    reply = await FrontEnd().http(method, headers=[("Host", "mcp.example"), ("Origin", "https://evil.example")])
    assert (reply.status, _error(reply)) == (403, ORIGIN_REFUSED)
    assert reply.header("Access-Control-Allow-Origin") is None


@pytest.mark.requirement("http.origin")
async def test_two_origins_are_refused_even_when_both_are_ours() -> None:
    reply = await _ping(FrontEnd(), ("Origin", "https://mcp.example"), ("Origin", "https://mcp.example"))
    assert reply.status == 403


@pytest.mark.requirement("http.host", "http.json-rpc-refusals")
@pytest.mark.parametrize("hosts", [["evil.example"], [], ["mcp.example", "mcp.example"]])
async def test_a_host_that_is_not_ours_is_refused(hosts: list[str]) -> None:
    reply = await FrontEnd().http("POST", headers=[("Host", host) for host in hosts])
    assert (reply.status, _error(reply)) == (403, ORIGIN_REFUSED)


async def test_an_origin_from_the_settings_is_admitted() -> None:
    front_end = FrontEnd(settings={"MCP_FRONTEND_ALLOWED_ORIGINS": "https://app.example"})
    assert (await _ping(front_end, ("Origin", "https://app.example"))).status == 200


@pytest.mark.requirement("http.cors")
async def test_an_admitted_origin_may_read_every_answer_and_the_headers_it_needs() -> None:
    front_end = FrontEnd()
    answered = await _ping(front_end, ("Origin", "http://localhost:6274"))
    refused = await front_end.http("POST", headers=[("Host", "localhost"), ("Origin", "http://localhost:6274")])
    assert (answered.status, refused.status) == (200, 401)
    for reply in (answered, refused):
        assert reply.header("Access-Control-Allow-Origin") == "http://localhost:6274"
        assert reply.header("Vary") == "Origin"
        assert "WWW-Authenticate" in (reply.header("Access-Control-Expose-Headers") or "")
        assert reply.header("Access-Control-Allow-Credentials") is None


@pytest.mark.requirement("http.preflight")
async def test_a_preflight_needs_no_token_and_allows_what_clients_send() -> None:
    asked = ["authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"]
    headers = [
        ("Host", "mcp.example"),
        ("Origin", "http://localhost:6274"),
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", ",".join(asked)),
    ]
    reply = await FrontEnd().http("OPTIONS", headers=headers)
    assert (reply.status, reply.body) == (204, b"")
    assert reply.header("Access-Control-Allow-Origin") == "http://localhost:6274"
    assert reply.header("Access-Control-Allow-Methods") == "POST, OPTIONS"
    allowed = (reply.header("Access-Control-Allow-Headers") or "").lower().split(", ")
    assert set(asked) <= set(allowed)


@pytest.mark.requirement("http.only-post", "http.json-rpc-refusals")
@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH"])
async def test_another_method_is_405_without_a_token_and_names_the_allowed_ones(method: str) -> None:
    reply = await FrontEnd().http(method, headers=[("Host", "mcp.example"), ("Accept", "text/event-stream")])
    assert (reply.status, _error(reply)) == (405, INVALID_REQUEST)
    assert reply.header("Allow") == "POST, OPTIONS"
    assert reply.header("Cache-Control") == "no-store"


@pytest.mark.requirement("http.only-post")
async def test_head_is_405_without_a_body() -> None:
    reply = await FrontEnd().http("HEAD", headers=[("Host", "mcp.example")])
    assert (reply.status, reply.body) == (405, b"")


@pytest.mark.requirement("authorization.challenge", "authorization.no-error-without-token", "http.json-rpc-refusals")
@pytest.mark.parametrize("target", ["/", "/?access_token=good"])
async def test_without_a_token_every_message_is_challenged_once_and_without_an_error(target: str) -> None:
    headers = [("Host", "mcp.example"), ("Content-Type", "text/plain")]
    reply = await FrontEnd().http("POST", target, headers=headers, body=b"{")
    assert (reply.status, _error(reply)) == (401, UNAUTHENTICATED)
    assert reply.header("WWW-Authenticate") == (
        f'Bearer resource_metadata="{METADATA}", scope="kadu.read kadu.tasks.run"'
    )
    assert reply.header("Cache-Control") == "no-store"


@pytest.mark.requirement("authorization.header-only")
async def test_a_token_in_the_query_is_no_credential() -> None:
    front_end = FrontEnd()
    reply = await front_end.http("POST", f"/?access_token={front_end.token()}", headers=[("Host", "mcp.example")])
    assert reply.status == 401


@pytest.mark.requirement("authorization.bad-token", "http.json-rpc-refusals")
async def test_a_bad_token_is_challenged_with_invalid_token() -> None:
    front_end = FrontEnd()
    headers = front_end.headers(token="not-a-real-token")
    reply = await front_end.http("POST", headers=headers, body=PING)
    assert (reply.status, _error(reply)) == (401, UNAUTHENTICATED)
    assert (reply.header("WWW-Authenticate") or "").startswith('Bearer error="invalid_token", error_description="')


@pytest.mark.requirement("authorization.issuer-down", "http.unavailable")
async def test_an_issuer_that_is_down_is_503_not_a_login() -> None:
    front_end = FrontEnd()
    front_end.issuer.is_down = True
    reply = await _ping(front_end)
    assert (reply.status, _error(reply)) == (503, SERVICE_UNAVAILABLE)
    assert reply.header("Retry-After") == "2"
    assert reply.json()["error"]["data"] == {"retryAfter": 2}
    assert reply.header("WWW-Authenticate") is None


@pytest.mark.requirement("http.body-limit")
@pytest.mark.parametrize("length", ["1048577", "99999999999999999"])
async def test_a_declared_length_over_the_limit_is_refused_unread(length: str) -> None:
    reply = await _ping(FrontEnd(), ("Content-Length", length))
    assert (reply.status, reply.json()) == (413, TOO_LARGE)
    assert reply.header("Connection") == "close"


@pytest.mark.requirement("http.one-length")
@pytest.mark.parametrize("lengths", [["-1"], ["abc"], ["1", "2"], ["1e3"], [""], ["٣"]])
async def test_a_length_that_is_no_number_is_refused(lengths: list[str]) -> None:
    front_end = FrontEnd()
    headers = front_end.headers(*(("Content-Length", length.encode().decode("latin-1")) for length in lengths))
    reply = await front_end.http("POST", headers=headers, body=PING)
    assert (reply.status, _error(reply)) == (400, INVALID_REQUEST)


@pytest.mark.requirement("http.body-limit")
@pytest.mark.parametrize("size", [LIMIT, LIMIT + 1])
@pytest.mark.parametrize("chunk_size", [LIMIT + 1, 65_536, 1000])
async def test_what_arrives_is_counted_to_the_byte_however_it_arrives(size: int, chunk_size: int) -> None:
    front_end = FrontEnd()
    body = PING.ljust(size)
    chunks = [body[start : start + chunk_size] for start in range(0, size, chunk_size)]
    reply = await front_end.http("POST", headers=front_end.headers(("Content-Length", "10")), body=chunks)
    assert (reply.status, reply.json()) == ((200, PONG) if size <= LIMIT else (413, TOO_LARGE))


async def test_http_2_has_no_connection_header() -> None:
    front_end = FrontEnd()
    headers = front_end.headers(("Content-Length", "1048577"))
    reply = await front_end.http("POST", headers=headers, body=PING, http_version="2")
    assert (reply.status, reply.header("Connection")) == (413, None)


@pytest.mark.requirement("http.media-type")
@pytest.mark.parametrize(
    "media_type", ["application/json; charset=utf-8", 'application/json;charset="UTF-8"', "Application/JSON"]
)
async def test_json_is_json_in_every_spelling(media_type: str) -> None:
    front_end = FrontEnd()
    headers = [*front_end.headers()[:2], ("Content-Type", media_type)]
    assert (await front_end.http("POST", headers=headers, body=PING)).json() == PONG


@pytest.mark.requirement("http.media-type", "http.json-rpc-refusals")
@pytest.mark.parametrize("media_types", [[], [""], ["text/plain"], ["application/jsonx"], ["application/json"] * 2])
async def test_another_media_type_is_refused(media_types: list[str]) -> None:
    front_end = FrontEnd()
    headers = [*front_end.headers()[:2], *(("Content-Type", each) for each in media_types)]
    reply = await front_end.http("POST", headers=headers, body=PING)
    assert (reply.status, _error(reply)) == (415, INVALID_REQUEST)


@pytest.mark.requirement("http.uncompressed")
@pytest.mark.parametrize(("encoding", "status"), [("identity", 200), ("gzip", 415), ("identity, gzip", 415)])
async def test_only_an_uncompressed_body_is_read(encoding: str, status: int) -> None:
    assert (await _ping(FrontEnd(), ("Content-Encoding", encoding))).status == status


@pytest.mark.requirement("http.json-rpc-refusals")
@pytest.mark.parametrize(("body", "code"), [(b"{", -32700), (b"\xff", -32700), (b"[]", -32600), (b"", -32700)])
async def test_a_body_that_is_no_message_is_refused_as_json_rpc(body: bytes, code: int) -> None:
    front_end = FrontEnd()
    reply = await front_end.http("POST", headers=front_end.headers(), body=body)
    assert (reply.status, _error(reply)) == (400, code)


@pytest.mark.requirement("http.accepted")
async def test_a_notification_is_accepted_with_nothing_in_it() -> None:
    front_end = FrontEnd()
    body = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
    reply = await front_end.http("POST", headers=front_end.headers(), body=body)
    assert (reply.status, reply.body, reply.header("Content-Type")) == (202, b"", None)
    assert reply.header("Cache-Control") == "no-store"


@pytest.mark.requirement("http.hang-up")
async def test_a_client_that_hangs_up_over_its_body_is_answered_nothing() -> None:
    front_end = FrontEnd()
    reply = await front_end.client.request("POST", headers=front_end.headers(), body=PING[:9], arrival=Arrival.CUT_OFF)
    assert reply is None


@pytest.mark.requirement("http.slow-body")
async def test_a_body_that_does_not_arrive_in_time_is_refused() -> None:
    front_end = FrontEnd(settings={"MCP_FRONTEND_BODY_DEADLINE_SECONDS": "0.01"})
    reply = await front_end.http("POST", headers=front_end.headers(), body=PING, arrival=Arrival.STALLS)
    assert (reply.status, _error(reply), reply.header("Connection")) == (408, INVALID_REQUEST, "close")


@pytest.mark.requirement("http.fault")
async def test_a_fault_of_ours_names_the_request_and_not_the_cause(capsys: pytest.CaptureFixture[str]) -> None:
    front_end = FrontEnd(tools=FakeToolGateway(fault=ZeroDivisionError("a secret cause")))
    reply = await front_end.ask_2026("tools/list")
    assert reply.status == 200
    assert reply.json() == {
        "jsonrpc": "2.0",
        "id": 1,
        "error": {"code": INTERNAL_ERROR, "message": "Internal error", "data": {"requestId": REQUEST_ID}},
    }
    assert reply.header("MCP-Protocol-Version") == "2026-07-28"
    assert "a secret cause" in capsys.readouterr().out


@pytest.mark.requirement("http.fault")
async def test_a_fault_before_any_message_is_500() -> None:
    class Broken:
        async def find(self, key_id: str) -> None:
            raise ZeroDivisionError

    front_end = FrontEnd()
    token = front_end.token()
    front_end.issuer.find = Broken().find  # type: ignore[method-assign]
    reply = await front_end.http("POST", headers=front_end.headers(token=token), body=PING)
    assert (reply.status, _error(reply)) == (500, INTERNAL_ERROR)


async def test_the_log_tells_what_was_asked_and_never_the_token(capsys: pytest.CaptureFixture[str]) -> None:
    front_end = FrontEnd()
    token = front_end.token()
    await front_end.ask_2026("tools/call", {"name": "kadu_tasks_list", "arguments": {"q": "hidden"}}, token=token)
    log = capsys.readouterr().out
    assert "tool=kadu_tasks_list" in log.replace("\x1b[36m", "").replace("\x1b[0m", "").replace("\x1b[35m", "")
    assert token not in log
    assert "hidden" not in log


@pytest.mark.requirement("authorization.metadata-place")
async def test_the_public_url_with_a_path_moves_only_the_metadata() -> None:
    front_end = FrontEnd(settings={"MCP_FRONTEND_PUBLIC_URL": "https://mcp.example/kadu"})
    reply = await front_end.http("POST", headers=[("Host", "mcp.example")])
    assert 'resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/kadu"' in (
        reply.header("WWW-Authenticate") or ""
    )
    good = front_end.headers(token=front_end.token(aud="https://mcp.example/kadu"))
    assert json.loads((await front_end.http("POST", headers=good, body=PING)).body) == PONG
