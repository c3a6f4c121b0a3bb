"""Requests become outcomes: which port is asked, and what its answer means in no era's words."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from mcp_frontend.approvals.request_state import RequestStates
from mcp_frontend.caller import Caller
from mcp_frontend.dispatch.perform import Effects, perform
from mcp_frontend.dispatch.ports import (
    CallDetails,
    CallerRefused,
    GatewayUnavailable,
    Refusal,
)
from mcp_frontend.protocol.errors import INVALID_PARAMS, SERVICE_UNAVAILABLE
from mcp_frontend.protocol.headers import Headers
from mcp_frontend.protocol.jsonrpc import RequestMessage
from mcp_frontend.protocol.model import (
    CallTool,
    Discover,
    Discovered,
    Exchange,
    Failed,
    Initialize,
    Initialized,
    ListTools,
    Outcome,
    Ping,
    Pong,
    QuestionAsked,
    ReadResource,
    Reply,
    Request,
    ScopeMissing,
    ToolAnswered,
    ToolsListed,
)
from mcp_frontend.sealing import SealingRing
from tests.support.clock import FakeClock
from tests.support.fake_library_gateway import FakeLibraryGateway
from tests.support.fake_tool_gateway import (
    CREATE,
    DELETE,
    EMPTY_LIST,
    LIST,
    OPENED,
    SCOPE_OF_UPLOAD,
    SUMMARIES,
    TOOLS,
    UPLOAD,
    FakeToolGateway,
    failure,
)
from tests.support.keys import CountingRandomness, state_keys

CALLER = Caller("https://issuer", "person-1", "organization-1", "client-1", None, frozenset(), "token-1", 0)
DETAILS = CallDetails("request-1")
ACCEPTED = {"confirm": {"action": "accept", "content": {"confirm": True}}}


class _NoEra:
    """Performing asks no era anything."""

    versions: tuple[str, ...] = ()

    def claim(self, message: RequestMessage, headers: Headers) -> str | None:
        raise NotImplementedError

    def read(self, message: RequestMessage, headers: Headers, version: str) -> Exchange:
        raise NotImplementedError

    def render(self, exchange: Exchange, outcome: Outcome) -> Reply:
        raise NotImplementedError


class Stage:
    """One caller in front of a fake tool service."""

    def __init__(self) -> None:
        self.tools = FakeToolGateway()
        self.clock = FakeClock()
        self.library = FakeLibraryGateway()
        states = RequestStates(SealingRing(state_keys(), CountingRandomness()), self.clock, CountingRandomness())
        self._effects = Effects(self.tools, self.library, states)

    async def perform(
        self, request: Request, *, can_ask: bool = True, caller: Caller = CALLER, details: CallDetails = DETAILS
    ) -> Outcome:
        return await perform(Exchange(_NoEra(), "", 1, request, can_ask), caller, details, self._effects)

    async def ask(self, **changes: Any) -> QuestionAsked:
        outcome = await self.perform(_delete(**changes))
        assert isinstance(outcome, QuestionAsked)
        return outcome


def _delete(arguments: Mapping[str, Any] | None = None, **changes: Any) -> CallTool:
    return replace(CallTool(DELETE.name, arguments or {"id": "t1"}), **changes)


@pytest.mark.parametrize(
    ("request_", "outcome"),
    [
        (Discover(), Discovered()),
        (Initialize("v"), Initialized("v")),
        (Ping(), Pong()),
        (ListTools(), ToolsListed(TOOLS)),
        (CallTool(LIST.name, {}), ToolAnswered(EMPTY_LIST.decode(), is_error=False)),
        (CallTool(CREATE.name, {"name": "é"}), ToolAnswered('{"data": {"name": "é"}}', is_error=False)),
        (CallTool("kadu_nothing", {}), Failed(INVALID_PARAMS, "Unknown tool: kadu_nothing")),
        (CallTool("n" * 129, {}), Failed(INVALID_PARAMS, "Unknown tool: " + "n" * 128)),
        (CallTool(UPLOAD.name, {}), ScopeMissing(frozenset({SCOPE_OF_UPLOAD}))),
        (_delete({"id": "t2"}), ToolAnswered(failure("not_found", 404).body.decode(), is_error=True)),
    ],
)
async def test_a_request_has_its_outcome(request_: Request, outcome: Outcome) -> None:
    assert await Stage().perform(request_) == outcome


async def test_the_tool_service_gets_caller_arguments_and_details_as_they_are() -> None:
    stage = Stage()
    arguments = {"n": 9007199254740993}
    details = CallDetails("request-9", "en", "00-trace", "test-client")
    await stage.perform(CallTool(LIST.name, arguments), details=details)
    [asked] = stage.tools.asked
    assert (asked.caller, asked.name, asked.arguments, asked.confirmation_id, asked.details) == (
        CALLER,
        LIST.name,
        arguments,
        None,
        details,
    )


@pytest.mark.parametrize(
    "request_", [ListTools(), CallTool(LIST.name, {}), _delete(), ReadResource("kobana://kadu/me")]
)
async def test_an_unreachable_tool_service_is_told_before_any_handler_ran(request_: Request) -> None:
    stage = Stage()
    stage.tools.fault = stage.library.fault = GatewayUnavailable(3)
    assert await stage.perform(request_) == Failed(
        SERVICE_UNAVAILABLE, "Service unavailable", before_handler=True, retry_after_seconds=3
    )


async def test_a_person_whom_the_tool_service_does_not_know_is_the_callers_matter() -> None:
    stage = Stage()
    stage.tools.fault = CallerRefused()
    with pytest.raises(CallerRefused):
        await stage.perform(ListTools())


async def test_a_destructive_call_asks_and_runs_nothing() -> None:
    stage = Stage()
    question = await stage.ask()
    assert question == QuestionAsked(
        key="confirm",
        message=SUMMARIES["pt-BR"],
        field_title="Continuar",
        field_description="Marque para continuar.",
        state=question.state,
    )
    assert stage.tools.runs == []


@pytest.mark.requirement("confirmation.asks-first")
async def test_the_question_is_in_the_language_of_its_summary() -> None:
    stage = Stage()
    outcome = await stage.perform(_delete(), details=CallDetails("request-1", accept_language="en"))
    assert isinstance(outcome, QuestionAsked)
    assert (outcome.message, outcome.field_title) == (SUMMARIES["en"], "Continue")


async def test_yes_runs_the_call_once_and_an_empty_answer_is_still_json() -> None:
    stage = Stage()
    question = await stage.ask()
    outcome = await stage.perform(_delete(answers=ACCEPTED, request_state=question.state))
    assert outcome == ToolAnswered('{"data":null}', is_error=False)
    assert stage.tools.runs == [(DELETE.name, {"id": "t1"})]


async def test_the_same_yes_again_answers_what_the_first_one_did() -> None:
    stage = Stage()
    question = await stage.ask()
    again = _delete(answers=ACCEPTED, request_state=question.state)
    assert await stage.perform(again) == await stage.perform(again)
    assert len(stage.tools.runs) == 1


@pytest.mark.parametrize(
    ("answer", "refusal"),
    [
        ({"action": "decline"}, Refusal.DECLINED),
        ({"action": "cancel"}, Refusal.CANCELED),
        ({"action": "accept", "content": {"confirm": False}}, Refusal.DECLINED),
    ],
)
async def test_no_is_put_on_record_and_runs_nothing(answer: dict[str, Any], refusal: Refusal) -> None:
    stage = Stage()
    question = await stage.ask()
    outcome = await stage.perform(_delete(answers={"confirm": answer}, request_state=question.state))
    assert outcome == ToolAnswered(failure("confirmation_declined", 409).body.decode(), is_error=True)
    assert [each for _, each in stage.tools.declined] == [refusal]
    assert stage.tools.runs == []


async def test_no_after_yes_tells_what_has_run() -> None:
    stage = Stage()
    question = await stage.ask()
    ran = await stage.perform(_delete(answers=ACCEPTED, request_state=question.state))
    declined = await stage.perform(_delete(answers={"confirm": {"action": "decline"}}, request_state=question.state))
    assert declined == ran


async def test_a_forged_state_asks_the_tool_service_nothing() -> None:
    stage = Stage()
    assert await stage.perform(_delete(answers=ACCEPTED, request_state="v1.s1.AAAA")) == Failed(
        INVALID_PARAMS, "Invalid or expired requestState"
    )
    assert stage.tools.asked == []


@pytest.mark.parametrize(
    ("changes", "caller"),
    [
        ({"name": "kadu_tasks_run"}, CALLER),
        ({"arguments": {"id": "t2"}}, CALLER),
        ({}, replace(CALLER, subject="person-2")),
        ({}, replace(CALLER, organization_id="organization-2")),
        ({}, replace(CALLER, client_id="client-2")),
    ],
)
async def test_a_state_of_another_call_or_caller_runs_nothing(changes: dict[str, Any], caller: Caller) -> None:
    stage = Stage()
    question = await stage.ask()
    call = replace(_delete(answers=ACCEPTED, request_state=question.state), **changes)
    assert await stage.perform(call, caller=caller) == Failed(INVALID_PARAMS, "Invalid or expired requestState")
    assert stage.tools.runs == []


async def test_an_expired_question_is_asked_afresh_and_its_answer_counts() -> None:
    stage = Stage()
    question = await stage.ask()
    stage.clock.advance(timedelta(minutes=10))
    fresh = await stage.ask(answers=ACCEPTED, request_state=question.state)
    assert stage.tools.runs == []
    outcome = await stage.perform(_delete(answers=ACCEPTED, request_state=fresh.state))
    assert outcome == ToolAnswered('{"data":null}', is_error=False)


async def test_a_client_that_cannot_ask_gets_the_link() -> None:
    stage = Stage()
    assert await stage.perform(_delete(), can_ask=False) == ToolAnswered(OPENED.decode(), is_error=False)
    assert stage.tools.runs == []


async def test_what_needs_no_confirmation_runs_for_a_client_that_cannot_ask() -> None:
    stage = Stage()
    await stage.perform(CallTool(CREATE.name, {"name": "x"}), can_ask=False)
    assert stage.tools.runs == [(CREATE.name, {"name": "x"})]


async def test_what_cannot_run_is_not_asked_about() -> None:
    outcome = await Stage().perform(_delete({"id": "t2"}), can_ask=False)
    assert outcome == ToolAnswered(failure("not_found", 404).body.decode(), is_error=True)


async def test_d30_a_question_that_is_never_answered_ends_with_the_link() -> None:
    stage = Stage()
    outcome: Outcome = await stage.ask()
    questions = 0
    while isinstance(outcome, QuestionAsked):
        questions += 1
        outcome = await stage.perform(_delete(request_state=outcome.state))
    assert questions == 5
    assert outcome == ToolAnswered(OPENED.decode(), is_error=False)
    assert stage.tools.runs == []


async def test_a_tool_service_that_asks_twice_is_a_fault_of_ours() -> None:
    stage = Stage()
    stage.tools.asks_always = True
    question = await stage.ask()
    with pytest.raises(RuntimeError, match="kadu_tasks_delete"):
        await stage.perform(_delete(answers=ACCEPTED, request_state=question.state))
