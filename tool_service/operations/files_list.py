"""List files."""

from typing import Annotated, Literal

from pydantic import MISSING, Field

from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.file_views import FileView, file_view
from tool_service.domain.files import FilePurpose, FileStatus
from tool_service.domain.identifiers import IdText, filter_id
from tool_service.domain.paging import Key
from tool_service.domain.period import CreatedRangeArguments
from tool_service.domain.schema import Page
from tool_service.domain.text_lists import chosen_from
from tool_service.registry import Route, operation
from tool_service.repositories.files import FileFilter

_STATUSES = ", ".join(FileStatus)


class FilesListArguments(CreatedRangeArguments):
    purpose: (
        Annotated[Literal["input", "output"], Field(description="Uploaded by a person, or written by an execution.")]
        | MISSING
    ) = MISSING
    status: (
        Annotated[str, Field(min_length=1, max_length=120, description=f"One or a comma list of: {_STATUSES}.")]
        | MISSING
    ) = MISSING
    execution_id: Annotated[IdText, Field(description="Only those that this execution wrote.")] | MISSING = MISSING
    q: Annotated[str, Field(min_length=1, max_length=100, description="Text in the name, in any case.")] | MISSING = (
        MISSING
    )


@operation(
    title="List files",
    scope="kadu.files.read",
    role=Role.VIEWER,
    route=Route("GET", "/files"),
    read_only=True,
)
async def files_list(context: Context, arguments: FilesListArguments) -> Page[FileView]:
    """List files, newest first: your own uploads and what executions of the tasks that you may see wrote; managers see
    all. Filter by purpose, status (such as ready), execution, name or time. Never bytes or URLs: for those call
    kadu_files_download. Pass meta.next_cursor back as cursor until it is null."""
    cursors, caller, now = context.environment.cursors, context.caller, context.clock.now()
    wanted = _filter(arguments)
    after = cursors.after(arguments, "files", caller.organization_id)
    rows = await context.files.page(wanted, caller, now, after, arguments.limit)
    page, next_cursor = cursors.before_next(
        rows, lambda each: Key(each.created_at, each.id), arguments, "files", caller.organization_id
    )
    return Page([file_view(each, now) for each in page], next_cursor, arguments.limit)


def _filter(arguments: FilesListArguments) -> FileFilter:
    created_from, created_until = arguments.created_between()
    return FileFilter(
        purpose=None if arguments.purpose is MISSING else FilePurpose(arguments.purpose),
        statuses=() if arguments.status is MISSING else chosen_from(FileStatus, arguments.status, "status"),
        execution_id=None if arguments.execution_id is MISSING else filter_id(arguments.execution_id, "execution_id"),
        text=None if arguments.q is MISSING else arguments.q,
        created_from=created_from,
        created_until=created_until,
    )
