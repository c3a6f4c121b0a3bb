"""Create a task."""

from dataclasses import replace

from pydantic import MISSING

from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.errors import Conflict
from tool_service.domain.schema import Arguments, Success
from tool_service.domain.task_views import (
    CustomData,
    Description,
    Enabled,
    ExternalId,
    InputSchema,
    Instructions,
    MaxCost,
    Name,
    Slug,
    Tags,
    TaskView,
    Timeout,
    task_view,
)
from tool_service.domain.tasks import (
    DEFAULT_MAX_COST_CENTS,
    DEFAULT_TIMEOUT_SECONDS,
    PermissionMode,
    Task,
    Visibility,
    checked_custom_data,
    checked_input_schema,
    slug_of,
)
from tool_service.registry import Route, operation


class TasksCreateArguments(Arguments):
    name: Name
    instructions: Instructions
    slug: Slug | MISSING = MISSING
    description: Description = ""
    input_schema: InputSchema | MISSING = MISSING
    default_max_cost_cents: MaxCost = DEFAULT_MAX_COST_CENTS
    timeout_seconds: Timeout = DEFAULT_TIMEOUT_SECONDS
    enabled: Enabled = True
    external_id: ExternalId | MISSING = MISSING
    tags: Tags | MISSING = MISSING
    custom_data: CustomData | MISSING = MISSING


@operation(
    title="Create a task",
    scope="kadu.tasks.write",
    role=Role.MANAGER,
    route=Route("POST", "/tasks"),
    success_statuses=(200, 201),
)
async def tasks_create(context: Context, arguments: TasksCreateArguments) -> Success[TaskView]:
    """Create a task that Kadu can run later. Only managers and owners may trigger it until somebody changes its
    permissions. Nothing runs now. Creating the same task again answers the existing one; another task with the same
    slug is an error. Next: kadu_tasks_run."""
    wanted = _task(context, arguments)
    existing = await context.tasks.find_by_slug(wanted.slug)
    if existing is None:
        await context.tasks.add(wanted)
        headers = {"ETag": f'"{wanted.version}"', "Location": f"/api/v1/tasks/{wanted.id}"}
        return Success(task_view(wanted, context.caller, None), status=201, headers=headers)
    if not _says_the_same(existing, wanted):
        raise Conflict("slug_taken", param="slug")
    last = await context.executions.last_of_tasks([existing.id])
    headers = {"ETag": f'"{existing.version}"'}
    return Success(task_view(existing, context.caller, last.get(existing.id)), headers=headers)


def _task(context: Context, arguments: TasksCreateArguments) -> Task:
    now = context.clock.now()
    return Task(
        id=context.ids.new(),
        slug=slug_of(arguments.name) if arguments.slug is MISSING else arguments.slug,
        name=arguments.name,
        description=arguments.description,
        instructions=arguments.instructions,
        input_schema=None if arguments.input_schema is MISSING else checked_input_schema(arguments.input_schema),
        default_max_cost_cents=arguments.default_max_cost_cents,
        timeout_seconds=arguments.timeout_seconds,
        enabled=arguments.enabled,
        permission_mode=PermissionMode.MANAGERS,
        visibility=Visibility.ORGANIZATION,
        version=1,
        created_by=context.caller.member_id,
        external_id=None if arguments.external_id is MISSING else arguments.external_id or None,
        tags=() if arguments.tags is MISSING else tuple(dict.fromkeys(arguments.tags)),
        custom_data=None if arguments.custom_data is MISSING else checked_custom_data(arguments.custom_data),
        deleted_at=None,
        created_at=now,
        updated_at=now,
    )


def _says_the_same(existing: Task, wanted: Task) -> bool:
    """Everything that the arguments of this operation can say is equal; who made it and when does not count."""
    comparable = replace(
        existing,
        id=wanted.id,
        permission_mode=wanted.permission_mode,
        visibility=wanted.visibility,
        grants=wanted.grants,
        permissions_version=wanted.permissions_version,
        version=wanted.version,
        created_by=wanted.created_by,
        created_at=wanted.created_at,
        updated_at=wanted.updated_at,
    )
    return comparable == wanted
