"""What the audit says of a call: who, through what, did what to which object, and how it ended."""

from tool_service.context import Environment
from tool_service.dispatcher.invocation import Invocation
from tool_service.dispatcher.repeats import call_digest
from tool_service.domain.audit import ActorType, AuditEvent, AuditResult, Change
from tool_service.domain.caller import Caller
from tool_service.domain.schema import Arguments


def audit_event(
    environment: Environment,
    invocation: Invocation,
    caller: Caller,
    result: AuditResult,
    code: str | None = None,
    changes: tuple[Change, ...] = (),
    arguments: Arguments | None = None,
) -> AuditEvent:
    """An event without secrets, bodies or agent text; of a confirmed call, the receipt of its confirmation."""
    identity = caller.identity
    named = invocation.arguments.get("id")
    return AuditEvent(
        id=environment.ids.new(),
        created_at=environment.clock.now(),
        actor_type=ActorType.PERSON,
        actor_id=caller.member_id,
        actor_name=caller.name,
        actor_role=caller.role,
        channel=identity.channel,
        client_name=identity.client_name,
        token_id=identity.token_id,
        action=invocation.operation.name,
        resource_type=invocation.operation.name.partition("_")[0],
        resource_id=named[:100] if isinstance(named, str) else None,
        result=result,
        code=code,
        confirmation_id=invocation.confirmation_id,
        door=invocation.door if invocation.is_confirmed else None,
        call_digest=None if arguments is None else call_digest(invocation.operation, arguments),
        idempotency_key=next(iter(invocation.repeat_keys), None),
        trace_id=invocation.trace_id,
        request_id=invocation.request_id,
        changes=changes,
    )
