"""Read what is known of a file."""

from tool_service.completions.files import visible_files
from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.file_views import FileIdArguments, FileView, file_view
from tool_service.domain.identifiers import existing_id
from tool_service.domain.language import Localized
from tool_service.domain.schema import Success
from tool_service.registry import Resource, Route, operation


@operation(
    title="Get a file",
    scope="kadu.files.read",
    role=Role.VIEWER,
    route=Route("GET", "/files/{id}"),
    read_only=True,
    resource=Resource(
        "kobana://kadu/files/{id}",
        name="file",
        title=Localized(pt="Um arquivo", en="A file"),
        description=Localized(
            pt="Nome, tipo, tamanho, SHA-256 e estado; nunca os bytes nem uma URL.",
            en="Name, type, size, SHA-256 and status; never the bytes or a URL.",
        ),
        suggest={"id": visible_files},
    ),
)
async def files_get(context: Context, arguments: FileIdArguments) -> Success[FileView]:
    """Read one file: name, type, size, SHA-256, whether a person uploaded it (purpose input) or an execution wrote it
    (output), and its status: pending_upload, scanning, ready, rejected, expired or purged. Never its bytes: for those
    call kadu_files_download. You see your own uploads and what executions of your tasks wrote; managers see all."""
    file = await context.files.get(existing_id(arguments.id), context.caller)
    return Success(file_view(file, context.clock.now()))
