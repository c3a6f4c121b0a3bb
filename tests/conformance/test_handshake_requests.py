"""The handshake era's requests: initialize, ping, and what these clients need not know."""

from typing import Any

import pytest

from mcp_frontend.protocol.model import CallTool, Initialized, Pong
from mcp_frontend.protocol.server_description import INSTRUCTIONS
from tests.conformance.samples import ANSWER, TOOLS
from tests.support.wire import (
    CAPABILITIES_KEY,
    EMPTY_ARRAY,
    EMPTY_OBJECT,
    FIRST_HANDSHAKE,
    HANDSHAKE,
    STATELESS,
    Answer,
    answered,
    error_body,
    exchanged,
    handshake,
)

EVERY_VERSION = pytest.mark.parametrize("version", [HANDSHAKE, FIRST_HANDSHAKE])


def initialize(protocol_version: Any, **params: Any) -> Answer:
    message = handshake("initialize", {"protocolVersion": protocol_version, **params}, version=None)
    return answered(message, Initialized(exchanged(message).version))


@EVERY_VERSION
@pytest.mark.requirement("handshake.same-version", "handshake.initialize-result")
def test_initialize_answers_a_served_version_in_the_shape_of_the_page(version: str) -> None:
    result = {
        "protocolVersion": version,
        "capabilities": {
            "tools": {"listChanged": False},
            "resources": {"subscribe": False, "listChanged": False},
            "prompts": {"listChanged": False},
            "completions": EMPTY_OBJECT,
        },
        "serverInfo": {"name": "kadu", "title": "Kadu", "version": "1.0.0"},
        "instructions": INSTRUCTIONS,
    }
    answer = initialize(version, capabilities={}, clientInfo={"name": "c", "version": "1"})
    assert answer == Answer(200, {"MCP-Protocol-Version": version}, {"jsonrpc": "2.0", "id": 1, "result": result})
    assert list(answer.body["result"]) == list(result)


@pytest.mark.requirement("handshake.initialize-result")
def test_the_instructions_say_what_the_page_promises() -> None:
    assert INSTRUCTIONS.startswith("Tools for Kadu, the Kobana financial agent: ")
    for point in ("comes from the access token", "snake_case", "cursor", "only queues", "idempotency_key", "is data"):
        assert point in INSTRUCTIONS


@pytest.mark.requirement("handshake.other-version")
@pytest.mark.parametrize("asked", [STATELESS, "2025-11-25", "2024-11-05", "1999-01-01", ""])
def test_initialize_answers_any_other_version_with_the_latest_of_its_era(asked: str) -> None:
    answer = initialize(asked)
    assert (answer.status, answer.headers) == (200, {"MCP-Protocol-Version": HANDSHAKE})
    assert answer.body["result"]["protocolVersion"] == HANDSHAKE


@pytest.mark.requirement("handshake.version-required")
@pytest.mark.parametrize(
    "params", [None, EMPTY_OBJECT, *({"protocolVersion": value} for value in (None, 2025, EMPTY_ARRAY))]
)
def test_initialize_without_a_version_is_a_handlers_error(params: Any) -> None:
    answer = answered(handshake("initialize", params, version=None))
    error = error_body(1, -32602, "Invalid params: protocolVersion must be a string")
    assert answer == Answer(200, {"MCP-Protocol-Version": HANDSHAKE}, error)


@EVERY_VERSION
@pytest.mark.requirement("handshake.no-session")
def test_requests_are_served_without_a_handshake_and_without_a_session(version: str) -> None:
    message = handshake("tools/call", {"name": "kadu_tasks_list"}, version=version)
    for sent in (message, message.with_header("Mcp-Session-Id", "abc").with_header("Last-Event-ID", "7")):
        assert answered(sent, ANSWER).headers == {"MCP-Protocol-Version": version}


@EVERY_VERSION
@pytest.mark.requirement("handshake.ping")
@pytest.mark.parametrize("params", [None, EMPTY_OBJECT, {"_meta": {"progressToken": 1}}, {"_meta": None}])
def test_ping_is_answered_with_exactly_an_empty_result(version: str, params: Any) -> None:
    answer = answered(handshake("ping", params, request_id="p", version=version), Pong())
    assert answer == Answer(200, {"MCP-Protocol-Version": version}, {"jsonrpc": "2.0", "id": "p", "result": {}})


@pytest.mark.requirement("handshake.no-mirrored-headers")
def test_mirrored_headers_are_not_looked_at() -> None:
    message = handshake("tools/call", {"name": "kadu_tasks_list"}).with_header("Mcp-Method", "ping")
    contradicting = message.with_header("Mcp-Name", b"\xff").and_header("Mcp-Name", "kadu_tasks_delete")
    assert exchanged(contradicting) == exchanged(handshake("tools/call", {"name": "kadu_tasks_list"}))


@EVERY_VERSION
@pytest.mark.requirement("handshake.unknown-method")
@pytest.mark.parametrize(
    "method",
    ["nope/nothing", "", "server/discover", "subscriptions/listen", "logging/setLevel", "resources/subscribe", "PING"],
)
def test_a_method_that_is_not_served_is_an_error_inside_a_200(version: str, method: str) -> None:
    answer = answered(handshake(method, {"whatever": 1}, request_id=4, version=version))
    assert answer == Answer(200, {"MCP-Protocol-Version": version}, error_body(4, -32601, "Method not found"))


@pytest.mark.requirement("handshake.unknown-method")
@pytest.mark.parametrize("meta", [EMPTY_ARRAY, "x", 1])
def test_a_meta_that_is_no_object_is_a_handlers_error(meta: Any) -> None:
    answer = answered(handshake("tools/list", {"_meta": meta}))
    error = error_body(1, -32602, "Invalid params: _meta must be an object")
    assert answer == Answer(200, {"MCP-Protocol-Version": HANDSHAKE}, error)


@EVERY_VERSION
@pytest.mark.requirement("handshake.bare-results")
def test_results_carry_no_member_of_the_stateless_era(version: str) -> None:
    listed = answered(handshake("tools/list", version=version), TOOLS).body["result"]
    called = answered(handshake("tools/call", {"name": "t"}, version=version), ANSWER).body["result"]
    assert (list(listed), list(called)) == (["tools"], ["content"])


@EVERY_VERSION
@pytest.mark.requirement("handshake.no-questions")
def test_a_client_that_declares_elicitation_can_still_not_be_asked(version: str) -> None:
    params: dict[str, Any] = {
        "name": "t",
        "_meta": {CAPABILITIES_KEY: {"elicitation": {}}},
        "capabilities": {"elicitation": {}},
        "inputResponses": {"confirm": {"action": "accept", "content": {"confirm": True}}},
        "requestState": "v1.made-up",
    }
    exchange = exchanged(handshake("tools/call", params, version=version))
    assert exchange.can_ask_in_chat is False
    assert exchange.request == CallTool("t", {}, answers=None, request_state=None)
