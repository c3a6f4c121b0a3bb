"""ToolGateway: the fake in memory and the gRPC adapter over a real socket behave alike.

The second half is the wire's alone: what crosses in the metadata, what is tried again, what a
service that is away looks like.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import grpc
import pytest
from joserfc import jwt
from joserfc.jwk import ECKey

from mcp_frontend.adapters.caller_assertion import CallerAssertions
from mcp_frontend.adapters.grpc_tool_gateway import GrpcToolGateway
from mcp_frontend.adapters.tool_service_calls import CHANNEL_OPTIONS, MESSAGE_LIMIT_BYTES, CallFailed, Deadlines
from mcp_frontend.adapters.tool_service_health import ToolServiceHealth
from mcp_frontend.caller import Caller
from mcp_frontend.dispatch.ports import (
    CallDetails,
    CallerRefused,
    ConfirmationRequired,
    GatewayUnavailable,
    Refusal,
    ToolFailure,
    ToolGateway,
    ToolResult,
)
from tests.support.clock import FakeClock
from tests.support.fake_tool_gateway import (
    CREATE,
    DELETE,
    EMPTY_LIST,
    LIST,
    SUMMARIES,
    TOOLS,
    UPLOAD,
    Asked,
    FakeToolGateway,
    failure,
)
from tests.support.keys import jwk_set
from tests.support.served_tool_gateway import ServedToolGateway, serve

KEY = ECKey.generate_key("P-256", {"kid": "a1"})
CALLER = Caller("", "person-1", "organization-1", "client-1", "Client", frozenset({"kadu.tasks.read"}), "token-1", 0)
DETAILS = CallDetails("request-1", "en", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "test-client")
UNAVAILABLE = (grpc.StatusCode.UNAVAILABLE, "connection lost")


@dataclass(frozen=True, slots=True)
class Stage:
    """A gateway, and the tools that it leads to."""

    gateway: ToolGateway
    tools: FakeToolGateway

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        confirmation_id: str | None = None,
        caller: Caller = CALLER,
        details: CallDetails = DETAILS,
        *,
        open_approval: bool = False,
    ) -> ToolResult | ToolFailure | ConfirmationRequired:
        return await self.gateway.call_tool(
            caller,
            name,
            arguments or {},
            details,
            confirmation_id=confirmation_id,
            open_approval=open_approval,
        )


@dataclass(frozen=True, slots=True)
class WireStage(Stage):
    served: ServedToolGateway


@asynccontextmanager
async def _wire(deadlines: Deadlines) -> AsyncGenerator[WireStage]:
    tools = FakeToolGateway()
    served = ServedToolGateway(tools, KEY)
    async with (
        serve(served) as address,
        grpc.aio.insecure_channel(address, options=CHANNEL_OPTIONS) as channel,
    ):
        yield WireStage(_gateway(channel, deadlines), tools, served)


def _gateway(channel: grpc.aio.Channel, deadlines: Deadlines) -> GrpcToolGateway:
    return GrpcToolGateway(channel, CallerAssertions(jwk_set(KEY), FakeClock()), deadlines)


@pytest.fixture
async def wire() -> AsyncIterator[WireStage]:
    async with _wire(Deadlines(call=20, reconnect=10)) as stage:
        yield stage


@pytest.fixture(params=["fake", "grpc"])
async def stage(request: pytest.FixtureRequest) -> AsyncIterator[Stage]:
    if request.param == "fake":
        tools = FakeToolGateway()
        yield Stage(tools, tools)
    else:
        async with _wire(Deadlines(call=20, reconnect=10)) as stage:
            yield stage


async def test_the_catalogue_comes_whole_and_in_order(stage: Stage) -> None:
    assert tuple(await stage.gateway.list_tools(CALLER, DETAILS)) == TOOLS


async def test_an_unchanged_catalogue_is_the_very_same_value(stage: Stage) -> None:
    # Its rendering is remembered by its identity.
    assert await stage.gateway.list_tools(CALLER, DETAILS) is await stage.gateway.list_tools(CALLER, DETAILS)


@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        (LIST.name, {}, ToolResult(EMPTY_LIST, 200)),
        (
            CREATE.name,
            {"n": 9007199254740993, "f": 10.5, "é": ["✓", None, True]},
            ToolResult('{"data": {"n": 9007199254740993, "f": 10.5, "é": ["✓", null, true]}}'.encode(), 201),
        ),
        (DELETE.name, {"id": "t2"}, failure("not_found", 404)),
        (DELETE.name, {"id": "t1"}, ConfirmationRequired(DELETE.title, SUMMARIES["en"], "en")),
    ],
)
async def test_a_call_has_its_answer(
    stage: Stage, name: str, arguments: dict[str, Any], answer: ToolResult | ToolFailure | ConfirmationRequired
) -> None:
    assert await stage.call(name, arguments) == answer


async def test_an_unknown_tool_and_a_missing_scope_are_told_apart(stage: Stage) -> None:
    unknown, missing = await stage.call("kadu_nothing"), await stage.call(UPLOAD.name)
    assert isinstance(unknown, ToolFailure)
    assert isinstance(missing, ToolFailure)
    assert (unknown.kind.name, unknown.required_scopes) == ("UNKNOWN_TOOL", frozenset())
    assert (missing.kind.name, missing.required_scopes) == ("INSUFFICIENT_SCOPE", frozenset({"kadu.files.write"}))


async def test_the_time_to_wait_is_kept(stage: Stage) -> None:
    caller = replace(CALLER, scopes=frozenset({"kadu.files.write"}))
    assert await stage.call(UPLOAD.name, caller=caller) == failure("rate_limited", 429, retry_after_seconds=7)


async def test_everything_about_a_call_arrives_as_it_was_given(stage: Stage) -> None:
    await stage.call(LIST.name, {"a": 1})
    assert stage.tools.asked == [Asked(CALLER, LIST.name, {"a": 1}, None, DETAILS)]


async def test_what_is_not_known_about_a_call_stays_unknown(stage: Stage) -> None:
    details = CallDetails("request-1")
    await stage.call(LIST.name, caller=replace(CALLER, client_name=None), details=details)
    [asked] = stage.tools.asked
    assert (asked.caller.client_name, asked.details) == (None, details)


async def test_a_confirmed_call_runs_once_and_its_repeat_says_so(stage: Stage) -> None:
    answers = [await stage.call(DELETE.name, {"id": "t1"}, "c1") for _ in range(2)]
    assert answers == [ToolResult(b"", 204), ToolResult(b"", 204, replayed=True)]
    assert stage.tools.runs == [(DELETE.name, {"id": "t1"})]


@pytest.mark.parametrize("refusal", list(Refusal))
async def test_a_refusal_is_put_on_record(stage: Stage, refusal: Refusal) -> None:
    answer = await stage.gateway.decline_tool(CALLER, DELETE.name, {"id": "t1"}, "c1", refusal, DETAILS)
    assert answer == failure("confirmation_declined", 409)
    assert stage.tools.declined == [("c1", refusal)]


async def test_a_refusal_after_the_call_ran_answers_what_it_did(stage: Stage) -> None:
    await stage.call(DELETE.name, {"id": "t1"}, "c1")
    answer = await stage.gateway.decline_tool(CALLER, DELETE.name, {"id": "t1"}, "c1", Refusal.DECLINED, DETAILS)
    assert answer == ToolResult(b"", 204, replayed=True)


@pytest.mark.requirement("authorization.token-stays-here")
async def test_the_metadata_holds_assertion_request_and_trace_and_nothing_else_of_ours(wire: WireStage) -> None:
    await wire.call(LIST.name)
    [metadata] = wire.served.metadata
    assert metadata.keys() - {"user-agent"} == {"caller-assertion", "request-id", "traceparent"}
    claims = jwt.decode(metadata["caller-assertion"], KEY, algorithms=["ES256"]).claims
    assert (claims["iss"], claims["aud"], claims["tid"]) == ("mcp-frontend", "tool-service", "token-1")


@pytest.mark.parametrize(
    ("name", "arguments", "confirmation_id"),
    [
        (LIST.name, {}, None),
        (DELETE.name, {"id": "t1"}, None),
        (DELETE.name, {"id": "t1"}, "c1"),
        (CREATE.name, {"idempotency_key": "k1"}, None),
    ],
)
async def test_what_may_run_twice_is_tried_once_more_when_the_connection_broke(
    wire: WireStage, name: str, arguments: dict[str, Any], confirmation_id: str | None
) -> None:
    await wire.gateway.list_tools(CALLER, DETAILS)
    expected = await wire.call(name, arguments, confirmation_id)
    wire.served.calls, wire.served.aborts = 0, [UNAVAILABLE]
    answer = await wire.call(name, arguments, confirmation_id)
    assert type(answer) is type(expected)
    assert wire.served.calls == 2


async def test_a_write_without_a_key_is_tried_only_once(wire: WireStage) -> None:
    await wire.gateway.list_tools(CALLER, DETAILS)
    wire.served.calls, wire.served.aborts = 0, [UNAVAILABLE]
    with pytest.raises(GatewayUnavailable):
        await wire.call(CREATE.name, {"name": "x"})
    assert wire.served.calls == 1


async def test_a_second_failure_is_the_answer(wire: WireStage) -> None:
    wire.served.aborts = [UNAVAILABLE, UNAVAILABLE]
    with pytest.raises(GatewayUnavailable):
        await wire.gateway.list_tools(CALLER, DETAILS)
    assert wire.served.calls == 2


async def test_a_service_that_does_not_answer_in_time_is_unavailable_and_not_asked_again() -> None:
    async with _wire(Deadlines(call=0.2)) as stage:
        stage.served.answers.clear()
        with pytest.raises(GatewayUnavailable):
            await stage.gateway.list_tools(CALLER, DETAILS)
        assert stage.served.calls == 1


async def test_a_person_who_is_no_member_is_refused(wire: WireStage) -> None:
    wire.served.aborts = [(grpc.StatusCode.UNAUTHENTICATED, "NotAMember")]
    with pytest.raises(CallerRefused):
        await wire.gateway.list_tools(CALLER, DETAILS)


@pytest.mark.parametrize("code", [grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.INTERNAL])
async def test_every_other_fault_of_the_call_is_ours_not_the_callers(wire: WireStage, code: grpc.StatusCode) -> None:
    wire.served.aborts = [(code, "TokenRefused")]
    with pytest.raises(CallFailed, match=f"{code.name}: TokenRefused"):
        await wire.gateway.list_tools(CALLER, DETAILS)


async def test_arguments_of_a_full_request_body_cross(wire: WireStage) -> None:
    # The largest body is 1 MiB; as JSON text of the call it stays below the limit of both sides.
    text = "é" * (MESSAGE_LIMIT_BYTES // 4)
    answer = await wire.call(CREATE.name, {"text": text})
    assert isinstance(answer, ToolResult)
    assert text.encode() in answer.body


async def test_a_service_that_is_away_is_unavailable_and_back_as_soon_as_it_is_back() -> None:
    tools = FakeToolGateway()
    served = ServedToolGateway(tools, KEY)
    async with serve(served) as address:
        pass
    async with grpc.aio.insecure_channel(address, options=CHANNEL_OPTIONS) as channel:
        away = Stage(_gateway(channel, Deadlines(call=20, reconnect=0.05)), tools)
        with pytest.raises(GatewayUnavailable):
            await away.gateway.list_tools(CALLER, DETAILS)
        assert not await ToolServiceHealth(channel).is_ready()
        back = _gateway(channel, Deadlines(call=20, reconnect=20))
        async with serve(served, address):
            assert tuple(await back.list_tools(CALLER, DETAILS)) == TOOLS


async def test_a_caller_that_gives_up_takes_nothing_from_the_others(wire: WireStage) -> None:
    wire.served.answers.clear()
    given_up = asyncio.create_task(wire.call(LIST.name))
    async with asyncio.timeout(10):
        await wire.served.called.wait()
    wire.served.answers.set()
    given_up.cancel()
    assert await wire.call(LIST.name) == ToolResult(EMPTY_LIST, 200)
