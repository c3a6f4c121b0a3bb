"""What results and errors hold in each era, judged by the page's examples and by the official types."""

from typing import Any

import pytest

from mcp_frontend.protocol.model import (
    CallTool,
    Discovered,
    Failed,
    Initialized,
    Outcome,
    Pong,
    Rejected,
    ScopeMissing,
    ToolAnswered,
)
from mcp_frontend.protocol.server_description import INSTRUCTIONS
from tests.conformance.samples import (
    ANSWER,
    ERROR_ANSWER,
    QUESTION,
    QUESTION_JSON,
    TEXT,
    TOOLS,
    TOOLS_JSON,
    UNKNOWN_TOOL,
)
from tests.support.official_types import assert_official_error, assert_official_result
from tests.support.wire import (
    CAPABILITIES_KEY,
    EMPTY_ARRAY,
    EMPTY_OBJECT,
    ENVELOPE,
    FIRST_HANDSHAKE,
    HANDSHAKE,
    SERVED,
    SERVER_META,
    STATELESS,
    Answer,
    Post,
    answered,
    error_body,
    exchanged,
    handshake,
    negotiated,
    stateless,
)

CALL: dict[str, Any] = {"name": "kadu_tasks_list", "arguments": {}}
CACHING = {"ttlMs": 0, "cacheScope": "private"}


def in_every_version(method: str, params: dict[str, Any] | None = None) -> list[tuple[str, Post]]:
    """The same request in each revision that has the method."""
    return [
        (STATELESS, stateless(method, params)),
        (HANDSHAKE, handshake(method, params)),
        (FIRST_HANDSHAKE, handshake(method, params, version=None)),
    ]


def result_of(message: Post, outcome: Outcome) -> dict[str, Any]:
    answer = answered(message, outcome)
    assert (answer.status, set(answer.body)) == (200, {"jsonrpc", "id", "result"})
    return answer.body["result"]


@pytest.mark.requirement("results.official-types")
@pytest.mark.parametrize(
    ("method", "params", "outcome"),
    [
        ("tools/list", None, TOOLS),
        ("tools/call", CALL, ANSWER),
        ("tools/call", CALL, ERROR_ANSWER),
    ],
)
def test_results_of_every_version_are_valid_by_the_official_types(method: str, params: Any, outcome: Outcome) -> None:
    for version, message in in_every_version(method, params):
        assert_official_result(method, version, answered(message, outcome).body)


@pytest.mark.requirement("results.official-types")
@pytest.mark.parametrize(
    ("version", "message", "outcome"),
    [
        (STATELESS, stateless("server/discover"), Discovered()),
        (STATELESS, stateless("tools/call", CALL), QUESTION),
        (HANDSHAKE, handshake("initialize", {"protocolVersion": HANDSHAKE}), Initialized(HANDSHAKE)),
        (FIRST_HANDSHAKE, handshake("initialize", {"protocolVersion": FIRST_HANDSHAKE}), Initialized(FIRST_HANDSHAKE)),
        (HANDSHAKE, handshake("ping"), Pong()),
    ],
)
def test_results_of_one_era_are_valid_by_the_official_types(version: str, message: Post, outcome: Outcome) -> None:
    method = {"Discovered": "server/discover", "Initialized": "initialize", "Pong": "ping"}.get(
        type(outcome).__name__, "tools/call"
    )
    assert_official_result(method, version, answered(message, outcome).body)


@pytest.mark.requirement("results.official-types")
def test_errors_are_valid_by_the_official_types() -> None:
    failures = (UNKNOWN_TOOL, Failed(-32603, "Internal error", {"request_id": "r"}), ScopeMissing(frozenset({"a"})))
    for _, message in in_every_version("tools/call", CALL):
        for outcome in failures:
            assert_official_error(answered(message, outcome).body)
        assert_official_error(answered(message.with_header("MCP-Protocol-Version", "1999-01-01")).body)
        assert_official_error(answered(Post(message.headers, b"{")).body)


@pytest.mark.requirement("results.discover", "results.type-and-server", "results.not-reusable")
def test_discovery_answers_in_the_shape_and_order_of_the_page() -> None:
    result: dict[str, Any] = {
        "resultType": "complete",
        "supportedVersions": SERVED,
        "capabilities": {"tools": {}, "resources": {}, "prompts": {}, "completions": {}},
        "instructions": INSTRUCTIONS,
        **CACHING,
        "_meta": SERVER_META,
    }
    answer = answered(stateless("server/discover", request_id="d-1"), Discovered())
    assert answer == Answer(200, {"MCP-Protocol-Version": STATELESS}, {"jsonrpc": "2.0", "id": "d-1", "result": result})
    assert list(answer.body["result"]) == list(result)


@pytest.mark.requirement("results.capabilities-true")
def test_what_is_advertised_is_served_and_what_is_not_is_unknown() -> None:
    lists = {
        "tools": "tools/list",
        "resources": "resources/list",
        "prompts": "prompts/list",
        "completions": "completion/complete",
    }
    discovered = result_of(stateless("server/discover"), Discovered())["capabilities"]
    initialized = result_of(handshake("initialize", {"protocolVersion": HANDSHAKE}), Initialized(HANDSHAKE))
    assert discovered.keys() == initialized["capabilities"].keys() <= lists.keys()
    for capability, method in lists.items():
        for _, message in in_every_version(method):
            outcome = negotiated(message)
            is_unknown = isinstance(outcome, Rejected) and outcome.code == -32601
            assert is_unknown is (capability not in discovered)


@pytest.mark.requirement("results.tools", "results.type-and-server", "results.not-reusable", "results.one-page")
def test_tools_are_listed_with_all_that_the_page_names() -> None:
    expected = {"resultType": "complete", "tools": TOOLS_JSON, **CACHING, "_meta": SERVER_META}
    assert result_of(stateless("tools/list"), TOOLS) == expected
    assert result_of(handshake("tools/list"), TOOLS) == {"tools": TOOLS_JSON}


@pytest.mark.requirement("results.tools")
def test_a_caller_without_tools_gets_an_empty_list() -> None:
    for _, message in in_every_version("tools/list"):
        assert result_of(message, type(TOOLS)(()))["tools"] == []


@pytest.mark.requirement("results.tool-order")
def test_equal_requests_are_answered_with_equal_bytes_but_for_the_id() -> None:
    rebuilt = type(TOOLS)(list(TOOLS.tools))
    for _, message in in_every_version("tools/list"):
        exchange = exchanged(message)
        bodies = {exchange.era.render(exchange, outcome).body for outcome in (TOOLS, TOOLS, rebuilt)}
        assert len(bodies) == 1
    first, second = (exchanged(stateless("tools/list", request_id=request_id)) for request_id in ("one", 2))
    one, two = (exchange.era.render(exchange, TOOLS).body for exchange in (first, second))
    assert one.replace(b'"id":"one"', b'"id":2', 1) == two


@pytest.mark.requirement("results.tool-order")
def test_lists_remembered_for_one_era_are_not_answered_in_the_other() -> None:
    for _ in range(2):
        assert "resultType" in result_of(stateless("tools/list"), TOOLS)
        assert "resultType" not in result_of(handshake("tools/list"), TOOLS)


@pytest.mark.requirement("results.one-page")
@pytest.mark.parametrize("cursor", ["%%not-a-cursor%%", "", 0, EMPTY_OBJECT])
def test_a_cursor_is_refused_since_none_was_handed_out(cursor: Any) -> None:
    for version, message in in_every_version("tools/list", {"cursor": cursor}):
        error = error_body(1, -32602, "Invalid params: unknown cursor")
        assert answered(message) == Answer(200, {"MCP-Protocol-Version": version}, error)


@pytest.mark.requirement("results.call", "results.type-and-server", "results.unicode", "results.not-reusable")
def test_a_call_answers_the_routes_json_as_one_block_of_text() -> None:
    content = [{"type": "text", "text": TEXT}]
    assert result_of(stateless("tools/call", CALL), ANSWER) == {
        "resultType": "complete",
        "content": content,
        "_meta": SERVER_META,
    }
    assert result_of(handshake("tools/call", CALL), ANSWER) == {"content": content}


@pytest.mark.requirement("results.call")
def test_an_error_that_the_caller_can_act_on_is_a_result_that_says_so() -> None:
    content = [{"type": "text", "text": '{"error":{"code":"not_found"}}'}]
    for _, message in in_every_version("tools/call", CALL):
        result = result_of(message, ERROR_ANSWER)
        assert (result["content"], result["isError"]) == (content, True)


@pytest.mark.requirement("results.unicode")
@pytest.mark.parametrize("text", ["", "\x00\x1f\x7f", "\u2028\u2029", "😀é\ufeff", "</script>", "\\ud800"])
def test_any_text_travels_as_utf8_and_comes_back_the_same(text: str) -> None:
    for _, message in in_every_version("tools/call", CALL):
        exchange = exchanged(message)
        body = exchange.era.render(exchange, ToolAnswered(text, is_error=False)).body
        assert body.decode("utf-8")
        assert result_of(message, ToolAnswered(text, is_error=False))["content"][0]["text"] == text


@pytest.mark.requirement("results.call-params")
@pytest.mark.parametrize(
    "params", [{"name": "t"}, {"name": "t", "arguments": None}, {"name": "t", "arguments": EMPTY_OBJECT}]
)
def test_absent_and_null_arguments_are_empty(params: dict[str, Any]) -> None:
    for _, message in in_every_version("tools/call", params):
        assert exchanged(message).request == CallTool("t", {})


@pytest.mark.requirement("results.call-params")
@pytest.mark.parametrize("arguments", [[1], EMPTY_ARRAY, "{}", "", 0, False])
def test_arguments_of_another_type_are_a_handlers_error(arguments: Any) -> None:
    for version, message in in_every_version("tools/call", {"name": "t", "arguments": arguments}):
        error = error_body(1, -32602, "Invalid params: arguments must be an object")
        assert answered(message) == Answer(200, {"MCP-Protocol-Version": version}, error)


@pytest.mark.requirement("results.call-params")
@pytest.mark.parametrize("params", [None, EMPTY_OBJECT, {"name": None}, {"name": 1}, {"Name": "t"}])
def test_a_call_without_a_name_is_a_handlers_error(params: Any) -> None:
    for version, message in in_every_version("tools/call", params):
        error = error_body(1, -32602, "Invalid params: name must be a string")
        assert answered(message) == Answer(200, {"MCP-Protocol-Version": version}, error)


@pytest.mark.requirement("results.retry-params")
def test_a_retry_carries_answers_and_state_as_sent() -> None:
    answers: dict[str, Any] = {"confirm": {"action": "accept", "content": {"confirm": True}}, "other": 7}
    retry = {**CALL, "inputResponses": answers, "requestState": "v1.x"}
    assert exchanged(stateless("tools/call", retry)).request == CallTool("kadu_tasks_list", {}, answers, "v1.x")
    no_state: dict[str, Any] = {**CALL, "inputResponses": {}, "requestState": None}
    assert exchanged(stateless("tools/call", no_state)).request == CallTool("kadu_tasks_list", {}, {}, None)


@pytest.mark.requirement("results.retry-params")
@pytest.mark.parametrize(
    ("member", "values", "shape"),
    [
        ("inputResponses", [None, EMPTY_ARRAY, "x", 1, True], "an object"),
        ("requestState", [EMPTY_ARRAY, EMPTY_OBJECT, 1, False], "a string"),
    ],
)
def test_answers_and_state_of_another_type_are_a_handlers_error(member: str, values: list[Any], shape: str) -> None:
    for value in values:
        answer = answered(stateless("tools/call", {**CALL, member: value}))
        error = error_body(1, -32602, f"Invalid params: {member} must be {shape}")
        assert answer == Answer(200, {"MCP-Protocol-Version": STATELESS}, error)


@pytest.mark.requirement("results.question", "results.type-and-server", "results.not-reusable")
def test_a_question_is_one_form_and_the_state_to_bring_back() -> None:
    assert result_of(stateless("tools/call", CALL), QUESTION) == {
        "resultType": "input_required",
        "inputRequests": QUESTION_JSON,
        "requestState": "v1.sealed-state-of-ours",
        "_meta": SERVER_META,
    }


@pytest.mark.requirement("results.ask-only-declared")
@pytest.mark.parametrize(
    ("capabilities", "can_ask"),
    [
        (EMPTY_OBJECT, False),
        ({"elicitation": EMPTY_OBJECT}, True),
        ({"elicitation": {"form": EMPTY_OBJECT}}, True),
        ({"elicitation": {"form": EMPTY_OBJECT, "url": EMPTY_OBJECT}}, True),
        ({"elicitation": {"url": EMPTY_OBJECT}}, False),
        ({"elicitation": None}, False),
        ({"Elicitation": EMPTY_OBJECT, "sampling": EMPTY_OBJECT}, False),
    ],
)
def test_only_a_client_that_declares_forms_can_be_asked(capabilities: Any, can_ask: bool) -> None:
    meta = {**ENVELOPE, CAPABILITIES_KEY: capabilities}
    assert exchanged(stateless("tools/call", CALL, meta=meta)).can_ask_in_chat is can_ask


@pytest.mark.requirement("results.ask-only-declared")
def test_an_era_that_cannot_carry_an_outcome_does_not_pretend() -> None:
    for message, outcomes in (
        (handshake("tools/call", CALL), (QUESTION, Discovered())),
        (stateless("tools/call", CALL), (Pong(), Initialized(HANDSHAKE))),
    ):
        for outcome in outcomes:
            with pytest.raises(TypeError, match="answers no request of this era"):
                answered(message, outcome)


@pytest.mark.requirement("results.handler-errors")
@pytest.mark.parametrize("failed", [UNKNOWN_TOOL, Failed(-32603, "Internal error", {"request_id": "r"})])
def test_a_handlers_error_rides_on_200_in_every_version(failed: Failed) -> None:
    for version, message in in_every_version("tools/call", CALL):
        error = error_body(1, failed.code, failed.message, failed.data)
        assert answered(message, failed) == Answer(200, {"MCP-Protocol-Version": version}, error)


@pytest.mark.requirement("results.scope")
def test_a_missing_scope_is_403_and_names_all_that_are_needed_in_order() -> None:
    missing = ScopeMissing(frozenset({"kadu.tasks.write", "kadu.read", "kadu.tasks.run"}))
    data = {"requiredScopes": ["kadu.read", "kadu.tasks.run", "kadu.tasks.write"]}
    for version, message in in_every_version("tools/call", CALL):
        error = error_body(1, -31003, "Insufficient scope", data)
        assert answered(message, missing) == Answer(403, {"MCP-Protocol-Version": version}, error)


@pytest.mark.requirement("results.retry-after")
def test_an_unavailable_service_is_503_and_says_when_to_come_back() -> None:
    failed = Failed(-31001, "Service unavailable", before_handler=True, retry_after_seconds=2)
    for version, message in in_every_version("tools/call", CALL):
        error = error_body(1, -31001, "Service unavailable", {"retryAfter": 2})
        headers = {"MCP-Protocol-Version": version, "Retry-After": "2"}
        assert answered(message, failed) == Answer(503, headers, error)
