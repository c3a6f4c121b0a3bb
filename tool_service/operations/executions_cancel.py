"""Cancel an execution."""

from dataclasses import replace
from datetime import datetime
from typing import Annotated

from pydantic import MISSING, Field

from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.errors import Conflict, PermissionDenied
from tool_service.domain.execution_views import (
    EXECUTION_PATH,
    ExecutionIdArguments,
    ExecutionView,
    execution_view,
)
from tool_service.domain.executions import USER_REQUEST, Execution, Status
from tool_service.domain.facts import execution_facts
from tool_service.domain.identifiers import existing_id
from tool_service.domain.language import Localized
from tool_service.domain.previews import Preview
from tool_service.domain.schema import Success
from tool_service.domain.third_party_text import harmless_line
from tool_service.registry import Route, operation

_REASON_LENGTH = 500
# Each lost race means that the execution moved on; it has fewer states than this.
_TRIES = 5


class ExecutionsCancelArguments(ExecutionIdArguments):
    reason: (
        Annotated[str, Field(max_length=_REASON_LENGTH, description="Why, for the people who read the history.")]
        | MISSING
    ) = MISSING


async def _preview(context: Context, arguments: ExecutionsCancelArguments) -> Preview:
    execution = await context.executions.get(existing_id(arguments.id), context.caller)
    name = execution.task.name
    return Preview(
        Localized(
            pt=f"Cancelar a execução {execution.id} da tarefa «{name}». O que ela já gastou continua cobrado.",
            en=f"Cancel the execution {execution.id} of the task «{name}». What it has spent stays charged.",
        ),
        facts=execution_facts(execution),
    )


@operation(
    title="Cancel an execution",
    scope="kadu.executions.cancel",
    role=Role.OPERATOR,
    route=Route("PUT", "/executions/{id}/cancel"),
    destructive=True,
    success_statuses=(200, 202),
    preview=_preview,
)
async def executions_cancel(context: Context, arguments: ExecutionsCancelArguments) -> Success[ExecutionView]:
    """Cancel an execution: yours, or anybody's if you are a manager. A queued one is canceled at once; a running one
    becomes "canceling" and stops within 30 seconds: poll kadu_executions_get. It may still finish first. What it has
    spent stays charged. Canceling twice is fine; one that is over cannot be canceled. The person will be asked to
    confirm."""
    execution_id = existing_id(arguments.id)
    for _ in range(_TRIES):
        execution = await context.executions.get(execution_id, context.caller)
        mine = execution.requested_by.id == context.caller.member_id
        if not mine and not context.caller.role.includes(Role.MANAGER):
            raise PermissionDenied("forbidden", param="id")
        if execution.status in {Status.CANCELED, Status.CANCELING}:
            return await _answer(context, execution)
        if execution.status.terminal:
            raise Conflict("execution_already_finished", param="id")
        reason = None if arguments.reason is MISSING else harmless_line(arguments.reason, _REASON_LENGTH) or None
        canceled = _canceled(execution, reason, context.clock.now())
        if await context.executions.move(execution, canceled):
            return await _answer(context, canceled)
    raise Conflict("version_conflict", param="id")


def _canceled(execution: Execution, reason: str | None, now: datetime) -> Execution:
    moved = replace(
        execution,
        status_reason=USER_REQUEST,
        cancel_reason=reason,
        version=execution.version + 1,
        updated_at=now,
    )
    if execution.status is Status.QUEUED:
        return replace(moved, status=Status.CANCELED, finished_at=now)
    return replace(moved, status=Status.CANCELING, canceling_at=now)


async def _answer(context: Context, execution: Execution) -> Success[ExecutionView]:
    outputs = await context.executions.outputs(execution.id)
    view = execution_view(execution, outputs, context.clock.now())
    if execution.status is Status.CANCELING:
        return Success(view, status=202, headers={"Location": EXECUTION_PATH.format(id=execution.id)})
    return Success(view)
