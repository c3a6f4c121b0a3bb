"""ApprovalDesk: the fake and gRPC over a socket show, decide and refuse alike."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any, cast
from uuid import UUID

import grpc
import pytest

from mcp_frontend.adapters.caller_assertion import CallerAssertions
from mcp_frontend.adapters.grpc_approvals import GrpcApprovals
from mcp_frontend.adapters.tool_service_calls import Deadlines
from mcp_frontend.approvals.ports import (
    ApprovalDesk,
    ApprovalRefusal,
    ApprovalsUnavailable,
    Decision,
    Status,
    Verdict,
    Visit,
    VisitorRefused,
)
from protos.tool_service.v1 import tool_service_pb2 as pb
from tests.contract.approvals.conftest import Scene
from tests.support.clock import FakeClock
from tests.support.faces import KEY, Faces
from tests.support.fake_approval_desk import PENDING, FakeApprovalDesk
from tests.support.keys import jwk_set
from tests.support.person_at_pages import subject_of
from tests.support.server_process import free_port
from tests.support.whole_wire import whole_wire

DEADLINES = Deadlines(call=10)
MANAGER = Visit(subject_of("manager"), "pt-BR", "request-9", "00-" + "a" * 32 + "-" + "b" * 16 + "-01")
OWNER = replace(MANAGER, subject=subject_of("owner"))
NOBODY_KNOWN = replace(MANAGER, subject=replace(subject_of("manager"), subject=str(UUID(int=7))))


@dataclass(frozen=True, slots=True)
class Stage:
    """A desk, and the id of an approval that waits for the manager."""

    desk: ApprovalDesk
    approval_id: str
    unreachable: ApprovalDesk


def _desk(channel: grpc.aio.Channel, faces: Faces) -> GrpcApprovals:
    return GrpcApprovals(channel, CallerAssertions(jwk_set(KEY), faces.clock), DEADLINES)


@pytest.fixture
def fake() -> Stage:
    desk = FakeApprovalDesk(owners={PENDING.id: MANAGER.subject.subject}, strangers={NOBODY_KNOWN.subject.subject})
    return Stage(desk, PENDING.id, FakeApprovalDesk(fault=ApprovalsUnavailable()))


@pytest.fixture
async def over_grpc(sqlite_faces: Faces) -> AsyncIterator[Stage]:
    told = await Scene(sqlite_faces, whole_wire(sqlite_faces)).delete()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{free_port()}") as nowhere:
        yield Stage(_desk(sqlite_faces.channel, sqlite_faces), told.id, _desk(nowhere, sqlite_faces))


@pytest.fixture(params=["fake", "over_grpc"])
def stage(request: pytest.FixtureRequest) -> Stage:
    return request.getfixturevalue(request.param)


async def shown(stage: Stage) -> Any:
    approval = await stage.desk.show(MANAGER, stage.approval_id)
    assert not isinstance(approval, ApprovalRefusal)
    return approval


async def test_what_waits_is_shown_whole(stage: Stage) -> None:
    approval = await shown(stage)
    assert (approval.id, approval.status) == (stage.approval_id, Status.PENDING)
    assert approval.tool == "kadu_tasks_delete"
    assert approval.summary.startswith("Excluir a tarefa «")
    assert (approval.summary_before, approval.problem, approval.outcome) == ("", None, None)
    assert approval.seen_digest
    assert approval.client_name
    assert approval.person_name
    assert approval.organization_name
    assert all(label and value for label, value in approval.facts)
    assert approval.arguments.keys() == {"id"}
    assert approval.created_at < approval.expires_at
    assert (approval.decided_at, approval.timezone) == (0, "America/Sao_Paulo")
    assert 0 < approval.seconds_left <= 900


async def test_a_yes_to_what_was_seen_counts_once(stage: Stage) -> None:
    seen = (await shown(stage)).seen_digest
    for expected in (Verdict.DECIDED, Verdict.DECIDED_BEFORE, Verdict.DECIDED_BEFORE):
        decided = await stage.desk.decide(MANAGER, stage.approval_id, Decision.APPROVE, seen)
        assert not isinstance(decided, ApprovalRefusal)
        assert (decided[0], decided[1].status) == (expected, Status.COMPLETED)
        assert decided[1].decided_at > 0
        assert decided[1].seconds_left == 0


async def test_a_yes_to_something_else_decides_nothing(stage: Stage) -> None:
    decided = await stage.desk.decide(MANAGER, stage.approval_id, Decision.APPROVE, "of something else")
    assert not isinstance(decided, ApprovalRefusal)
    assert (decided[0], decided[1].status) == (Verdict.CHANGED, Status.PENDING)


async def test_a_no_counts_whatever_was_seen(stage: Stage) -> None:
    decided = await stage.desk.decide(MANAGER, stage.approval_id, Decision.DECLINE, "of something else")
    assert not isinstance(decided, ApprovalRefusal)
    assert (decided[0], decided[1].status) == (Verdict.DECIDED, Status.DECLINED)
    late = await stage.desk.decide(MANAGER, stage.approval_id, Decision.APPROVE, (await shown(stage)).seen_digest)
    assert not isinstance(late, ApprovalRefusal)
    assert (late[0], late[1].status) == (Verdict.DECIDED_BEFORE, Status.DECLINED)


async def test_what_is_not_there_and_what_is_somebody_elses_are_told_apart_and_not_shown(stage: Stage) -> None:
    for decide in (False, True):
        for visit, approval_id, expected in (
            (MANAGER, str(UUID(int=1)), ApprovalRefusal.NOT_FOUND),
            (MANAGER, "no id", ApprovalRefusal.NOT_FOUND),
            (OWNER, stage.approval_id, ApprovalRefusal.NOT_FOR_YOU),
        ):
            answer = (
                await stage.desk.decide(visit, approval_id, Decision.APPROVE, "any")
                if decide
                else await stage.desk.show(visit, approval_id)
            )
            assert answer is expected
    assert (await shown(stage)).status is Status.PENDING


async def test_the_inbox_is_the_persons_own(stage: Stage) -> None:
    [mine] = [each for each in await stage.desk.inbox(MANAGER) if each.id == stage.approval_id]
    assert (mine.status, mine.decided_at) == (Status.PENDING, 0)
    assert mine.summary.startswith("Excluir a tarefa «")
    assert mine.organization_name
    assert mine.seconds_left > 0
    assert mine.timezone == "America/Sao_Paulo"
    assert stage.approval_id not in {each.id for each in await stage.desk.inbox(OWNER)}


async def test_no_answer_is_said_and_no_verdict(stage: Stage) -> None:
    with pytest.raises(ApprovalsUnavailable):
        await stage.unreachable.show(MANAGER, stage.approval_id)
    with pytest.raises(ApprovalsUnavailable):
        await stage.unreachable.decide(MANAGER, stage.approval_id, Decision.APPROVE, "any")
    with pytest.raises(ApprovalsUnavailable):
        await stage.unreachable.inbox(MANAGER)


async def test_who_is_no_member_is_refused(stage: Stage) -> None:
    with pytest.raises(VisitorRefused):
        await stage.desk.show(NOBODY_KNOWN, stage.approval_id)


async def test_a_connection_that_broke_is_tried_once_more() -> None:
    answers = [grpc.StatusCode.UNAVAILABLE, None, grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNAVAILABLE]

    async def list_approvals(request: Any, context: Any) -> pb.ListApprovalsResponse:
        fault = answers.pop(0)
        if fault is not None:
            await context.abort(fault, "going away")
        return pb.ListApprovalsResponse()

    handler = grpc.unary_unary_rpc_method_handler(
        cast(Any, list_approvals),
        request_deserializer=pb.ListApprovalsRequest.FromString,
        response_serializer=pb.ListApprovalsResponse.SerializeToString,
    )
    server = grpc.aio.server()
    name = pb.DESCRIPTOR.services_by_name["ApprovalService"].full_name
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, {"ListApprovals": handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        desk = GrpcApprovals(channel, CallerAssertions(jwk_set(KEY), FakeClock()), DEADLINES)
        assert list(await desk.inbox(MANAGER)) == []
        with pytest.raises(ApprovalsUnavailable):
            await desk.inbox(MANAGER)
    assert answers == []
    await server.stop(None)
