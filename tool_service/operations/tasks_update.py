"""Change a task."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import MISSING, Field

from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.errors import Conflict
from tool_service.domain.schema import Success
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
    TaskIdArguments,
    TaskView,
    Timeout,
    task_view,
)
from tool_service.domain.tasks import checked_custom_data, checked_input_schema
from tool_service.registry import Route, operation


class TasksUpdateArguments(TaskIdArguments):
    name: Name | MISSING = MISSING
    slug: Slug | MISSING = MISSING
    description: Description | MISSING = MISSING
    instructions: Instructions | MISSING = MISSING
    input_schema: InputSchema | MISSING = MISSING
    default_max_cost_cents: MaxCost | MISSING = MISSING
    timeout_seconds: Timeout | MISSING = MISSING
    enabled: Enabled | MISSING = MISSING
    external_id: ExternalId | MISSING = MISSING
    tags: Tags | MISSING = MISSING
    custom_data: CustomData | MISSING = MISSING
    version: (
        Annotated[int, Field(ge=1, le=2**31 - 1, description="The version that you read; another one now is an error.")]
        | MISSING
    ) = MISSING


@operation(
    title="Change a task",
    scope="kadu.tasks.write",
    role=Role.MANAGER,
    route=Route("PATCH", "/tasks/{id}"),
)
async def tasks_update(context: Context, arguments: TasksUpdateArguments) -> Success[TaskView]:
    """Change the named fields of a task and leave the others as they are. Who may trigger it and where data goes are
    not changed here. Pass the version that you read, so that a change made in between is not lost; on
    version_conflict read the task again."""
    task = await context.tasks.get(arguments.id, context.caller)
    if arguments.version is not MISSING and arguments.version != task.version:
        raise Conflict("version_conflict", param="version")
    changed = replace(task, **_changes(arguments))
    if changed.slug != task.slug and await context.tasks.find_by_slug(changed.slug) is not None:
        raise Conflict("slug_taken", param="slug")
    if changed != task:
        changed = replace(changed, version=task.version + 1, updated_at=context.clock.now())
        if not await context.tasks.replace(changed, expected_version=task.version):
            raise Conflict("version_conflict", param="version")
    last = await context.executions.last_of_tasks([task.id])
    headers = {"ETag": f'"{changed.version}"'}
    return Success(task_view(changed, context.caller, last.get(task.id)), headers=headers)


def _changes(arguments: TasksUpdateArguments) -> Mapping[str, Any]:
    """The given fields as they are stored; an empty external_id, schema or custom_data clears it."""
    given = {
        name: value
        for name in arguments.model_fields_set - {"id", "version"}
        if (value := getattr(arguments, name)) is not MISSING
    }
    stored_as = {
        "input_schema": checked_input_schema,
        "custom_data": checked_custom_data,
        "external_id": lambda text: text or None,
        "tags": lambda tags: tuple(dict.fromkeys(tags)),
    }
    return {name: stored_as[name](value) if name in stored_as else value for name, value in given.items()}
