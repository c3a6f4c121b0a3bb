"""What the audit says of grants: who let which client act for them, and who or what ended it."""

from datetime import datetime
from uuid import UUID

from tool_service.authorization_server.provider import Revoked
from tool_service.authorization_server.records import Grant
from tool_service.domain.audit import ActorType, AuditEvent, AuditResult, Change
from tool_service.domain.caller import Channel
from tool_service.domain.organizations import Member

OPERATOR_REVOKED = "revoked_by_operator"
# Reasons that are no wish of the person's: a defence, or an operator's command.
_NOT_BY_PERSON = frozenset({"code_used_twice", "refresh_token_reused", OPERATOR_REVOKED})


def grant_created(grant: Grant, member: Member, event_id: UUID, now: datetime, request_id: str) -> AuditEvent:
    return AuditEvent(
        id=event_id,
        created_at=now,
        actor_type=ActorType.PERSON,
        actor_id=member.id,
        actor_name=member.name,
        actor_role=member.role,
        channel=Channel.APP,
        client_name=grant.client_name,
        action="oauth_grant_created",
        resource_type="oauth_grant",
        resource_id=str(grant.id),
        result=AuditResult.OK,
        request_id=request_id,
        changes=(Change("scopes", None, sorted(grant.scopes)),),
    )


def grant_revoked(
    revoked: Revoked, member: Member | None, event_id: UUID, now: datetime, request_id: str
) -> AuditEvent:
    by_person = revoked.reason not in _NOT_BY_PERSON and member is not None
    return AuditEvent(
        id=event_id,
        created_at=now,
        actor_type=ActorType.PERSON if by_person else ActorType.SYSTEM,
        actor_id=member.id if member is not None and by_person else None,
        actor_name=member.name if member is not None and by_person else None,
        actor_role=member.role if member is not None and by_person else None,
        channel=Channel.APP if by_person else Channel.SYSTEM,
        client_name=revoked.grant.client_name,
        action="oauth_grant_revoked",
        resource_type="oauth_grant",
        resource_id=str(revoked.grant.id),
        result=AuditResult.OK,
        request_id=request_id,
        changes=(Change("revoked_reason", None, revoked.reason),),
    )
