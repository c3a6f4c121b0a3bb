"""List tasks."""

from typing import Annotated

from pydantic import MISSING, Field

from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.language import Localized
from tool_service.domain.paging import Key
from tool_service.domain.period import CreatedRangeArguments
from tool_service.domain.schema import Page
from tool_service.domain.task_views import TaskListItem, task_list_item
from tool_service.domain.text_lists import comma_list
from tool_service.registry import Resource, Route, operation
from tool_service.repositories.tasks import TaskFilter


class TasksListArguments(CreatedRangeArguments):
    q: (
        Annotated[str, Field(min_length=1, max_length=100, description="Text in the name, slug or description.")]
        | MISSING
    ) = MISSING
    enabled: Annotated[bool, Field(description="Only enabled, or only disabled ones.")] | MISSING = MISSING
    runnable: Annotated[bool, Field(description="Only those that you may trigger, or only the others.")] | MISSING = (
        MISSING
    )
    tags: (
        Annotated[str, Field(min_length=1, max_length=520, description="Comma list; only tasks that have all of them.")]
        | MISSING
    ) = MISSING


@operation(
    title="List tasks",
    scope="kadu.tasks.read",
    role=Role.VIEWER,
    route=Route("GET", "/tasks"),
    read_only=True,
    resource=Resource(
        "kobana://kadu/tasks",
        name="runnable-tasks",
        title=Localized(pt="Tarefas que posso rodar", en="Tasks that I may run"),
        description=Localized(
            pt="As 100 tarefas mais novas que você pode disparar; kadu_tasks_list dá as demais.",
            en="The 100 newest tasks that you may trigger; kadu_tasks_list gives the others.",
        ),
        arguments={"runnable": True, "limit": 100},
    ),
)
async def tasks_list(context: Context, arguments: TasksListArguments) -> Page[TaskListItem]:
    """List the tasks of the organization that you may see, newest first. Items are compact: call kadu_tasks_get for
    the input schema and the rest. Pass meta.next_cursor back as cursor until it is null."""
    created_from, created_until = arguments.created_between()
    wanted = TaskFilter(
        text=None if arguments.q is MISSING else arguments.q,
        enabled=None if arguments.enabled is MISSING else arguments.enabled,
        runnable=None if arguments.runnable is MISSING else arguments.runnable,
        tags=() if arguments.tags is MISSING else comma_list(arguments.tags),
        created_from=created_from,
        created_until=created_until,
    )
    cursors, organization_id = context.environment.cursors, context.caller.organization_id
    after = cursors.after(arguments, "tasks", organization_id)
    rows = await context.tasks.page(wanted, context.caller, after, arguments.limit)
    page, next_cursor = cursors.before_next(
        rows, lambda task: Key(task.created_at, task.id), arguments, "tasks", organization_id
    )
    last = await context.executions.last_of_tasks([task.id for task in page])
    items = [task_list_item(task, context.caller, last.get(task.id)) for task in page]
    return Page(items, next_cursor, arguments.limit)
