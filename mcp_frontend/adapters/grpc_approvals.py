"""Approvals over gRPC: the ApprovalDesk of production."""

import json
from collections.abc import Sequence
from typing import Any

import grpc

from mcp_frontend.adapters.caller_assertion import CallerAssertions
from mcp_frontend.adapters.tool_messages import ContractBroken
from mcp_frontend.adapters.tool_service_calls import NOT_A_MEMBER, NOT_ANSWERED, CallFailed, Deadlines, send
from mcp_frontend.approvals.ports import (
    Approval,
    ApprovalRefusal,
    ApprovalsUnavailable,
    Decision,
    ListedApproval,
    Status,
    Verdict,
    Visit,
    VisitorRefused,
)
from protos.tool_service.v1 import tool_service_pb2 as pb
from protos.tool_service.v1 import tool_service_pb2_grpc as pb_grpc

_STATUSES = {
    pb.APPROVAL_STATUS_PENDING: Status.PENDING,
    pb.APPROVAL_STATUS_RUNNING: Status.RUNNING,
    pb.APPROVAL_STATUS_COMPLETED: Status.COMPLETED,
    pb.APPROVAL_STATUS_FAILED: Status.FAILED,
    pb.APPROVAL_STATUS_DECLINED: Status.DECLINED,
    pb.APPROVAL_STATUS_EXPIRED: Status.EXPIRED,
}
_REFUSALS = {
    pb.APPROVAL_REFUSAL_NOT_FOUND: ApprovalRefusal.NOT_FOUND,
    pb.APPROVAL_REFUSAL_NOT_FOR_YOU: ApprovalRefusal.NOT_FOR_YOU,
}
_VERDICTS = {
    pb.APPROVAL_VERDICT_DECIDED: Verdict.DECIDED,
    pb.APPROVAL_VERDICT_DECIDED_BEFORE: Verdict.DECIDED_BEFORE,
    pb.APPROVAL_VERDICT_CHANGED: Verdict.CHANGED,
}
_DECISIONS = {
    Decision.APPROVE: pb.APPROVAL_DECISION_APPROVE,
    Decision.DECLINE: pb.APPROVAL_DECISION_DECLINE,
}


class GrpcApprovals:
    """Must be made inside the serving loop; the channel is the caller's to close."""

    def __init__(self, channel: grpc.aio.Channel, assertions: CallerAssertions, deadlines: Deadlines) -> None:
        self._channel = channel
        self._stub = pb_grpc.ApprovalServiceStub(channel)
        self._assertions = assertions
        self._deadlines = deadlines

    async def show(self, visit: Visit, approval_id: str) -> Approval | ApprovalRefusal:
        request = pb.GetApprovalRequest(approval_id=approval_id, language=visit.language)
        response = await self._call(self._stub.GetApproval, request, visit)
        if response.WhichOneof("outcome") == "approval":
            return _approval(response.approval)
        return _refusal(response.refusal)

    async def decide(
        self, visit: Visit, approval_id: str, decision: Decision, seen_digest: str
    ) -> tuple[Verdict, Approval] | ApprovalRefusal:
        request = pb.DecideApprovalRequest(
            approval_id=approval_id,
            decision=_DECISIONS[decision],
            seen_digest=seen_digest,
            language=visit.language,
        )
        response = await self._call(self._stub.DecideApproval, request, visit)
        if response.WhichOneof("outcome") == "approval":
            return _VERDICTS[response.verdict], _approval(response.approval)
        return _refusal(response.refusal)

    async def inbox(self, visit: Visit) -> Sequence[ListedApproval]:
        response = await self._call(self._stub.ListApprovals, pb.ListApprovalsRequest(language=visit.language), visit)
        return [_listed(each, response.timezone) for each in response.approvals]

    async def _call(self, method: Any, request: Any, visit: Visit) -> Any:
        metadata = [
            ("subject-assertion", self._assertions.assertion_of(visit.subject)),
            ("request-id", visit.request_id),
        ]
        if visit.trace_parent is not None:
            metadata.append(("traceparent", visit.trace_parent))
        try:
            # Deciding twice is deciding once, so everything here may be tried again.
            return await send(self._channel, method, request, metadata, self._deadlines, repeatable=True)
        except TimeoutError as error:
            raise ApprovalsUnavailable from error
        except grpc.aio.AioRpcError as error:
            if error.code() in NOT_ANSWERED:
                raise ApprovalsUnavailable from error
            if error.code() is grpc.StatusCode.UNAUTHENTICATED and error.details() == NOT_A_MEMBER:
                raise VisitorRefused from error
            raise CallFailed(f"{error.code().name}: {error.details()}") from error


def _refusal(refusal: "pb.ApprovalRefusal.ValueType") -> ApprovalRefusal:
    if refusal not in _REFUSALS:
        raise ContractBroken("an answer on an approval without an outcome")
    return _REFUSALS[refusal]


def _approval(approval: pb.Approval) -> Approval:
    return Approval(
        id=approval.id,
        status=_STATUSES[approval.status],
        tool=approval.tool,
        summary=approval.summary,
        summary_before=approval.summary_before,
        seen_digest=approval.seen_digest,
        client_name=approval.client_name,
        person_name=approval.person_name,
        organization_name=approval.organization_name,
        facts=[(each.label, each.value) for each in approval.facts],
        arguments=json.loads(approval.arguments_json) if approval.arguments_json else None,
        cost_ceiling=approval.cost_ceiling,
        destination=approval.destination,
        created_at=approval.created_at,
        expires_at=approval.expires_at,
        decided_at=approval.decided_at,
        seconds_left=approval.seconds_left,
        problem=json.loads(approval.problem_json) if approval.problem_json else None,
        outcome=json.loads(approval.outcome_json) if approval.outcome_json else None,
        outcome_status=approval.outcome_status,
        timezone=approval.timezone,
    )


def _listed(item: pb.ApprovalListItem, timezone: str) -> ListedApproval:
    return ListedApproval(
        id=item.id,
        status=_STATUSES[item.status],
        summary=item.summary,
        client_name=item.client_name,
        organization_name=item.organization_name,
        created_at=item.created_at,
        decided_at=item.decided_at,
        seconds_left=item.seconds_left,
        timezone=timezone,
    )
