"""What the audit says of decisions at the link: who asked through what, who decided what, and who was turned away."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.domain.approvals import Approval, ApprovalStatus, ended
from tool_service.domain.audit import ActorType, AuditEvent, AuditResult, Change, Door
from tool_service.domain.caller import Channel
from tool_service.domain.organizations import Member
from tool_service.ports import Ids
from tool_service.repositories.approvals import ApprovalRepository
from tool_service.repositories.audit import AuditLog


def approved(
    approval: Approval, member: Member, event_id: UUID, now: datetime, request_id: str, trace_id: str | None
) -> AuditEvent:
    return _decided(approval, member, "approval_approved", AuditResult.OK, event_id, now, request_id, trace_id)


def declined(
    approval: Approval, member: Member, event_id: UUID, now: datetime, request_id: str, trace_id: str | None
) -> AuditEvent:
    return _decided(approval, member, "approval_declined", AuditResult.DENIED, event_id, now, request_id, trace_id)


def refused_to(
    visitor: Member, approval: Approval, event_id: UUID, now: datetime, request_id: str, trace_id: str | None
) -> AuditEvent:
    """Somebody else opened the link. A member of another organization is not named in this one's audit."""
    is_ours = visitor.organization_id == approval.organization_id
    return AuditEvent(
        id=event_id,
        created_at=now,
        actor_type=ActorType.PERSON,
        actor_id=visitor.id if is_ours else None,
        actor_name=visitor.name if is_ours else None,
        actor_role=visitor.role if is_ours else None,
        channel=Channel.APP,
        action="approval_refused",
        resource_type="approval",
        resource_id=str(approval.id),
        result=AuditResult.DENIED,
        code="forbidden",
        confirmation_id=str(approval.id),
        request_id=request_id,
        trace_id=trace_id,
    )


async def expire(connection: AsyncConnection, approval: Approval, ids: Ids, now: datetime) -> None:
    """Put on record that nobody decided in time, unless somebody just did."""
    moved = ended(approval, ApprovalStatus.EXPIRED, now)
    if not await ApprovalRepository(connection, approval.organization_id).move(approval, moved):
        return
    event = AuditEvent(
        id=ids.new(),
        created_at=now,
        actor_type=ActorType.SYSTEM,
        channel=Channel.SYSTEM,
        client_name=approval.client_name,
        action="approval_expired",
        resource_type="approval",
        resource_id=str(approval.id),
        result=AuditResult.DENIED,
        confirmation_id=str(approval.id),
        call_digest=approval.fingerprint,
        request_id=approval.request_id,
        trace_id=approval.trace_id,
    )
    await AuditLog(connection, approval.organization_id).append(event)


def _decided(
    approval: Approval,
    member: Member,
    action: str,
    result: AuditResult,
    event_id: UUID,
    now: datetime,
    request_id: str,
    trace_id: str | None,
) -> AuditEvent:
    return AuditEvent(
        id=event_id,
        created_at=now,
        actor_type=ActorType.PERSON,
        actor_id=member.id,
        actor_name=member.name,
        actor_role=member.role,
        channel=Channel.APP,
        client_name=approval.client_name,
        token_id=approval.token_id,
        action=action,
        resource_type="approval",
        resource_id=str(approval.id),
        result=result,
        code="confirmation_declined" if result is AuditResult.DENIED else None,
        confirmation_id=str(approval.id),
        door=Door.PAGE,
        call_digest=approval.fingerprint,
        idempotency_key=f"confirmation:{approval.id}",
        request_id=request_id,
        trace_id=trace_id,
        changes=(
            Change("status", "pending", approval.status.value),
            Change("operation", None, approval.operation),
            Change("asked_in_request", None, approval.request_id),
        ),
    )
