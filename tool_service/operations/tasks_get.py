"""Read one task."""

from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.schema import Success
from tool_service.domain.task_views import TaskIdArguments, TaskView, task_view
from tool_service.registry import Route, operation


@operation(
    title="Get a task",
    scope="kadu.tasks.read",
    role=Role.VIEWER,
    route=Route("GET", "/tasks/{id}"),
    read_only=True,
)
async def tasks_get(context: Context, arguments: TaskIdArguments) -> Success[TaskView]:
    """Read one task by id or slug: what it does, the JSON Schema of its params, its cost ceiling, whether you may
    trigger it, and its last execution. Instructions are shown to managers and owners only. To run it, call
    kadu_tasks_run with params that fit input_schema, or with a message where there is none."""
    task = await context.tasks.get(arguments.id, context.caller.role)
    last = await context.executions.last_of_tasks([task.id])
    return Success(task_view(task, context.caller, last.get(task.id)), headers={"ETag": f'"{task.version}"'})
