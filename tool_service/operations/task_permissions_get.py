"""Read who may trigger a task."""

from tool_service.completions.tasks import visible_tasks
from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.language import Localized
from tool_service.domain.schema import Success
from tool_service.domain.task_permission_views import TaskPermissionsView, task_permissions_view
from tool_service.domain.task_views import TaskIdArguments
from tool_service.registry import Resource, Route, operation


@operation(
    title="Get the permissions of a task",
    scope="kadu.task_permissions.read",
    role=Role.OPERATOR,
    route=Route("GET", "/tasks/{id}/permissions"),
    read_only=True,
    resource=Resource(
        "kobana://kadu/tasks/{id}/permissions",
        name="task_permissions",
        title=Localized(pt="As permissões de uma tarefa", en="The permissions of a task"),
        description=Localized(
            pt="Quem pode disparar a tarefa e quem a vê: modo, visibilidade e lista.",
            en="Who may trigger the task and who sees it: mode, visibility and grants.",
        ),
        suggest={"id": visible_tasks},
    ),
)
async def task_permissions_get(context: Context, arguments: TaskIdArguments) -> Success[TaskPermissionsView]:
    """Read who may trigger a task and who sees it: the mode (managers, operators, or restricted to grants), the
    visibility (organization or restricted), the grants, and the version to pass to kadu_task_permissions_update."""
    return Success(task_permissions_view(await context.tasks.get(arguments.id, context.caller)))
