"""List approvals."""

from typing import Annotated

from pydantic import MISSING, Field

from tool_service.context import Context
from tool_service.domain.approval_views import ApprovalListItem, approval_list_item
from tool_service.domain.approvals import ApprovalStatus
from tool_service.domain.caller import Role
from tool_service.domain.paging import Key, ListArguments
from tool_service.domain.schema import Page
from tool_service.domain.text_lists import chosen_from
from tool_service.registry import Route, operation

_STATUSES = ", ".join(ApprovalStatus)


class ApprovalsListArguments(ListArguments):
    status: (
        Annotated[str, Field(min_length=1, max_length=120, description=f"One or a comma list of: {_STATUSES}.")]
        | MISSING
    ) = MISSING


@operation(
    title="List approvals",
    scope="kadu.approvals.read",
    role=Role.VIEWER,
    route=Route("GET", "/approvals"),
    read_only=True,
)
async def approvals_list(context: Context, arguments: ApprovalsListArguments) -> Page[ApprovalListItem]:
    """List your own approvals, newest first: calls that wait for a yes at their approval_url, and what became of
    earlier ones. Filter by status, such as pending. Call kadu_approvals_get for what a call answered. Pass
    meta.next_cursor back as cursor until it is null."""
    caller, cursors, now = context.caller, context.environment.cursors, context.clock.now()
    statuses = () if arguments.status is MISSING else chosen_from(ApprovalStatus, arguments.status, "status")
    after = cursors.after(arguments, "approvals", caller.organization_id)
    rows = await context.approvals.page(caller.person_id, statuses, now, after, arguments.limit)
    page, next_cursor = cursors.before_next(
        rows, lambda each: Key(each.created_at, each.id), arguments, "approvals", caller.organization_id
    )
    pages_url = context.environment.pages_url
    items = [approval_list_item(each, caller.name, caller.language, pages_url, now) for each in page]
    return Page(items, next_cursor, arguments.limit)
