"""Moving an execution, with the audit row that tells of it, in one transaction."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.domain.audit import ActorType, AuditEvent, AuditResult, Change
from tool_service.domain.caller import Channel
from tool_service.domain.executions import Execution, Status
from tool_service.execution.durable_engine import workflow_id
from tool_service.ports import Clock, Ids
from tool_service.repositories.audit import AuditLog
from tool_service.repositories.executions import ExecutionRepository


@dataclass(frozen=True, slots=True)
class Transitions:
    """What the system itself does to executions."""

    clock: Clock
    ids: Ids

    async def store(
        self, connection: AsyncConnection, organization_id: UUID, read: Execution, moved: Execution
    ) -> bool:
        """Store and audit the next state; False, and nothing done, when somebody else moved it first."""
        if not await ExecutionRepository(connection, organization_id).move(read, moved):
            return False
        event = AuditEvent(
            id=self.ids.new(),
            created_at=self.clock.now(),
            actor_type=ActorType.SYSTEM,
            channel=Channel.SYSTEM,
            action=f"executions_{moved.status.value}",
            result=AuditResult.ERROR if moved.status is Status.FAILED else AuditResult.OK,
            request_id=workflow_id(read.id),
            resource_type="executions",
            resource_id=str(read.id),
            code=moved.status_reason if moved.status is Status.FAILED else None,
            changes=(Change("status", read.status.value, moved.status.value),),
        )
        await AuditLog(connection, organization_id).append(event)
        return True


def started(execution: Execution, now: datetime) -> Execution:
    """A worker takes the execution up, for the first time or after another one was lost."""
    return _moved(
        execution,
        now,
        status=Status.RUNNING,
        status_reason=None,
        attempt=execution.attempt + 1,
        started_at=execution.started_at or now,
    )


def canceled(execution: Execution, now: datetime) -> Execution:
    """The stop that somebody asked for; their reason stays."""
    return _moved(execution, now, status=Status.CANCELED, finished_at=now, current_step=None)


def expired(execution: Execution, now: datetime, reason: str) -> Execution:
    return _moved(execution, now, status=Status.EXPIRED, status_reason=reason, finished_at=now)


def failed(execution: Execution, now: datetime, reason: str, message: str) -> Execution:
    """`message` is read by customers: it never holds an exception's text."""
    return _moved(
        execution,
        now,
        status=Status.FAILED,
        status_reason=reason,
        error=failure_error(reason, message, fatal=False),
        finished_at=now,
        current_step=None,
    )


def failure_error(reason: str, message: str, *, fatal: bool) -> dict[str, Any]:
    """The `error` of a failed execution."""
    return {"code": reason, "message": message, "fatal": fatal}


def ended(execution: Execution, now: datetime, status: Status, **result: Any) -> Execution:
    """The turn is over with what it brought."""
    return _moved(execution, now, status=status, finished_at=now, current_step=None, **result)


def _moved(execution: Execution, now: datetime, **changes: Any) -> Execution:
    return replace(execution, **changes, version=execution.version + 1, updated_at=now)
