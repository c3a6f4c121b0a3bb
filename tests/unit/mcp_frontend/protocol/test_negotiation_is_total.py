"""Any bytes under any headers are an exchange, a notification or a rejection: nothing else, and soon."""

import json
import string
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_frontend.protocol.headers import Headers
from mcp_frontend.protocol.model import Acknowledged, Exchange, Rejected
from mcp_frontend.protocol.negotiation import negotiate
from mcp_frontend.protocol.replies import reject
from tests.support.wire import CAPABILITIES_KEY, CLIENT_KEY, SERVED, VERSION_KEY, read_reply

Lines = list[tuple[bytes, bytes]]

# Whatever arrives from outside meets this first: 500 examples in a check, 10,000 in a night.
thorough = settings(max_examples=5 * settings().max_examples)

VERSIONS = st.sampled_from([*SERVED, "2025-11-25", "1999-01-01", ""])
METHODS = st.sampled_from(
    [
        "server/discover",
        "initialize",
        "ping",
        "tools/list",
        "tools/call",
        "resources/list",
        "resources/read",
        "prompts/get",
        "completion/complete",
        "nope",
    ]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12
)

ROUTING_NAMES = st.sampled_from([b"mcp-protocol-version", b"Mcp-Method", b"MCP-NAME", b"traceparent", b"x-other"])
ROUTING_VALUES = st.binary(max_size=40) | (VERSIONS | METHODS | st.just("=?base64?YQ==?=")).map(str.encode)
LINES = st.lists(st.tuples(ROUTING_NAMES, ROUTING_VALUES), max_size=6)


def near_misses() -> st.SearchStrategy[dict[str, Any]]:
    """Messages that are right but for a member or two, since pure noise never gets past the parser."""
    envelope = st.fixed_dictionaries(
        {},
        optional={
            VERSION_KEY: VERSIONS | JSON,
            CAPABILITIES_KEY: st.just({}) | st.fixed_dictionaries({"elicitation": JSON}) | JSON,
            CLIENT_KEY: JSON,
            "progressToken": JSON,
            "traceparent": JSON,
            "io.modelcontextprotocol/logLevel": JSON,
        },
    )
    arguments = st.fixed_dictionaries({}, optional={"name": st.text() | JSON, "value": st.text() | JSON})
    references = st.fixed_dictionaries(
        {"type": st.sampled_from(["ref/prompt", "ref/resource"]) | JSON},
        optional={"name": st.text() | JSON, "uri": st.text() | JSON},
    )
    params = st.fixed_dictionaries(
        {},
        optional={
            "_meta": envelope | JSON,
            "name": st.text() | JSON,
            "uri": st.text() | JSON,
            "ref": references | JSON,
            "argument": arguments | JSON,
            "context": st.fixed_dictionaries({"arguments": JSON}) | JSON,
            "arguments": JSON,
            "cursor": JSON,
            "protocolVersion": VERSIONS | JSON,
            "inputResponses": JSON,
            "requestState": JSON,
        },
    )
    return st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0") | JSON},
        optional={"id": st.integers() | st.text() | JSON, "method": METHODS | JSON, "params": params | JSON},
    )


def assert_decided(lines: Lines, body: bytes) -> None:
    match negotiate(Headers(lines), body):
        case Exchange() as exchange:
            assert exchange.version in exchange.era.versions
        case Acknowledged():
            pass
        case Rejected() as rejected:
            answer = read_reply(reject(rejected))
            assert 200 <= answer.status < 500
            assert answer.body["error"]["code"] == rejected.code
            assert answer.body["id"] == rejected.id
            assert answer.headers.get("MCP-Protocol-Version") in {None, *SERVED}


@thorough
@given(LINES, st.binary(max_size=200))
def test_any_bytes_are_decided(lines: Lines, body: bytes) -> None:
    assert_decided(lines, body)


@thorough
@given(LINES, st.text(alphabet=string.printable, max_size=60).map(lambda noise: b'{"jsonrpc":"2.0",' + noise.encode()))
def test_any_text_that_begins_like_a_message_is_decided(lines: Lines, body: bytes) -> None:
    assert_decided(lines, body)


@thorough
@given(LINES, JSON)
def test_any_json_is_decided(lines: Lines, value: Any) -> None:
    assert_decided(lines, json.dumps(value).encode())


@thorough
@given(LINES, near_misses())
def test_any_near_miss_of_a_message_is_decided(lines: Lines, message: dict[str, Any]) -> None:
    assert_decided(lines, json.dumps(message, ensure_ascii=True).encode())


@thorough
@given(VERSIONS, METHODS, near_misses(), st.none() | st.text(alphabet=string.ascii_letters, max_size=8))
def test_any_near_miss_under_agreeing_headers_is_decided(
    version: str, method: str, message: dict[str, Any], name: str | None
) -> None:
    lines = [(b"mcp-protocol-version", version.encode()), (b"mcp-method", method.encode())]
    if name is not None:
        lines.append((b"mcp-name", name.encode()))
    assert_decided(lines, json.dumps({**message, "jsonrpc": "2.0", "id": 1, "method": method}).encode())
