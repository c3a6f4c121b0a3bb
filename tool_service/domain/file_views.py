"""What a file looks like from outside."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from tool_service.domain.files import File, FileStatus
from tool_service.domain.identifiers import IdText
from tool_service.domain.schema import CONTENT_NOTICE, Arguments, ContentNotice, Timestamp, View


class FileIdArguments(Arguments):
    id: Annotated[IdText, Field(description="Id of the file.")]


class FileView(View):
    """A whole file, without its bytes. Its name is third-party text: hence the notice."""

    id: UUID
    filename: str
    content_type: str
    size_bytes: int
    sha256: Annotated[str | None, Field(description="Of the bytes at rest; until then the announced one.")]
    purpose: str
    status: str
    rejected_reason: str | None
    execution_id: UUID | None
    created_by: UUID
    confirmed_at: Timestamp | None
    expires_at: Annotated[Timestamp | None, Field(description="Until when the upload can be confirmed.")]
    external_id: str | None
    tags: list[str]
    created_at: Timestamp
    updated_at: Timestamp
    content_notice: ContentNotice = CONTENT_NOTICE


class UploadView(View):
    """The HTTP request that carries the bytes: method, url and every header, to be sent as they are."""

    method: str
    url: str
    headers: dict[str, str]
    expires_at: Timestamp


class NewFileView(FileView):
    """A file that awaits its upload."""

    upload: Annotated[
        UploadView | None,
        Field(description="Null when a repeated idempotency_key is answered: call again without it for a fresh URL."),
    ]


class DownloadView(View):
    """Where the bytes can be read by anybody who has the URL, until it expires."""

    url: str
    expires_at: Timestamp
    filename: str
    content_type: str
    size_bytes: int
    sha256: str
    content_notice: ContentNotice = CONTENT_NOTICE


def file_view(file: File, now: datetime) -> FileView:
    return FileView(**_fields(file, now))


def new_file_view(file: File, now: datetime, upload: UploadView) -> NewFileView:
    return NewFileView(**_fields(file, now), upload=upload)


def _fields(file: File, now: datetime) -> dict[str, Any]:
    status = file.status_at(now)
    return {
        "id": file.id,
        "filename": file.filename,
        "content_type": file.content_type,
        "size_bytes": file.size_bytes,
        "sha256": file.sha256 or file.declared_sha256,
        "purpose": file.purpose.value,
        "status": status.value,
        "rejected_reason": file.rejected_reason,
        "execution_id": file.execution_id,
        "created_by": file.created_by,
        "confirmed_at": file.confirmed_at,
        "expires_at": file.upload_expires_at if file.status is FileStatus.PENDING_UPLOAD else None,
        "external_id": file.external_id,
        "tags": list(file.tags),
        "created_at": file.created_at,
        "updated_at": file.updated_at,
    }
