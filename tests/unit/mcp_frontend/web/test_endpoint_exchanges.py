"""Whole exchanges through the endpoint, in both eras: lists, calls, faults, and the story of a confirmation."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from mcp_frontend.dispatch.ports import CallerRefused, GatewayUnavailable, Refusal
from mcp_frontend.protocol.errors import INSUFFICIENT_SCOPE, INVALID_PARAMS, SERVICE_UNAVAILABLE, UNAUTHENTICATED
from tests.support.asgi_client import HttpReply
from tests.support.fake_tool_gateway import DELETE, EMPTY_LIST, OPENED, SUMMARIES, TOOLS, FakeToolGateway, failure
from tests.support.front_end import VERSION_2025, VERSION_2026, FrontEnd, NothingAnswered

FORM: dict[str, Any] = {"elicitation": {}}
ARGUMENTS = {"id": "t1"}
YES = {"confirm": {"action": "accept", "content": {"confirm": True}}}


async def _delete(
    front_end: FrontEnd,
    state: str | None = None,
    responses: Mapping[str, Any] | None = None,
    *,
    capabilities: Mapping[str, Any] = FORM,
    token: str | None = None,
    arguments: Mapping[str, Any] = ARGUMENTS,
    name: str = DELETE.name,
) -> HttpReply:
    params: dict[str, Any] = {"name": name, "arguments": arguments}
    if state is not None:
        params["requestState"] = state
    if responses is not None:
        params["inputResponses"] = responses
    return await front_end.ask_2026("tools/call", params, capabilities=capabilities, token=token)


async def _asked(front_end: FrontEnd) -> str:
    """The state of a question that was just asked."""
    result = (await _delete(front_end)).json()["result"]
    assert result["resultType"] == "input_required"
    return result["requestState"]


def _text(reply: HttpReply) -> tuple[str, bool]:
    """The text of a complete result, and whether it is an error."""
    result = reply.json()["result"]
    assert "requestState" not in result
    [content] = result["content"]
    return content["text"], result.get("isError", False)


def _is_state_refused(reply: HttpReply) -> bool:
    error = {"code": INVALID_PARAMS, "message": "Invalid or expired requestState"}
    return reply.json() == {"jsonrpc": "2.0", "id": 1, "error": error}


@pytest.mark.parametrize("version", [VERSION_2025, VERSION_2026])
async def test_the_tools_are_those_of_the_tool_service_in_its_order(version: str) -> None:
    front_end = FrontEnd()
    reply = await (front_end.ask_2026 if version == VERSION_2026 else front_end.ask_2025)("tools/list")
    assert reply.header("MCP-Protocol-Version") == version
    assert [tool["name"] for tool in reply.json()["result"]["tools"]] == [tool.name for tool in TOOLS]


@pytest.mark.parametrize("version", [VERSION_2025, VERSION_2026])
async def test_a_call_answers_the_bytes_of_the_route_as_text(version: str) -> None:
    front_end = FrontEnd()
    ask = front_end.ask_2026 if version == VERSION_2026 else front_end.ask_2025
    reply = await ask("tools/call", {"name": "kadu_tasks_list", "arguments": {}})
    assert _text(reply) == (EMPTY_LIST.decode(), False)


async def test_what_travels_beside_a_call_reaches_the_tool_service() -> None:
    front_end = FrontEnd()
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    params = {"name": "kadu_tasks_list", "arguments": {"n": 9007199254740993}}
    await front_end.ask_2026("tools/call", params, headers=(("Accept-Language", "en"), ("traceparent", trace)))
    [asked] = front_end.tools.asked
    assert (asked.caller.subject, asked.arguments) == ("person-1", {"n": 9007199254740993})
    assert (asked.details.accept_language, asked.details.trace_parent) == ("en", trace)
    assert (asked.details.client_name, asked.details.request_id) == ("test-client", "request-1")


async def test_an_unknown_tool_is_named() -> None:
    reply = await FrontEnd().ask_2025("tools/call", {"name": "kadu_nothing"})
    assert reply.status == 200
    assert reply.json()["error"] == {"code": INVALID_PARAMS, "message": "Unknown tool: kadu_nothing"}


async def test_what_the_caller_can_act_on_is_a_result_with_is_error() -> None:
    reply = await FrontEnd().ask_2025("tools/call", {"name": DELETE.name, "arguments": {"id": "t2"}})
    assert _text(reply) == (failure("not_found", 404).body.decode(), True)


@pytest.mark.requirement("authorization.step-up")
async def test_a_missing_scope_is_a_step_up_to_what_is_needed_and_what_is_there() -> None:
    front_end = FrontEnd()
    reply = await front_end.ask_2026("tools/call", {"name": "kadu_files_create", "arguments": {}})
    assert reply.status == 403
    assert reply.json()["id"] == 1
    assert reply.json()["error"]["code"] == INSUFFICIENT_SCOPE
    assert reply.json()["error"]["data"] == {"requiredScopes": ["kadu.files.write"]}
    challenge = reply.header("WWW-Authenticate") or ""
    assert challenge.startswith('Bearer error="insufficient_scope"')
    assert 'scope="kadu.files.write kadu.tasks.read kadu.tasks.write"' in challenge
    assert challenge.count("resource_metadata=") == 1


@pytest.mark.requirement("authorization.step-up")
async def test_the_scopes_of_the_challenge_satisfy_the_call() -> None:
    front_end = FrontEnd()
    token = front_end.token(scope="kadu.files.write kadu.tasks.read kadu.tasks.write", jti="token-2")
    reply = await front_end.ask_2026("tools/call", {"name": "kadu_files_create", "arguments": {}}, token=token)
    assert reply.status == 200


@pytest.mark.requirement("http.unavailable")
@pytest.mark.parametrize("method", ["tools/list", "tools/call"])
async def test_a_tool_service_that_is_down_is_503_at_once(method: str) -> None:
    front_end = FrontEnd(tools=FakeToolGateway(fault=GatewayUnavailable(3)))
    reply = await front_end.ask_2026(method, {"name": "kadu_tasks_list"} if method == "tools/call" else None)
    assert (reply.status, reply.header("Retry-After")) == (503, "3")
    assert reply.json() == {
        "jsonrpc": "2.0",
        "id": 1,
        "error": {"code": SERVICE_UNAVAILABLE, "message": "Service unavailable", "data": {"retryAfter": 3}},
    }


@pytest.mark.requirement("authorization.membership")
async def test_a_person_who_left_the_organization_has_to_sign_in_again() -> None:
    front_end = FrontEnd(tools=FakeToolGateway(fault=CallerRefused()))
    reply = await front_end.ask_2026("tools/list")
    assert (reply.status, reply.json()["id"], reply.json()["error"]["code"]) == (401, 1, UNAUTHENTICATED)
    assert 'error="invalid_token"' in (reply.header("WWW-Authenticate") or "")


@pytest.mark.requirement("confirmation.asks-first")
async def test_a_destructive_call_asks_in_the_chat_and_runs_nothing() -> None:
    front_end = FrontEnd()
    result = (await _delete(front_end)).json()["result"]
    assert result["inputRequests"] == {
        "confirm": {
            "method": "elicitation/create",
            "params": {
                "mode": "form",
                "message": SUMMARIES["pt-BR"],
                "requestedSchema": {
                    "type": "object",
                    "properties": {
                        "confirm": {
                            "type": "boolean",
                            "title": "Continuar",
                            "description": "Marque para continuar.",
                            "default": False,
                        }
                    },
                    "required": ["confirm"],
                },
            },
        }
    }
    assert front_end.tools.runs == []


@pytest.mark.requirement("confirmation.yes-runs-once")
async def test_yes_runs_once_and_the_same_yes_again_hears_the_same() -> None:
    front_end = FrontEnd()
    state = await _asked(front_end)
    replies = [await _delete(front_end, state, YES) for _ in range(3)]
    assert [_text(reply) for reply in replies] == [('{"data":null}', False)] * 3
    assert front_end.tools.runs == [(DELETE.name, ARGUMENTS)]


@pytest.mark.requirement("confirmation.no-is-heard")
@pytest.mark.parametrize(
    ("answer", "refusal"),
    [
        ({"action": "decline"}, Refusal.DECLINED),
        ({"action": "cancel"}, Refusal.CANCELED),
        ({"action": "accept", "content": {"confirm": False}}, Refusal.DECLINED),
    ],
)
async def test_no_is_an_error_result_and_runs_nothing(answer: dict[str, Any], refusal: Refusal) -> None:
    front_end = FrontEnd()
    reply = await _delete(front_end, await _asked(front_end), {"confirm": answer})
    assert _text(reply) == (failure("confirmation_declined", 409).body.decode(), True)
    assert [each for _, each in front_end.tools.declined] == [refusal]
    assert front_end.tools.runs == []


@pytest.mark.requirement("confirmation.unasked-is-no-consent", "confirmation.state-integrity")
async def test_an_answer_that_no_question_of_ours_was_asked_for_runs_nothing() -> None:
    front_end = FrontEnd()
    unasked = await _delete(front_end, None, YES)
    made_up = await _delete(front_end, "v1.s1.bWFkZSB1cA", YES)
    assert unasked.json()["result"]["resultType"] == "input_required"
    assert _is_state_refused(made_up)
    assert front_end.tools.runs == []


@pytest.mark.requirement("confirmation.state-bound")
async def test_a_state_is_worth_nothing_for_other_arguments_tools_or_people() -> None:
    front_end = FrontEnd()
    state = await _asked(front_end)
    replies = [
        await _delete(front_end, state, YES, arguments={"id": "t2"}),
        await _delete(front_end, state, YES, name="kadu_tasks_create"),
        await _delete(front_end, state, YES, token=front_end.token(sub="person-2", jti="token-2")),
        await _delete(front_end, state, YES, token=front_end.token(org="organization-2", jti="token-3")),
        await _delete(front_end, state, YES, token=front_end.token(client_id="client-2", jti="token-4")),
    ]
    assert [_is_state_refused(reply) for reply in replies] == [True] * 5
    assert front_end.tools.runs == []


@pytest.mark.requirement("confirmation.asked-again")
async def test_a_late_answer_is_asked_again_with_a_fresh_state() -> None:
    front_end = FrontEnd()
    state = await _asked(front_end)
    front_end.clock.advance(timedelta(minutes=10))
    result = (await _delete(front_end, state, YES)).json()["result"]
    assert result["resultType"] == "input_required"
    assert result["requestState"] != state
    assert front_end.tools.runs == []
    assert _text(await _delete(front_end, result["requestState"], YES)) == ('{"data":null}', False)


@pytest.mark.requirement("confirmation.asked-again")
@pytest.mark.parametrize("responses", [None, {}, {"other": {"action": "accept"}}, {"confirm": "yes"}])
async def test_a_state_without_its_answer_is_asked_again(responses: dict[str, Any] | None) -> None:
    front_end = FrontEnd()
    state = await _asked(front_end)
    result = (await _delete(front_end, state, responses)).json()["result"]
    assert result["resultType"] == "input_required"
    assert result["requestState"] != state
    assert front_end.tools.runs == []


@pytest.mark.requirement("confirmation.cannot-be-asked")
@pytest.mark.parametrize("capabilities", [{}, {"elicitation": {"url": {}}}, {"sampling": {}}])
async def test_a_client_without_forms_gets_the_link(capabilities: dict[str, Any]) -> None:
    front_end = FrontEnd()
    await _asked(front_end)
    text, is_error = _text(await _delete(front_end, capabilities=capabilities))
    assert not is_error
    assert text == OPENED.decode()
    assert front_end.tools.runs == []


@pytest.mark.requirement("confirmation.cannot-be-asked")
async def test_a_client_of_2025_gets_the_link() -> None:
    front_end = FrontEnd()
    reply = await front_end.ask_2025("tools/call", {"name": DELETE.name, "arguments": ARGUMENTS})
    text, is_error = _text(reply)
    assert not is_error
    assert text == OPENED.decode()
    assert front_end.tools.runs == []


@pytest.mark.requirement("http.hang-up")
async def test_a_client_that_hangs_up_while_its_call_runs_breaks_nothing() -> None:
    front_end = FrontEnd()
    state = await _asked(front_end)
    front_end.client.connection_lost = True
    params = {"name": DELETE.name, "arguments": ARGUMENTS, "requestState": state, "inputResponses": YES}
    with pytest.raises(NothingAnswered):
        await front_end.ask_2026("tools/call", params, capabilities=FORM)
    assert front_end.tools.runs == [(DELETE.name, ARGUMENTS)]
