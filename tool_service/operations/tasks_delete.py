"""Delete a task."""

from dataclasses import replace

from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.errors import Conflict, NotFound
from tool_service.domain.facts import task_facts
from tool_service.domain.language import Localized
from tool_service.domain.previews import Preview
from tool_service.domain.schema import NoContent
from tool_service.domain.task_views import TaskIdArguments
from tool_service.registry import Route, operation


async def _preview(context: Context, arguments: TaskIdArguments) -> Preview:
    try:
        task = await context.tasks.get(arguments.id, context.caller)
    except NotFound:
        task = await context.tasks.get_deleted(arguments.id)
        if task is None:
            raise
    return Preview(
        Localized(
            pt=f"Excluir a tarefa «{task.name}». Execuções na fila são canceladas; o histórico fica.",
            en=f"Delete the task «{task.name}». Queued executions are canceled; the history stays.",
        ),
        facts=task_facts(task),
    )


@operation(
    title="Delete a task",
    scope="kadu.tasks.write",
    role=Role.MANAGER,
    route=Route("DELETE", "/tasks/{id}"),
    destructive=True,
    preview=_preview,
)
async def tasks_delete(context: Context, arguments: TaskIdArguments) -> NoContent:
    """Delete a task: it leaves the lists, its queued executions are canceled, its history stays. Refused while an
    execution of it is running. Deleting it twice is fine. The person will be asked to confirm."""
    try:
        task = await context.tasks.get(arguments.id, context.caller)
    except NotFound:
        if await context.tasks.get_deleted(arguments.id) is None:
            raise
        return NoContent()
    if await context.executions.task_has_running(task.id):
        raise Conflict("task_has_running_executions", param="id")
    now = context.clock.now()
    await context.executions.cancel_queued_of_task(task.id, now)
    deleted = replace(task, deleted_at=now, updated_at=now, version=task.version + 1)
    if not await context.tasks.replace(deleted, expected_version=task.version):
        raise Conflict("version_conflict", param="id")
    return NoContent()
