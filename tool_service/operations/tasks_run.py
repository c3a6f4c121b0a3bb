"""Queue one run of a task."""

from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

from pydantic import MISSING, Field

from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.errors import Conflict, InvalidArguments, PermissionDenied
from tool_service.domain.execution_views import EXECUTION_PATH, ExecutionView, execution_view
from tool_service.domain.executions import PER_EXECUTION_CAP_CENTS, Execution, MemberReference, Status, TaskReference
from tool_service.domain.facts import money, task_facts
from tool_service.domain.files import FileStatus, may_see
from tool_service.domain.identifiers import IdText
from tool_service.domain.language import Localized
from tool_service.domain.previews import Preview
from tool_service.domain.schema import Success
from tool_service.domain.task_inputs import check_inputs, cost_ceiling
from tool_service.domain.task_views import CustomData, ExternalId, Tags, TaskIdArguments
from tool_service.domain.tasks import Task, checked_custom_data, may_trigger
from tool_service.domain.third_party_text import harmless
from tool_service.registry import Route, operation

# More than that has an error code of its own, so the schema tells the limit and the domain checks it.
_CEILING_HINT = {"maximum": PER_EXECUTION_CAP_CENTS}


class TasksRunArguments(TaskIdArguments):
    message: (
        Annotated[
            str,
            Field(
                min_length=1,
                max_length=10_000,
                description="What to do, in plain words; required when the task has no input_schema.",
            ),
        ]
        | MISSING
    ) = MISSING
    params: (
        Annotated[
            dict[str, Any],
            Field(description="Parameters that fit the task's input_schema, an object of at most 32 KB."),
        ]
        | MISSING
    ) = MISSING
    input_file_ids: (
        Annotated[
            list[IdText],
            Field(
                max_length=20,
                description="Ids of at most 20 files that are ready, each once.",
                json_schema_extra={"uniqueItems": True},
            ),
        ]
        | MISSING
    ) = MISSING
    max_cost_cents: (
        Annotated[
            int,
            Field(
                ge=1,
                description=f"Ceiling of this run in cents of BRL, at most {PER_EXECUTION_CAP_CENTS};"
                " the task's own if left out.",
                json_schema_extra=_CEILING_HINT,
            ),
        ]
        | MISSING
    ) = MISSING
    external_id: ExternalId | MISSING = MISSING
    tags: Tags | MISSING = MISSING
    custom_data: CustomData | MISSING = MISSING


async def _preview(context: Context, arguments: TasksRunArguments) -> Preview:
    task = await context.tasks.get(arguments.id, context.caller)
    cents = cost_ceiling(task, None if arguments.max_cost_cents is MISSING else arguments.max_cost_cents)
    ceiling = money(cents)
    return Preview(
        Localized(
            pt=f"Rodar a tarefa «{task.name}» (até {ceiling.pt})", en=f"Run the task «{task.name}» (up to {ceiling.en})"
        ),
        facts=task_facts(task),
        cost_ceiling_cents=cents,
    )


@operation(
    title="Run a task",
    scope="kadu.tasks.run",
    role=Role.OPERATOR,
    route=Route("POST", "/tasks/{id}/run"),
    destructive=True,
    idempotent=False,
    success_statuses=(202,),
    preview=_preview,
)
async def tasks_run(context: Context, arguments: TasksRunArguments) -> Success[ExecutionView]:
    """Queue one run of a Kadu task and return at once with the new execution (status "queued"). It does not wait:
    poll kadu_executions_get, waiting next_poll_seconds between calls. Costs money up to max_cost_cents. Every call is
    one more run; pass idempotency_key to make a retry safe. Files: upload with kadu_files_create and
    kadu_files_confirm first, then pass input_file_ids. The person will be asked to confirm."""
    caller = context.caller
    task = await context.tasks.get(arguments.id, caller)
    if not may_trigger(caller, task):
        raise PermissionDenied("task_trigger_not_allowed", param="id")
    message = None if arguments.message is MISSING else harmless(arguments.message).strip()
    params = {} if arguments.params is MISSING else arguments.params
    check_inputs(task, message, params)
    if not task.enabled:
        raise Conflict("task_disabled", param="id")
    file_ids = await _usable_files(context, [] if arguments.input_file_ids is MISSING else arguments.input_file_ids)
    ceiling = cost_ceiling(task, None if arguments.max_cost_cents is MISSING else arguments.max_cost_cents)
    execution = _queued(context, arguments, task, message or None, params, file_ids, ceiling)
    await context.executions.add(execution)
    await context.environment.turn_queue.enqueue(context.connection, caller.organization_id, execution.id)
    return Success(
        execution_view(execution, (), execution.created_at),
        status=202,
        headers={"Location": EXECUTION_PATH.format(id=execution.id)},
    )


async def _usable_files(context: Context, texts: Sequence[str]) -> tuple[UUID, ...]:
    """The files of the run.

    Raises:
        InvalidArguments: one is named twice, does not exist, or is not visible to the caller.
        Conflict: one is not ready.
    """
    ids: list[UUID] = []
    for index, text in enumerate(texts):
        try:
            file_id = UUID(text)
        except ValueError:
            raise InvalidArguments("unknown_file", param=f"input_file_ids[{index}]") from None
        if file_id in ids:
            detail = Localized(pt="O arquivo está repetido na lista.", en="The file is in the list twice.")
            raise InvalidArguments("validation_error", detail, param=f"input_file_ids[{index}]")
        ids.append(file_id)
    known = await context.files.get_many(ids)
    for index, file_id in enumerate(ids):
        file = known.get(file_id)
        if file is None or not may_see(file, context.caller):
            raise InvalidArguments("unknown_file", param=f"input_file_ids[{index}]")
        if file.status is not FileStatus.READY:
            raise Conflict("file_not_ready", param=f"input_file_ids[{index}]")
    return tuple(ids)


def _queued(
    context: Context,
    arguments: TasksRunArguments,
    task: Task,
    message: str | None,
    params: dict[str, Any],
    file_ids: tuple[UUID, ...],
    ceiling: int,
) -> Execution:
    now = context.clock.now()
    return Execution(
        id=context.ids.new(),
        task=TaskReference(task.id, task.slug, task.name, task.visibility, deleted=False),
        thread_id=context.ids.new(),
        parent_execution_id=None,
        turn=1,
        status=Status.QUEUED,
        status_reason=None,
        trigger=context.caller.identity.channel.value,
        requested_by=MemberReference(context.caller.member_id, context.caller.name),
        client_name=context.caller.identity.client_name,
        message=message,
        params=params,
        input_file_ids=file_ids,
        output_text=None,
        output_data=None,
        pending_action=None,
        error=None,
        attempt=0,
        steps=0,
        current_step=None,
        cost_cents=0,
        max_cost_cents=ceiling,
        input_tokens=0,
        output_tokens=0,
        external_id=None if arguments.external_id is MISSING else arguments.external_id or None,
        tags=() if arguments.tags is MISSING else tuple(dict.fromkeys(arguments.tags)),
        custom_data=None if arguments.custom_data is MISSING else checked_custom_data(arguments.custom_data),
        cancel_reason=None,
        version=1,
        queued_at=now,
        started_at=None,
        canceling_at=None,
        finished_at=None,
        created_at=now,
        updated_at=now,
    )
