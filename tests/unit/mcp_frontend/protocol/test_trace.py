"""Whose trace is continued, and that a bad one costs nothing but the trace."""

from typing import Any

import pytest

from mcp_frontend.protocol.headers import Headers
from mcp_frontend.protocol.trace import trace_parent

# The example of the W3C recommendation, and another.
TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
OTHER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"


@pytest.mark.requirement("stateless.trace-lenient")
def test_the_trace_of_the_message_goes_before_that_of_the_http_request() -> None:
    headers = Headers([(b"traceparent", OTHER.encode())])
    assert trace_parent({"traceparent": TRACE}, headers) == TRACE
    assert trace_parent({}, headers) == OTHER
    assert trace_parent({}, Headers()) is None


@pytest.mark.requirement("stateless.trace-lenient")
@pytest.mark.parametrize(
    "value",
    [
        None,
        7,
        "",
        TRACE.upper(),
        TRACE + "\n",
        TRACE + "-extra",
        TRACE.replace("00-", "ff-", 1),
        "00-" + "0" * 32 + "-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-" + "0" * 16 + "-01",
        "x" * 1_000_000,
    ],
)
def test_a_malformed_trace_is_ignored(value: Any) -> None:
    assert trace_parent({"traceparent": value}, Headers()) is None
    assert trace_parent({"traceparent": value}, Headers([(b"traceparent", OTHER.encode())])) == OTHER


def test_two_header_lines_name_no_trace() -> None:
    lines = [(b"traceparent", TRACE.encode()), (b"traceparent", TRACE.encode())]
    assert trace_parent({}, Headers(lines)) is None
