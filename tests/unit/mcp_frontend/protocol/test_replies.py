"""Refusals of whole HTTP requests and failures of handlers: status, body, headers."""

import pytest

from mcp_frontend.protocol import errors
from mcp_frontend.protocol.model import Failed, Rejected, Reply
from mcp_frontend.protocol.replies import failed_reply, reject
from tests.support.wire import STATELESS, error_body, exchanged, read_reply, stateless

EXCHANGE = exchanged(stateless("server/discover", request_id="d"))


def test_a_body_over_the_limit_is_refused_in_the_exact_words_of_the_page() -> None:
    rejected = Rejected(errors.INVALID_REQUEST, "Request body too large (limit 1048576 bytes)", status=413)
    assert reject(rejected) == Reply(
        413,
        b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Request body too large (limit 1048576 bytes)"}}',
        {},
    )


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (errors.UNAUTHENTICATED, 401),
        (errors.ORIGIN_REFUSED, 403),
        (errors.INVALID_REQUEST, 405),
        (errors.INVALID_REQUEST, 415),
    ],
)
def test_every_refusal_of_a_request_is_a_jsonrpc_error(code: int, status: int) -> None:
    answer = read_reply(reject(Rejected(code, "No", status=status)))
    assert (answer.status, answer.headers, answer.body) == (status, {}, error_body(None, code, "No"))


def test_a_refusal_echoes_id_and_version_where_they_are_known() -> None:
    answer = read_reply(reject(Rejected(-1, "No", id=2**60, data={"a": 1}, version=STATELESS)))
    assert answer.body == error_body(2**60, -1, "No", {"a": 1})
    assert answer.headers == {"MCP-Protocol-Version": STATELESS}


@pytest.mark.parametrize(("code", "status"), [(errors.RATE_LIMITED, 429), (errors.SERVICE_UNAVAILABLE, 503)])
def test_when_to_come_back_stands_in_header_and_body(code: int, status: int) -> None:
    answer = read_reply(reject(Rejected(code, "Later", data={"limit": 5}, status=status, retry_after_seconds=30)))
    assert answer.status == status
    assert answer.headers == {"Retry-After": "30"}
    assert answer.body == error_body(None, code, "Later", {"limit": 5, "retryAfter": 30})


@pytest.mark.parametrize("code", [errors.INVALID_PARAMS, errors.INTERNAL_ERROR, errors.RESOURCE_NOT_FOUND_2025])
def test_a_handlers_error_rides_on_200(code: int) -> None:
    answer = read_reply(failed_reply(EXCHANGE, Failed(code, "No", {"uri": "x"})))
    assert (answer.status, answer.body) == (200, error_body("d", code, "No", {"uri": "x"}))
    assert answer.headers == {"MCP-Protocol-Version": STATELESS}


@pytest.mark.parametrize(("code", "status"), list(errors.STATUS_BEFORE_HANDLER.items()))
def test_an_error_before_the_handler_has_the_status_of_its_code(code: int, status: int) -> None:
    answer = read_reply(failed_reply(EXCHANGE, Failed(code, "No", before_handler=True)))
    assert (answer.status, answer.body) == (status, error_body("d", code, "No"))


def test_an_unavailable_service_says_when_to_come_back() -> None:
    failed = Failed(errors.SERVICE_UNAVAILABLE, "Service unavailable", before_handler=True, retry_after_seconds=1)
    answer = read_reply(failed_reply(EXCHANGE, failed))
    assert answer.status == 503
    assert answer.headers == {"MCP-Protocol-Version": STATELESS, "Retry-After": "1"}
    assert answer.body == error_body("d", errors.SERVICE_UNAVAILABLE, "Service unavailable", {"retryAfter": 1})
