"""What a task looks like from outside."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import MISSING, Field

from tool_service.domain.caller import Caller, Role
from tool_service.domain.schema import Arguments, Timestamp, View
from tool_service.domain.tasks import (
    DEFAULT_MAX_COST_CENTS,
    DEFAULT_TIMEOUT_SECONDS,
    SLUG_LENGTH,
    SLUG_PATTERN,
    Task,
    may_trigger,
)


class TaskIdArguments(Arguments):
    id: Annotated[str, Field(min_length=1, max_length=64, description="Id or slug of the task.")]


class LastExecution(View):
    """The youngest execution of the task."""

    id: UUID
    status: str
    finished_at: Timestamp | None


class TaskListItem(View):
    """A task in a list: everything but its instructions, its schema and its caller's data."""

    id: UUID
    slug: str
    name: str
    description: str
    enabled: bool
    runnable: Annotated[bool, Field(description="The caller may trigger it.")]
    default_max_cost_cents: int
    timeout_seconds: int
    permission_mode: str
    visibility: str
    version: int
    last_execution: LastExecution | None
    external_id: str | None
    tags: list[str]
    created_at: Timestamp
    updated_at: Timestamp


class TaskView(TaskListItem):
    """A whole task; `instructions` is there for managers and owners only."""

    instructions: str | MISSING = MISSING
    input_schema: dict[str, Any] | None
    created_by: UUID
    custom_data: dict[str, Any] | None


def task_list_item(task: Task, caller: Caller, last: LastExecution | None) -> TaskListItem:
    return TaskListItem(**_shared(task, caller, last))


def task_view(task: Task, caller: Caller, last: LastExecution | None) -> TaskView:
    return TaskView(
        **_shared(task, caller, last),
        instructions=task.instructions if caller.role.includes(Role.MANAGER) else MISSING,
        input_schema=None if task.input_schema is None else dict(task.input_schema),
        created_by=task.created_by,
        custom_data=None if task.custom_data is None else dict(task.custom_data),
    )


def _shared(task: Task, caller: Caller, last: LastExecution | None) -> dict[str, Any]:
    return {
        "id": task.id,
        "slug": task.slug,
        "name": task.name,
        "description": task.description,
        "enabled": task.enabled,
        "runnable": task.enabled and may_trigger(caller, task),
        "default_max_cost_cents": task.default_max_cost_cents,
        "timeout_seconds": task.timeout_seconds,
        "permission_mode": task.permission_mode.value,
        "visibility": task.visibility.value,
        "version": task.version,
        "last_execution": last,
        "external_id": task.external_id,
        "tags": list(task.tags),
        "created_at": task.created_at,
        "updated_at": task.updated_at,
    }


Name = Annotated[str, Field(min_length=1, max_length=120, description="What people call the task.")]
Slug = Annotated[
    str,
    Field(
        min_length=1,
        max_length=SLUG_LENGTH,
        pattern=SLUG_PATTERN,
        description="Short name in lower case with hyphens, unique in the organization; made of the name if left out.",
    ),
]
Description = Annotated[str, Field(max_length=1000, description="What the task is for, in a few sentences.")]
Instructions = Annotated[
    str, Field(min_length=1, max_length=20_000, description="What the agent has to do, as you would tell a colleague.")
]
InputSchema = Annotated[
    dict[str, Any],
    Field(
        description="JSON Schema (root type object, at most 16 KB and 5 levels, no outward $ref) that the params of a"
        " run must fit. {} means none: then a run takes a message."
    ),
]
MaxCost = Annotated[
    int,
    Field(ge=1, le=1_000_000, description=f"Ceiling of one run in cents of BRL; {DEFAULT_MAX_COST_CENTS} if left out."),
]
Timeout = Annotated[
    int,
    Field(
        ge=60, le=7200, description=f"Longest duration of one run in seconds; {DEFAULT_TIMEOUT_SECONDS} if left out."
    ),
]
Enabled = Annotated[bool, Field(description="A disabled task cannot be triggered.")]
ExternalId = Annotated[str, Field(max_length=255, description="Your own id for it; an empty text means none.")]
Tags = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=50)]],
    Field(max_length=10, description="At most 10 labels of at most 50 characters."),
]
CustomData = Annotated[dict[str, Any], Field(description="Your own data, an object of at most 8 KB; {} means none.")]


def last_execution(execution_id: UUID, status: str, finished_at: datetime | None) -> LastExecution:
    return LastExecution(id=execution_id, status=status, finished_at=finished_at)
