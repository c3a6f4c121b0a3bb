"""Confirm that the bytes of a file were uploaded."""

from dataclasses import replace

from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.errors import Conflict, InvalidArguments, PermissionDenied
from tool_service.domain.file_types import content_agrees
from tool_service.domain.file_views import FileIdArguments, FileView, file_view
from tool_service.domain.files import File, FileStatus, incoming_key, may_confirm, object_key
from tool_service.domain.identifiers import existing_id
from tool_service.domain.schema import Success
from tool_service.ports import StoredObject
from tool_service.registry import Route, operation

TYPE_MISMATCH = "type_mismatch"


@operation(
    title="Confirm an upload",
    scope="kadu.files.write",
    role=Role.OPERATOR,
    route=Route("PUT", "/files/{id}/confirm"),
)
async def files_confirm(context: Context, arguments: FileIdArguments) -> Success[FileView]:
    """Say that the bytes of a file were uploaded. Size, SHA-256 and type are checked; the answer is the file with
    status ready (use its id in input_file_ids of kadu_tasks_run) or rejected (the bytes are not of its type: create
    another file). On size_mismatch or checksum_mismatch the bytes are dropped and the upload stays open: send them
    again to the same URL. On upload_expired create the file again. Confirming twice gives the same answer."""
    file = await context.files.get_for_change(existing_id(arguments.id), context.caller)
    if not may_confirm(file, context.caller):
        raise PermissionDenied("forbidden")
    now = context.clock.now()
    status = file.status_at(now)
    if status is FileStatus.EXPIRED:
        raise Conflict("upload_expired", param="id")
    if status is FileStatus.PENDING_UPLOAD:
        file = await _confirmed(context, file)
        await context.files.replace(file, expected_status=FileStatus.PENDING_UPLOAD)
    return Success(file_view(file, now))


async def _confirmed(context: Context, file: File) -> File:
    """Take the uploaded bytes in and judge them. No scanner is configured, so what passes is ready at once.

    An error rolls the row back but not the store. That is harmless in every order: the bytes are
    moved out of reach of the upload URL before they are looked at, nobody reads them while the
    row awaits its upload, and a repeated confirm finds them where the first one put them.
    """
    store, organization_id = context.environment.object_store, context.caller.organization_id
    key = object_key(organization_id, file.id)
    await store.move(incoming_key(organization_id, file.id), key)
    stored = await store.inspect(key)
    if stored is None:
        raise Conflict("upload_missing", param="id")
    if (code := _mismatch(file, stored)) is not None:
        await store.delete(key)
        raise InvalidArguments(code, param="id")
    now = context.clock.now()
    if not content_agrees(file.content_type, stored.head):
        await store.delete(key)
        return replace(file, status=FileStatus.REJECTED, rejected_reason=TYPE_MISMATCH, updated_at=now)
    return replace(file, status=FileStatus.READY, sha256=stored.sha256, confirmed_at=now, updated_at=now)


def _mismatch(file: File, stored: StoredObject) -> str | None:
    if stored.size_bytes != file.size_bytes:
        return "size_mismatch"
    if file.declared_sha256 not in {None, stored.sha256}:
        return "checksum_mismatch"
    return None
