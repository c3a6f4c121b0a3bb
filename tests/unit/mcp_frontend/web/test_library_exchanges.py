"""Documents, prompts and suggestions through the endpoint: what arrives, and what each refusal is over HTTP."""

from typing import Any

import pytest

from mcp_frontend.dispatch.ports import CallerRefused, GatewayUnavailable
from mcp_frontend.protocol.errors import (
    INSUFFICIENT_SCOPE,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    RATE_LIMITED,
    RESOURCE_NOT_FOUND_2025,
    SERVICE_UNAVAILABLE,
    UNAUTHENTICATED,
)
from tests.support.asgi_client import HttpReply
from tests.support.fake_library_gateway import BROKEN_URI, BUSY_URI, ME, SECRET_URI, FakeLibraryGateway
from tests.support.front_end import REQUEST_ID, VERSION_2025, VERSION_2026, FrontEnd

EVERY_ERA = pytest.mark.parametrize("version", [VERSION_2025, VERSION_2026])
READ: tuple[str, dict[str, Any]] = ("resources/read", {"uri": ME.uri})
REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("resources/list", {}),
    ("resources/templates/list", {}),
    READ,
    ("prompts/list", {}),
    ("prompts/get", {"name": "kadu_run_task", "arguments": {"task": "diária"}}),
    (
        "completion/complete",
        {"ref": {"type": "ref/prompt", "name": "kadu_run_task"}, "argument": {"name": "task", "value": ""}},
    ),
]


async def _ask(front_end: FrontEnd, version: str, method: str, params: dict[str, Any]) -> HttpReply:
    return await (front_end.ask_2026 if version == VERSION_2026 else front_end.ask_2025)(method, params)


def _error(code: int, message: str, data: dict[str, Any] | None = None) -> dict[str, Any]:
    error: dict[str, Any] = {"code": code, "message": message}
    return {"jsonrpc": "2.0", "id": 1, "error": error if data is None else {**error, "data": data}}


@EVERY_ERA
@pytest.mark.parametrize(("method", "params"), REQUESTS)
async def test_every_request_is_asked_of_the_tool_service_once_and_answered(
    version: str, method: str, params: dict[str, Any]
) -> None:
    front_end = FrontEnd()
    reply = await _ask(front_end, version, method, params)
    assert (reply.status, reply.json().keys()) == (200, {"jsonrpc", "id", "result"})
    assert reply.header("MCP-Protocol-Version") == version
    assert len(front_end.library.asked) == 1


async def test_caller_and_language_reach_the_tool_service() -> None:
    front_end = FrontEnd()
    await front_end.ask_2026(*READ, headers=(("Accept-Language", "en"),))
    [(caller, uri, details)] = front_end.library.asked
    assert (caller.subject, uri, details.accept_language) == ("person-1", ME.uri, "en")
    assert (details.request_id, details.client_name) == (REQUEST_ID, "test-client")


@EVERY_ERA
@pytest.mark.requirement("library.not-found-stateless", "library.not-found-handshake")
async def test_what_cannot_be_seen_is_not_there_in_the_code_of_the_era(version: str) -> None:
    uri = "kobana://kadu/tasks/a%20b"
    reply = await _ask(FrontEnd(), version, "resources/read", {"uri": uri})
    code = INVALID_PARAMS if version == VERSION_2026 else RESOURCE_NOT_FOUND_2025
    assert (reply.status, reply.json()) == (200, _error(code, "Resource not found", {"uri": uri}))


@EVERY_ERA
@pytest.mark.requirement("library.unknown-references")
@pytest.mark.parametrize(
    ("method", "params", "message"),
    [
        ("prompts/get", {"name": "no-such"}, "Unknown prompt"),
        ("prompts/get", {"name": "kadu_run_task"}, "Missing argument: task"),
        (
            "completion/complete",
            {"ref": {"type": "ref/resource", "uri": "kobana://x/{id}"}, "argument": {"name": "id", "value": ""}},
            "Unknown reference or argument",
        ),
    ],
)
async def test_a_reference_that_is_not_there_or_filled_in_wrongly_is_told_in_a_sentence(
    version: str, method: str, params: dict[str, Any], message: str
) -> None:
    reply = await _ask(FrontEnd(), version, method, params)
    assert (reply.status, reply.json()) == (200, _error(INVALID_PARAMS, message))


@EVERY_ERA
@pytest.mark.requirement("authorization.step-up")
async def test_a_document_that_needs_a_scope_is_a_step_up(version: str) -> None:
    reply = await _ask(FrontEnd(), version, "resources/read", {"uri": SECRET_URI})
    data = {"requiredScopes": ["kadu.usage.read"]}
    assert (reply.status, reply.json()) == (403, _error(INSUFFICIENT_SCOPE, "Insufficient scope", data))
    challenge = reply.header("WWW-Authenticate") or ""
    assert challenge.startswith('Bearer error="insufficient_scope"')
    assert 'scope="kadu.tasks.read kadu.tasks.write kadu.usage.read"' in challenge


@EVERY_ERA
@pytest.mark.requirement("library.failures")
async def test_a_read_that_is_limited_says_when_to_come_back(version: str) -> None:
    reply = await _ask(FrontEnd(), version, "resources/read", {"uri": BUSY_URI})
    assert (reply.status, reply.header("Retry-After")) == (429, "7")
    assert reply.json() == _error(RATE_LIMITED, "Rate limit exceeded", {"retryAfter": 7})


@EVERY_ERA
@pytest.mark.requirement("library.failures")
async def test_a_read_that_failed_is_not_told_as_missing(version: str) -> None:
    reply = await _ask(FrontEnd(), version, "resources/read", {"uri": BROKEN_URI})
    assert (reply.status, reply.json()) == (200, _error(INTERNAL_ERROR, "Internal error", {"requestId": REQUEST_ID}))


@EVERY_ERA
@pytest.mark.requirement("http.unavailable")
@pytest.mark.parametrize(("method", "params"), REQUESTS)
async def test_a_tool_service_that_is_down_is_503_for_every_request(
    version: str, method: str, params: dict[str, Any]
) -> None:
    front_end = FrontEnd(library=FakeLibraryGateway(fault=GatewayUnavailable(3)))
    reply = await _ask(front_end, version, method, params)
    assert (reply.status, reply.header("Retry-After")) == (503, "3")
    assert reply.json() == _error(SERVICE_UNAVAILABLE, "Service unavailable", {"retryAfter": 3})


@pytest.mark.requirement("authorization.membership")
async def test_a_person_who_left_the_organization_reads_nothing() -> None:
    reply = await FrontEnd(library=FakeLibraryGateway(fault=CallerRefused())).ask_2026(*READ)
    assert (reply.status, reply.json()["error"]["code"]) == (401, UNAUTHENTICATED)
    assert (reply.header("WWW-Authenticate") or "").startswith('Bearer error="invalid_token"')
