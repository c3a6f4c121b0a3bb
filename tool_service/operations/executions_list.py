"""List executions."""

from typing import Annotated, Literal

from pydantic import MISSING, Field

from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.execution_views import ExecutionListItem, execution_list_item
from tool_service.domain.executions import Status
from tool_service.domain.identifiers import IdText, filter_id
from tool_service.domain.paging import Key
from tool_service.domain.period import CreatedRangeArguments
from tool_service.domain.schema import Page
from tool_service.domain.text_lists import chosen_from, comma_list
from tool_service.registry import Route, operation
from tool_service.repositories.executions import ExecutionFilter

_STATUSES = ", ".join(Status)


class ExecutionsListArguments(CreatedRangeArguments):
    status: (
        Annotated[str, Field(min_length=1, max_length=120, description=f"One or a comma list of: {_STATUSES}.")]
        | MISSING
    ) = MISSING
    task_id: Annotated[IdText, Field(description="Only of this task, by its id.")] | MISSING = MISSING
    thread_id: Annotated[IdText, Field(description="Only of this thread.")] | MISSING = MISSING
    schedule_id: Annotated[IdText, Field(description="Only those that this schedule triggered.")] | MISSING = MISSING
    trigger: (
        Annotated[Literal["api", "mcp", "app", "schedule"], Field(description="How they came about.")] | MISSING
    ) = MISSING
    requested_by: Annotated[IdText, Field(description="Id of a member, or me.")] | MISSING = MISSING
    external_id: (
        Annotated[str, Field(min_length=1, max_length=255, description="Only those with this external_id.")] | MISSING
    ) = MISSING
    tags: (
        Annotated[str, Field(min_length=1, max_length=520, description="Comma list; only those that have all of them.")]
        | MISSING
    ) = MISSING


@operation(
    title="List executions",
    scope="kadu.executions.read",
    role=Role.VIEWER,
    route=Route("GET", "/executions"),
    read_only=True,
)
async def executions_list(context: Context, arguments: ExecutionsListArguments) -> Page[ExecutionListItem]:
    """List the executions of the tasks that you may see, newest first. Items are compact: call kadu_executions_get
    for input, result, question and error. Filter by status (such as needs_input or failed), task, member or time.
    Pass meta.next_cursor back as cursor until it is null."""
    cursors, organization_id = context.environment.cursors, context.caller.organization_id
    wanted = _filter(context, arguments)
    after = cursors.after(arguments, "executions", organization_id)
    # No schedule exists, so no execution was triggered by one.
    of_a_schedule = arguments.schedule_id is not MISSING
    rows = [] if of_a_schedule else await context.executions.page(wanted, context.caller, after, arguments.limit)
    page, next_cursor = cursors.before_next(
        rows, lambda each: Key(each.created_at, each.id), arguments, "executions", organization_id
    )
    now = context.clock.now()
    return Page([execution_list_item(each, now) for each in page], next_cursor, arguments.limit)


def _filter(context: Context, arguments: ExecutionsListArguments) -> ExecutionFilter:
    created_from, created_until = arguments.created_between()
    mine = arguments.requested_by == "me"
    if arguments.schedule_id is not MISSING:
        filter_id(arguments.schedule_id, "schedule_id")
    return ExecutionFilter(
        statuses=() if arguments.status is MISSING else chosen_from(Status, arguments.status, "status"),
        task_id=None if arguments.task_id is MISSING else filter_id(arguments.task_id, "task_id"),
        thread_id=None if arguments.thread_id is MISSING else filter_id(arguments.thread_id, "thread_id"),
        trigger=None if arguments.trigger is MISSING else arguments.trigger,
        requested_by=context.caller.member_id
        if mine
        else None
        if arguments.requested_by is MISSING
        else filter_id(arguments.requested_by, "requested_by"),
        external_id=None if arguments.external_id is MISSING else arguments.external_id,
        tags=() if arguments.tags is MISSING else comma_list(arguments.tags),
        created_from=created_from,
        created_until=created_until,
    )
