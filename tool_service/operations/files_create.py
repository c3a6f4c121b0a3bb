"""Create a file and say how to upload its bytes."""

from dataclasses import replace
from typing import Annotated

from pydantic import MISSING, Field

from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.file_types import ALLOWED_TYPES
from tool_service.domain.file_views import NewFileView, UploadView, new_file_view
from tool_service.domain.files import (
    FILENAME_LENGTH,
    SHA256_PATTERN,
    SIZE_LIMIT_BYTES,
    UPLOAD_LIFETIME,
    File,
    FilePurpose,
    FileStatus,
    check_announcement,
    incoming_key,
)
from tool_service.domain.schema import Arguments, Success
from tool_service.domain.task_views import ExternalId, Tags
from tool_service.registry import Route, operation

# Size and type have error codes of their own, so the schema tells their limits and the domain checks them.
_SIZE_HINT = {"maximum": SIZE_LIMIT_BYTES}
_TYPE_HINT = {"enum": list(ALLOWED_TYPES)}


class FilesCreateArguments(Arguments):
    filename: Annotated[
        str,
        Field(
            min_length=1,
            max_length=FILENAME_LENGTH,
            description="Name without a path, with the extension that goes with content_type.",
        ),
    ]
    content_type: Annotated[
        str,
        Field(min_length=1, max_length=120, description="Media type of the bytes.", json_schema_extra=_TYPE_HINT),
    ]
    size_bytes: Annotated[
        int, Field(ge=1, description="Exact size, at most 52428800 (50 MiB).", json_schema_extra=_SIZE_HINT)
    ]
    sha256: (
        Annotated[
            str,
            Field(pattern=SHA256_PATTERN, description="SHA-256 of the bytes, 64 hex digits; checked when given."),
        ]
        | MISSING
    ) = MISSING
    external_id: ExternalId | MISSING = MISSING
    tags: Tags | MISSING = MISSING


@operation(
    title="Create a file to upload",
    scope="kadu.files.write",
    role=Role.OPERATOR,
    route=Route("POST", "/files"),
    success_statuses=(200, 201),
    secret_members=("upload",),
)
async def files_create(context: Context, arguments: FilesCreateArguments) -> Success[NewFileView]:
    """Announce an input file and get upload: method, url and headers of one HTTP request that carries its bytes, valid
    for 15 minutes. Send that request outside of the tools with exactly those headers (curl -T FILE -H ... URL), then
    call kadu_files_confirm. Bytes never go into a tool. Types: pdf, csv, txt, json, xml, ofx, ret, rem, xlsx, docx,
    png, jpeg, zip; at most 50 MiB. Repeating the same call while the upload is awaited answers the same file with a
    fresh URL."""
    now = context.clock.now()
    wanted = _file(context, arguments)
    twin = await context.files.find_pending_twin(wanted, created_after=now - UPLOAD_LIFETIME)
    if twin is None:
        await context.files.add(wanted)
        headers = {"Location": f"/api/v1/files/{wanted.id}"}
        return Success(new_file_view(wanted, now, await _upload(context, wanted)), status=201, headers=headers)
    # The fresh URL lives as long as a first one, so the file has to await it as long.
    renewed = replace(twin, upload_expires_at=wanted.upload_expires_at, updated_at=now)
    await context.files.replace(renewed, expected_status=FileStatus.PENDING_UPLOAD)
    return Success(new_file_view(renewed, now, await _upload(context, renewed)))


def _file(context: Context, arguments: FilesCreateArguments) -> File:
    content_type = check_announcement(arguments.filename, arguments.content_type, arguments.size_bytes)
    now = context.clock.now()
    return File(
        id=context.ids.new(),
        filename=arguments.filename,
        content_type=content_type,
        size_bytes=arguments.size_bytes,
        sha256=None,
        declared_sha256=None if arguments.sha256 is MISSING else arguments.sha256.lower(),
        purpose=FilePurpose.INPUT,
        status=FileStatus.PENDING_UPLOAD,
        rejected_reason=None,
        execution_id=None,
        created_by=context.caller.member_id,
        external_id=None if arguments.external_id is MISSING else arguments.external_id or None,
        tags=() if arguments.tags is MISSING else tuple(dict.fromkeys(arguments.tags)),
        confirmed_at=None,
        upload_expires_at=now + UPLOAD_LIFETIME,
        created_at=now,
        updated_at=now,
    )


async def _upload(context: Context, file: File) -> UploadView:
    signed = await context.environment.object_store.sign_upload(
        incoming_key(context.caller.organization_id, file.id),
        content_type=file.content_type,
        size_bytes=file.size_bytes,
        sha256=file.declared_sha256,
        expires_at=context.clock.now() + UPLOAD_LIFETIME,
    )
    return UploadView(method=signed.method, url=signed.url, headers=signed.headers, expires_at=signed.expires_at)
