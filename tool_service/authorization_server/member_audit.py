"""What the audit says of members: bound to a subject of the company's own issuer, or changed by an operator."""

from datetime import datetime
from uuid import UUID

from tool_service.domain.audit import ActorType, AuditEvent, AuditResult, Change
from tool_service.domain.caller import Channel
from tool_service.domain.organizations import Member


def member_bound(
    member: Member, issuer: str, status: str, event_id: UUID, now: datetime, request_id: str
) -> AuditEvent:
    return AuditEvent(
        id=event_id,
        created_at=now,
        actor_type=ActorType.PERSON,
        actor_id=member.id,
        actor_name=member.name,
        actor_role=member.role,
        channel=Channel.APP,
        action="member_bound",
        resource_type="member",
        resource_id=str(member.id),
        result=AuditResult.OK,
        request_id=request_id,
        changes=(Change("issuer", None, issuer), Change("status", status, "active")),
    )


def done_by_operator(
    action: str,
    resource_type: str,
    resource_id: UUID,
    changes: tuple[Change, ...],
    event_id: UUID,
    now: datetime,
    request_id: str,
    client_name: str | None = None,
) -> AuditEvent:
    """By a command at the machine itself, so no member is its actor."""
    return AuditEvent(
        id=event_id,
        created_at=now,
        actor_type=ActorType.SYSTEM,
        channel=Channel.SYSTEM,
        client_name=client_name,
        action=action,
        resource_type=resource_type,
        resource_id=str(resource_id),
        result=AuditResult.OK,
        request_id=request_id,
        changes=changes,
    )
