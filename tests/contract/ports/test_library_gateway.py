"""LibraryGateway: the fake in memory and the gRPC adapter over a real socket behave alike."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import grpc
import pytest
from joserfc.jwk import ECKey

from mcp_frontend.adapters.caller_assertion import CallerAssertions
from mcp_frontend.adapters.grpc_library_gateway import GrpcLibraryGateway
from mcp_frontend.adapters.tool_service_calls import CHANNEL_OPTIONS, Deadlines
from mcp_frontend.caller import Caller
from mcp_frontend.dispatch.ports import (
    CallDetails,
    GatewayUnavailable,
    LibraryGateway,
    NoSuchReference,
    ToolFailure,
)
from mcp_frontend.protocol.model import (
    Complete,
    Completed,
    PromptFilled,
    PromptMessage,
    PromptReference,
    ResourceRead,
    ResourceReference,
)
from tests.support.clock import FakeClock
from tests.support.fake_library_gateway import ME, NOT_FOUND, RUN_TASK, TASK, UNREADABLE, FakeLibraryGateway
from tests.support.fake_tool_gateway import FakeToolGateway
from tests.support.keys import jwk_set
from tests.support.served_library_gateway import ServedLibraryGateway
from tests.support.served_tool_gateway import serve

KEY = ECKey.generate_key("P-256", {"kid": "a1"})
CALLER = Caller("", "person-1", "organization-1", "client-1", "Client", frozenset({"kadu.tasks.read"}), "token-1", 0)
DETAILS = CallDetails("request-1", "en")


@dataclass(frozen=True, slots=True)
class Stage:
    """A gateway, and the library that it leads to."""

    gateway: LibraryGateway
    library: FakeLibraryGateway
    served: ServedLibraryGateway | None = None


@pytest.fixture
async def wire() -> AsyncIterator[Stage]:
    library = FakeLibraryGateway()
    served = ServedLibraryGateway(FakeToolGateway(), KEY, library=library)
    async with (
        serve(served) as address,
        grpc.aio.insecure_channel(address, options=CHANNEL_OPTIONS) as channel,
    ):
        assertions = CallerAssertions(jwk_set(KEY), FakeClock())
        yield Stage(GrpcLibraryGateway(channel, assertions, Deadlines(call=20, reconnect=10)), library, served)


@pytest.fixture(params=["fake", "grpc"])
def stage(request: pytest.FixtureRequest) -> Stage:
    if request.param == "grpc":
        return request.getfixturevalue("wire")
    library = FakeLibraryGateway()
    return Stage(library, library)


async def test_lists_arrive_whole_and_in_order(stage: Stage) -> None:
    assert await stage.gateway.list_resources(CALLER, DETAILS) == (ME,)
    assert await stage.gateway.list_resource_templates(CALLER, DETAILS) == (TASK,)
    assert await stage.gateway.list_prompts(CALLER, DETAILS) == (RUN_TASK,)
    assert stage.library.asked == [(CALLER, what, DETAILS) for what in ("resources", "templates", "prompts")]


async def test_a_document_is_read_under_the_uri_that_was_asked_for(stage: Stage) -> None:
    read = await stage.gateway.read_resource(CALLER, ME.uri, DETAILS)
    assert read == ResourceRead(ME.uri, "application/json", '{"data":{}}')


@pytest.mark.parametrize(
    ("uri", "failure"), [("kobana://kadu/nothing", NOT_FOUND), *UNREADABLE.items()], ids=lambda value: str(value)[:40]
)
async def test_why_a_document_cannot_be_read_arrives_as_it_is(stage: Stage, uri: str, failure: ToolFailure) -> None:
    assert await stage.gateway.read_resource(CALLER, uri, DETAILS) == failure


async def test_a_prompt_is_filled_in_or_refused_with_a_sentence(stage: Stage) -> None:
    filled = await stage.gateway.get_prompt(CALLER, RUN_TASK.name, {"task": "diária"}, DETAILS)
    assert filled == PromptFilled("Runs a task.", (PromptMessage("user", "Run «diária»"),))
    assert await stage.gateway.get_prompt(CALLER, "no-such", {}, DETAILS) == NoSuchReference("Unknown prompt")


@pytest.mark.parametrize(
    ("value", "completed"),
    [
        ("", Completed(("daily", "monthly"), 2, has_more=False)),
        ("x", Completed((), 0, has_more=False)),
        ("many", Completed(tuple(f"task-{n}" for n in range(100)), None, has_more=True)),
    ],
)
async def test_suggestions_keep_their_order_and_their_count(stage: Stage, value: str, completed: Completed) -> None:
    wanted = Complete(PromptReference(RUN_TASK.name), "task", value, {"language": "en"})
    assert await stage.gateway.complete(CALLER, wanted, DETAILS) == completed


async def test_an_unknown_reference_is_refused_with_a_sentence(stage: Stage) -> None:
    wanted = Complete(ResourceReference("kobana://kadu/x/{id}"), "id", "", {})
    assert await stage.gateway.complete(CALLER, wanted, DETAILS) == NoSuchReference("Unknown reference or argument")


async def test_a_read_is_tried_once_more_when_the_connection_broke(wire: Stage) -> None:
    assert wire.served is not None
    lost = (grpc.StatusCode.UNAVAILABLE, "connection lost")
    wire.served.aborts = [lost]
    assert await wire.gateway.list_resources(CALLER, DETAILS) == (ME,)
    wire.served.aborts = [lost, lost]
    with pytest.raises(GatewayUnavailable):
        await wire.gateway.list_prompts(CALLER, DETAILS)
