"""The stateless era's requests: envelope, mirrored headers, methods."""

from typing import Any

import pytest
from mcp_types import ClientCapabilities
from pydantic import ValidationError

from mcp_frontend.protocol.model import CallTool, ClientInfo, Discover, Discovered, ListTools
from tests.support.wire import (
    CAPABILITIES_KEY,
    CLIENT_KEY,
    EMPTY_ARRAY,
    EMPTY_OBJECT,
    ENVELOPE,
    STATELESS,
    VERSION_KEY,
    Answer,
    Post,
    answered,
    error_body,
    exchanged,
    stateless,
)

LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
MINIMAL: dict[str, Any] = {VERSION_KEY: STATELESS, CAPABILITIES_KEY: {}}
VERSION_HEADER = {"MCP-Protocol-Version": STATELESS}
CALL = {"name": "kadu_tasks_list", "arguments": {"limit": 5}}


def call() -> Post:
    return stateless("tools/call", CALL)


def mismatch(detail: str) -> Answer:
    return Answer(400, VERSION_HEADER, error_body(1, -32020, f"Header mismatch: {detail}"))


@pytest.mark.requirement("stateless.capabilities-required")
@pytest.mark.parametrize(
    "meta",
    [{VERSION_KEY: STATELESS}, *({**MINIMAL, CAPABILITIES_KEY: value} for value in (None, EMPTY_ARRAY, "{}", 1, True))],
)
def test_an_envelope_without_capabilities_as_an_object_is_refused(meta: dict[str, Any]) -> None:
    answer = answered(stateless("server/discover", meta=meta))
    message = f"params._meta must hold {CAPABILITIES_KEY} as an object"
    assert answer == Answer(400, VERSION_HEADER, error_body(1, -32602, message))


@pytest.mark.requirement("stateless.capabilities-typed")
@pytest.mark.parametrize("elicitation", [True, "form", EMPTY_ARRAY, 1])
def test_a_known_capability_of_the_wrong_type_is_refused(elicitation: Any) -> None:
    answer = answered(stateless("tools/list", meta={**MINIMAL, CAPABILITIES_KEY: {"elicitation": elicitation}}))
    message = f"{CAPABILITIES_KEY}.elicitation must be an object"
    assert answer == Answer(400, VERSION_HEADER, error_body(1, -32602, message))


@pytest.mark.requirement("stateless.capabilities-typed")
@pytest.mark.parametrize("name", ["elicitation", "sampling", "roots", "experimental", "extensions", "x-own"])
@pytest.mark.parametrize("value", [None, True, 1, "form", EMPTY_ARRAY, EMPTY_OBJECT, {"form": {"a": 1}}])
def test_capabilities_are_accepted_exactly_where_the_official_types_accept_them(name: str, value: Any) -> None:
    answer = answered(stateless("server/discover", meta={**MINIMAL, CAPABILITIES_KEY: {name: value}}), Discovered())
    try:
        ClientCapabilities.model_validate({name: value})
    except ValidationError:
        assert answer.body["error"]["code"] == -32602
    else:
        assert answer.status == 200


@pytest.mark.requirement("stateless.client-info-optional")
def test_a_client_need_not_name_itself() -> None:
    assert exchanged(stateless("server/discover", meta=MINIMAL)).client is None
    named = exchanged(stateless("server/discover", meta={**MINIMAL, CLIENT_KEY: {"name": "n", "version": "1"}}))
    assert named.client == ClientInfo("n", "1")
    assert answered(stateless("server/discover", meta={**MINIMAL, CLIENT_KEY: {"name": "n"}})).status == 400


@pytest.mark.requirement("stateless.log-level-known")
def test_a_known_log_level_changes_nothing_and_another_is_refused() -> None:
    assert exchanged(stateless("tools/list", meta={**ENVELOPE, LOG_LEVEL_KEY: "debug"})) == exchanged(
        stateless("tools/list")
    )
    answer = answered(stateless("tools/list", meta={**ENVELOPE, LOG_LEVEL_KEY: "verbose"}))
    assert (answer.status, answer.body["error"]["code"]) == (400, -32602)


@pytest.mark.requirement("stateless.nothing-remembered")
def test_capabilities_hold_for_one_request() -> None:
    declaring = stateless("tools/call", CALL, meta={**MINIMAL, CAPABILITIES_KEY: {"elicitation": {}}})
    assert [exchanged(message).can_ask_in_chat for message in (declaring, call(), declaring)] == [True, False, True]


@pytest.mark.requirement("stateless.method-header")
@pytest.mark.parametrize(
    "header", ["prompts/list", "TOOLS/CALL", "tools/call,tools/call", "=?base64?dG9vbHMvY2FsbA==?=", ""]
)
def test_a_method_header_that_differs_is_a_mismatch(header: str) -> None:
    assert answered(call().with_header("Mcp-Method", header)) == mismatch(
        "Mcp-Method does not equal method in the body"
    )


@pytest.mark.requirement("stateless.method-header")
@pytest.mark.parametrize("method", ["server/discover", "tools/list", "tools/call", "nope/nothing"])
def test_every_method_needs_its_header(method: str) -> None:
    answer = answered(stateless(method, CALL).without_header("Mcp-Method"))
    assert answer == mismatch("Mcp-Method is missing")


@pytest.mark.requirement("stateless.name-header")
def test_a_call_needs_its_name_in_the_header() -> None:
    assert answered(call().without_header("Mcp-Name")) == mismatch("Mcp-Name is missing")
    assert answered(call().with_header("Mcp-Name", "kadu_tasks_delete")) == mismatch(
        "Mcp-Name does not equal params.name"
    )


@pytest.mark.requirement("stateless.name-header")
@pytest.mark.parametrize("name", [None, 7, EMPTY_ARRAY])
def test_where_the_body_lacks_the_name_the_body_is_the_defect(name: Any) -> None:
    message = stateless("tools/call", {"name": name})
    expected = Answer(200, VERSION_HEADER, error_body(1, -32602, "Invalid params: name must be a string"))
    assert answered(message) == answered(message.with_header("Mcp-Name", "kadu_tasks_list")) == expected


@pytest.mark.requirement("stateless.name-header")
@pytest.mark.parametrize("method", ["server/discover", "tools/list"])
def test_a_name_header_on_a_method_without_name_is_ignored(method: str) -> None:
    message = stateless(method).with_header("Mcp-Name", b"\xff").and_header("Mcp-Name", "x")
    assert exchanged(message) == exchanged(stateless(method))


@pytest.mark.requirement("stateless.name-header-held-when-sent")
@pytest.mark.parametrize(("method", "member"), [("prompts/get", "name"), ("resources/read", "uri")])
def test_the_name_header_of_prompts_and_resources_is_held_to_the_body_when_sent(method: str, member: str) -> None:
    message = stateless(method, {member: "kobana://kadu/me"})
    assert answered(message.with_header("Mcp-Name", "other")) == mismatch(f"Mcp-Name does not equal params.{member}")
    assert exchanged(message.without_header("Mcp-Name")) == exchanged(message)


@pytest.mark.requirement("stateless.name-header-encoded")
@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("kadu_tasks_list", "=?base64?a2FkdV90YXNrc19saXN0?="),
        ("tarefa é", "=?base64?dGFyZWZhIMOp?="),
        ("", "=?base64??="),
        ("", ""),
        ("=?base64?=", "=?base64?="),
        ("=?BASE64?a2FkdQ==?=", "=?BASE64?a2FkdQ==?="),
        ("=?base64?Hello?=", "=?base64?PT9iYXNlNjQ/SGVsbG8/PQ==?="),
    ],
)
def test_an_encoded_name_is_compared_by_what_it_means(name: str, header: str) -> None:
    message = stateless("tools/call", {"name": name}).with_header("Mcp-Name", header)
    assert exchanged(message).request == CallTool(name, {})


@pytest.mark.requirement("stateless.name-header-encoded")
@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("kadu_tasks_get", "=?base64?a2FkdV90YXNrc19nZXQ?="),
        ("kadu_tasks_get", "=?base64?a2Fk!dV90YXNrc19nZXQ=?="),
        ("=?base64?Hello?=", "=?base64?Hello?="),
    ],
)
def test_a_name_in_bad_base64_is_a_mismatch(name: str, header: str) -> None:
    message = stateless("tools/call", {"name": name}).with_header("Mcp-Name", header)
    assert answered(message) == mismatch("Mcp-Name is not base64 of UTF-8 text")


@pytest.mark.requirement("stateless.name-header-encoded")
@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("kadu_tasks_list", "=?BASE64?a2FkdV90YXNrc19saXN0?="),
        ("kadu_tasks_list", "=?base64?a2FkdV90YXNrc19ydW4=?="),
        # Composed and decomposed é look alike and are not.
        ("é", "=?base64?ZcyB?="),
    ],
)
def test_a_name_that_means_another_is_a_mismatch(name: str, header: str) -> None:
    message = stateless("tools/call", {"name": name}).with_header("Mcp-Name", header)
    assert answered(message) == mismatch("Mcp-Name does not equal params.name")


@pytest.mark.requirement("stateless.header-characters")
@pytest.mark.parametrize("header", ["Mcp-Method", "Mcp-Name"])
@pytest.mark.parametrize("value", ["tarefa é".encode(), b"a\x00b", b"a\x7fb"])
def test_a_mirrored_header_with_illegal_bytes_is_a_mismatch(header: str, value: bytes) -> None:
    answer = answered(call().with_header(header, value))
    assert answer == mismatch(f"{header} has characters that a header value must not have")


@pytest.mark.requirement("stateless.header-characters")
def test_blanks_round_a_header_value_are_no_part_of_it() -> None:
    message = call().with_header("Mcp-Name", "  kadu_tasks_list \t").with_header("Mcp-Method", "\ttools/call ")
    assert exchanged(message.with_header("MCP-Protocol-Version", f" {STATELESS} ")) == exchanged(call())


@pytest.mark.requirement("stateless.one-line-each")
@pytest.mark.parametrize("header", ["Mcp-Method", "Mcp-Name"])
@pytest.mark.parametrize("second", ["tools/call", "kadu_tasks_list", "other"])
def test_a_mirrored_header_that_occurs_twice_is_a_mismatch(header: str, second: str) -> None:
    assert answered(call().and_header(header.lower(), second)) == mismatch(f"{header} occurs more than once")


@pytest.mark.requirement("stateless.parameter-headers-ignored")
def test_parameter_headers_are_ignored() -> None:
    message = call().and_header("Mcp-Param-Region", "us-west1").and_header("Mcp-Param-Limit", b"\xff")
    assert exchanged(message) == exchanged(call())


@pytest.mark.requirement("stateless.header-names-any-case")
def test_header_names_are_found_in_any_case() -> None:
    lines = tuple((name.swapcase(), value) for name, value in call().headers)
    assert exchanged(Post(lines, call().body)) == exchanged(call())


@pytest.mark.requirement("stateless.headers-before-method")
def test_a_mismatch_is_reported_before_an_unknown_method() -> None:
    answer = answered(stateless("nope/nothing").with_header("Mcp-Method", "tools/list"))
    assert answer == mismatch("Mcp-Method does not equal method in the body")


@pytest.mark.requirement("stateless.unknown-method")
@pytest.mark.parametrize(
    "method",
    [
        "nope/nothing",
        "",
        "Tools/List",
        "ping",
        "initialize",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "subscriptions/listen",
        "notifications/cancelled",
    ],
)
def test_a_method_that_is_not_served_is_404(method: str) -> None:
    assert answered(stateless(method)) == Answer(404, VERSION_HEADER, error_body(1, -32601, "Method not found"))


@pytest.mark.requirement("stateless.unknown-method")
def test_the_served_methods_are_read() -> None:
    requests = [exchanged(stateless(method)).request for method in ("server/discover", "tools/list")]
    assert [*requests, exchanged(call()).request] == [
        Discover(),
        ListTools(),
        CallTool("kadu_tasks_list", {"limit": 5}),
    ]
