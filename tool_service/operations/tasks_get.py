"""Read one task."""

from tool_service.completions.tasks import visible_tasks
from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.language import Localized
from tool_service.domain.schema import Success
from tool_service.domain.task_views import TaskIdArguments, TaskView, task_view
from tool_service.registry import Resource, Route, operation


@operation(
    title="Get a task",
    scope="kadu.tasks.read",
    role=Role.VIEWER,
    route=Route("GET", "/tasks/{id}"),
    read_only=True,
    resource=Resource(
        "kobana://kadu/tasks/{id}",
        name="task",
        title=Localized(pt="Uma tarefa", en="A task"),
        description=Localized(
            pt="O que a tarefa faz, o schema dos parâmetros, o teto de custo e a última execução; por id ou slug.",
            en="What the task does, the schema of its params, its cost ceiling and its last execution; by id or slug.",
        ),
        suggest={"id": visible_tasks},
    ),
)
async def tasks_get(context: Context, arguments: TaskIdArguments) -> Success[TaskView]:
    """Read one task by id or slug: what it does, the JSON Schema of its params, its cost ceiling, whether you may
    trigger it, and its last execution. Instructions are shown to managers and owners only. To run it, call
    kadu_tasks_run with params that fit input_schema, or with a message where there is none."""
    task = await context.tasks.get(arguments.id, context.caller)
    last = await context.executions.last_of_tasks([task.id])
    return Success(task_view(task, context.caller, last.get(task.id)), headers={"ETag": f'"{task.version}"'})
