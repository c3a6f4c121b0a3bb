"""ApprovalService: what a person sees at a link, and what they decide there."""

import json
from datetime import datetime
from typing import Any
from uuid import UUID

import grpc

from protos.tool_service.v1 import tool_service_pb2 as pb
from protos.tool_service.v1 import tool_service_pb2_grpc as pb_grpc
from tool_service.approvals.decisions import Decisions, Listed, NoSuchApproval, NotForYou, Shown, Verdict, Visit
from tool_service.domain.approvals import Approval, ApprovalStatus
from tool_service.domain.language import Language
from tool_service.domain.money import format_brl
from tool_service.domain.organizations import Member
from tool_service.domain.third_party_text import harmless, harmless_json
from tool_service.grpc_api.interceptors import MalformedRequest, current_question

_STATUSES = {
    ApprovalStatus.PENDING: pb.APPROVAL_STATUS_PENDING,
    ApprovalStatus.RUNNING: pb.APPROVAL_STATUS_RUNNING,
    ApprovalStatus.COMPLETED: pb.APPROVAL_STATUS_COMPLETED,
    ApprovalStatus.FAILED: pb.APPROVAL_STATUS_FAILED,
    ApprovalStatus.DECLINED: pb.APPROVAL_STATUS_DECLINED,
    ApprovalStatus.EXPIRED: pb.APPROVAL_STATUS_EXPIRED,
}
_VERDICTS = {
    Verdict.DECIDED: pb.APPROVAL_VERDICT_DECIDED,
    Verdict.DECIDED_BEFORE: pb.APPROVAL_VERDICT_DECIDED_BEFORE,
    Verdict.CHANGED: pb.APPROVAL_VERDICT_CHANGED,
}


class ApprovalServicer(pb_grpc.ApprovalServiceServicer):
    def __init__(self, decisions: Decisions) -> None:
        self._decisions = decisions

    async def GetApproval(
        self, request: pb.GetApprovalRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> pb.GetApprovalResponse:
        visit = _visit(request.language)
        try:
            shown = await self._decisions.show(visit, _id(request.approval_id))
        except NoSuchApproval:
            return pb.GetApprovalResponse(refusal=pb.APPROVAL_REFUSAL_NOT_FOUND)
        except NotForYou:
            return pb.GetApprovalResponse(refusal=pb.APPROVAL_REFUSAL_NOT_FOR_YOU)
        return pb.GetApprovalResponse(approval=self._approval(shown, visit.language))

    async def DecideApproval(
        self, request: pb.DecideApprovalRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> pb.DecideApprovalResponse:
        visit = _visit(request.language)
        try:
            approval_id = _id(request.approval_id)
            match request.decision:
                case pb.APPROVAL_DECISION_APPROVE:
                    verdict, shown = await self._decisions.approve(visit, approval_id, request.seen_digest)
                case pb.APPROVAL_DECISION_DECLINE:
                    verdict, shown = await self._decisions.decline(visit, approval_id)
                case _:
                    raise MalformedRequest("decision is not set")
        except NoSuchApproval:
            return pb.DecideApprovalResponse(refusal=pb.APPROVAL_REFUSAL_NOT_FOUND)
        except NotForYou:
            return pb.DecideApprovalResponse(refusal=pb.APPROVAL_REFUSAL_NOT_FOR_YOU)
        return pb.DecideApprovalResponse(verdict=_VERDICTS[verdict], approval=self._approval(shown, visit.language))

    async def ListApprovals(
        self, request: pb.ListApprovalsRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> pb.ListApprovalsResponse:
        visit = _visit(request.language)
        now = self._decisions.now()
        member, listed = await self._decisions.inbox(visit)
        items = [_item(each, visit.language, now) for each in listed]
        return pb.ListApprovalsResponse(approvals=items, timezone=_timezone(member))

    def _approval(self, shown: Shown, language: Language) -> pb.Approval:
        approval, preview = shown.approval, shown.preview
        before = approval.preview.summary.in_(language)
        summary = preview.summary.in_(language)
        cents = preview.cost_ceiling_cents
        outcome = approval.outcome
        return pb.Approval(
            id=str(approval.id),
            status=_STATUSES[shown.status],
            tool=shown.tool_name,
            summary=harmless(summary),
            summary_before="" if preview.digest == approval.preview.digest else harmless(before),
            seen_digest=preview.digest,
            client_name=harmless(approval.client_name or ""),
            person_name=shown.member.name,
            organization_name=shown.member.organization_name,
            facts=[
                pb.ApprovalFact(label=each.label.in_(language), value=harmless(each.value.in_(language)))
                for each in preview.facts
            ],
            arguments_json=b"" if shown.arguments is None else _json(harmless_json(shown.arguments)),
            cost_ceiling="" if cents is None else format_brl(cents, language),
            destination=preview.destination or "",
            created_at=int(approval.created_at.timestamp()),
            expires_at=int(approval.expires_at.timestamp()),
            decided_at=_seconds(approval.decided_at),
            seconds_left=_seconds_left(approval, self._decisions.now()),
            problem_json=b"" if shown.problem is None else shown.problem.body,
            outcome_json=b"" if outcome is None else outcome.body or b"",
            outcome_status=0 if outcome is None else outcome.status,
            timezone=_timezone(shown.member),
        )


def _item(listed: Listed, language: Language, now: datetime) -> pb.ApprovalListItem:
    approval = listed.approval
    return pb.ApprovalListItem(
        id=str(approval.id),
        status=_STATUSES[approval.status_at(now)],
        summary=harmless(approval.preview.summary.in_(language)),
        client_name=harmless(approval.client_name or ""),
        organization_name=listed.organization_name,
        created_at=int(approval.created_at.timestamp()),
        decided_at=_seconds(approval.decided_at),
        seconds_left=_seconds_left(approval, now),
    )


def _timezone(member: Member) -> str:
    return member.timezone or member.organization_timezone


def _visit(language: str) -> Visit:
    asked = current_question()
    try:
        return Visit(asked.subject, asked.request_id, Language(language), asked.trace_id)
    except ValueError:
        raise MalformedRequest("no such language") from None


def _id(text: str) -> UUID:
    """Raises: NoSuchApproval, when it is the id of nothing."""
    try:
        return UUID(text)
    except ValueError:
        raise NoSuchApproval() from None


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _seconds(moment: datetime | None) -> int:
    return 0 if moment is None else int(moment.timestamp())


def _seconds_left(approval: Approval, now: datetime) -> int:
    if approval.status_at(now) is not ApprovalStatus.PENDING:
        return 0
    return int((approval.expires_at - now).total_seconds())
