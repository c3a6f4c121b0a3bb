"""One JSON-RPC message per POST, in both eras."""

import json
from typing import Any

import pytest

from mcp_frontend.protocol.model import CallTool, Pong, ReadResource
from tests.support.front_end import FrontEnd
from tests.support.wire import (
    EMPTY_OBJECT,
    HANDSHAKE,
    SERVED,
    STATELESS,
    Answer,
    Post,
    answered,
    error_body,
    exchanged,
    handshake,
    notification,
    post,
    request,
    stateless,
)

BIG = 9007199254740993
"""2^53 + 1: the first integer that a double cannot hold."""

ANY_ERA = pytest.mark.parametrize(
    "headers", [{}, {"MCP-Protocol-Version": HANDSHAKE}, {"MCP-Protocol-Version": STATELESS}]
)


def refused(message: Post) -> tuple[int, int, Any]:
    """Status, code and id of an error answer, which names no version."""
    answer = answered(message)
    assert answer.headers == {}
    return answer.status, answer.body["error"]["code"], answer.body["id"]


@ANY_ERA
@pytest.mark.requirement("framing.parse-error")
@pytest.mark.parametrize("body", [b"", b'{"jsonrpc":"2.0","id":1,', b"\xff", b"\xef\xbb\xbf{}", b"[" * 100_000])
def test_a_body_that_is_not_json_is_a_parse_error_without_id(headers: dict[str, str], body: bytes) -> None:
    assert refused(post(body, headers)) == (400, -32700, None)


@ANY_ERA
@pytest.mark.requirement("framing.no-ambiguous-json")
@pytest.mark.parametrize(
    "body",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kadu_tasks_list","name":"kadu_tasks_delete"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\\ud800"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"limit":1e400}}}',
    ],
)
def test_json_that_can_be_read_in_two_ways_is_refused(headers: dict[str, str], body: bytes) -> None:
    assert refused(post(body, headers)) == (400, -32700, None)


@ANY_ERA
@pytest.mark.requirement("framing.no-ambiguous-json", "results.unicode")
@pytest.mark.parametrize(
    "message",
    [
        b'"method":"tools/call","params":{"name":"%b"}',
        b'"method":"tools/call","params":{"name":"kadu_tasks_list","arguments":{"search":"%b"}}',
        b'"method":"tools/call","params":{"name":"kadu_tasks_list","arguments":{"%b":1}}',
        b'"method":"resources/read","params":{"uri":"kobana://kadu/tasks/%b"}',
        b'"method":"prompts/get","params":{"name":"kadu_run_task","arguments":{"task":"%b"}}',
        b'"method":"completion/complete","params":{"argument":{"name":"task","value":"%b"}}',
        b'"method":"%b"',
    ],
)
@pytest.mark.parametrize("surrogate", [rb"\ud800", rb"\udfff", rb"a\uDBFFb", rb"\udc00\ud800", b"\xed\xa0\x80"])
async def test_d11_a_lone_surrogate_anywhere_is_answered_in_valid_utf8(
    headers: dict[str, str], message: bytes, surrogate: bytes
) -> None:
    front_end = FrontEnd()
    body = b'{"jsonrpc":"2.0","id":1,%b}' % message.replace(b"%b", surrogate)
    reply = await front_end.http("POST", headers=front_end.headers(*headers.items()), body=body)
    error = error_body(None, -32700, "Parse error: the body is not valid JSON")
    assert (reply.status, json.loads(reply.body.decode("utf-8"))) == (400, error)
    assert front_end.tools.asked == front_end.library.asked == []


def test_d11_a_pair_of_surrogates_is_the_character_that_it_means() -> None:
    body = rb'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"kobana://kadu/tasks/\ud83d\ude00"}}'
    assert exchanged(post(body)).request == ReadResource("kobana://kadu/tasks/😀")


@ANY_ERA
@pytest.mark.requirement("framing.no-batch")
@pytest.mark.parametrize("batch", [[], [request("ping")], [request("ping", request_id=n) for n in range(3)]])
def test_a_batch_is_refused_in_every_era(headers: dict[str, str], batch: list[Any]) -> None:
    assert refused(post(batch, headers)) == (400, -32600, None)


@ANY_ERA
@pytest.mark.requirement("framing.one-object")
@pytest.mark.parametrize(
    ("message", "readable_id"),
    [
        ("ping", None),
        (7, None),
        (None, None),
        (True, None),
        (EMPTY_OBJECT, None),
        ({"id": 1, "method": "ping"}, 1),
        ({"jsonrpc": "1.0", "id": "a", "method": "ping"}, "a"),
        ({"jsonrpc": "2.0", "id": 1}, 1),
        ({"jsonrpc": "2.0", "id": 1, "method": None}, 1),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}, 1),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": None}, 1),
    ],
)
def test_what_is_no_message_is_an_invalid_request(headers: dict[str, str], message: Any, readable_id: Any) -> None:
    assert refused(post(message, headers)) == (400, -32600, readable_id)


@ANY_ERA
@pytest.mark.requirement("framing.id-types")
@pytest.mark.parametrize("request_id", [None, True, False, 1.5, 1.0, EMPTY_OBJECT, [1]])
def test_a_wrong_id_is_an_error_and_never_a_notification(headers: dict[str, str], request_id: Any) -> None:
    assert refused(post(request("ping", request_id=request_id), headers)) == (400, -32600, None)


@pytest.mark.requirement("framing.id-echoed")
@pytest.mark.parametrize("request_id", [0, -7, BIG, 10**40, "", "1", "é😀", "\u2028"])
def test_results_and_errors_echo_the_id_with_its_type(request_id: Any) -> None:
    answers = (
        answered(handshake("ping", request_id=request_id), Pong()),
        answered(handshake("nope", request_id=request_id)),
        answered(stateless("nope", request_id=request_id)),
        answered(stateless("tools/list", request_id=request_id).without_header("Mcp-Method")),
        answered(post(request("ping", request_id=request_id), {"MCP-Protocol-Version": "1999-01-01"})),
    )
    assert [(answer.body["id"], type(answer.body["id"])) for answer in answers] == [(request_id, type(request_id))] * 5


@pytest.mark.requirement("framing.exact-keys")
def test_a_look_alike_in_other_case_is_never_the_member() -> None:
    params = {
        "name": "kadu_tasks_list",
        "Name": "kadu_tasks_delete",
        "NAME": "x",
        "arguments": {"a": 1},
        "Arguments": 0,
    }
    for message in (stateless("tools/call", params), handshake("tools/call", params)):
        assert exchanged(message).request == CallTool("kadu_tasks_list", {"a": 1})
    message = {**request("tools/list"), "Method": "tools/call", "ID": 2, "Params": {"name": "x"}}
    exchange = exchanged(post(message))
    assert (exchange.id, type(exchange.request).__name__) == (1, "ListTools")


@pytest.mark.requirement("framing.exact-integers")
def test_integers_reach_the_tool_unrounded() -> None:
    arguments = {"limit": BIG, "nested": [{"deep": -(10**30)}], "ratio": 0.1, "whole": 10.0}
    for message in (
        stateless("tools/call", {"name": "t", "arguments": arguments}),
        handshake("tools/call", {"name": "t", "arguments": arguments}),
    ):
        call = exchanged(message).request
        assert isinstance(call, CallTool)
        assert json.dumps(call.arguments) == json.dumps(arguments)


@ANY_ERA
@pytest.mark.requirement("framing.no-responses")
@pytest.mark.parametrize(
    "response",
    [
        {"jsonrpc": "2.0", "id": 9, "result": EMPTY_OBJECT},
        {"jsonrpc": "2.0", "id": 9, "error": {"code": -1, "message": "no"}},
    ],
)
def test_a_posted_response_is_refused_without_its_id(headers: dict[str, str], response: Any) -> None:
    assert refused(post(response, headers)) == (400, -32600, None)


@pytest.mark.requirement("framing.notifications-accepted", "framing.notifications-need-no-envelope")
@pytest.mark.parametrize("version", [None, *SERVED])
@pytest.mark.parametrize(
    "method", ["notifications/initialized", "notifications/cancelled", "notifications/foo", "tools/call", ""]
)
def test_a_notification_is_accepted_and_nothing_is_said(method: str, version: str | None) -> None:
    accepted = Answer(202, {}, None)
    assert answered(notification(method, version=version)) == accepted
    assert answered(notification(method, {"requestId": 1, "_meta": 7}, version=version)) == accepted
    assert answered(notification(method, version=version).with_header("Mcp-Method", "another")) == accepted


@pytest.mark.requirement("framing.notifications-of-served-versions")
@pytest.mark.parametrize("version", ["2025-11-25", "2024-11-05", "1999-01-01", ""])
def test_a_notification_in_a_version_that_is_not_served_is_refused(version: str) -> None:
    answer = answered(notification("notifications/initialized", version=version))
    data = {"supported": SERVED, "requested": version}
    assert answer == Answer(400, {}, error_body(None, -32022, "Unsupported protocol version", data))
