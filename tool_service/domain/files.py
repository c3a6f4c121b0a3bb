"""Files: what people hand to the agent and what it hands back. States, names, keys, who sees them.

Bytes never pass through an operation: they travel by signed URL. Which types are
taken, and how their bytes look, is in file_types.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from tool_service.domain import tasks
from tool_service.domain.caller import Caller, Role
from tool_service.domain.errors import InvalidArguments, Problem
from tool_service.domain.file_types import extension_problem, media_type_of, type_problem
from tool_service.domain.language import Localized
from tool_service.domain.third_party_text import harmless

SIZE_LIMIT_BYTES = 50 * 1024 * 1024
FILENAME_LENGTH = 255
SHA256_PATTERN = "^[0-9A-Fa-f]{64}$"
UPLOAD_LIFETIME = timedelta(minutes=15)
DOWNLOAD_LIFETIME = timedelta(minutes=5)

_LINE_BREAKS_AND_TABS = frozenset("\n\t\u2028\u2029")


class FilePurpose(StrEnum):
    INPUT = "input"
    """A person uploaded it."""
    OUTPUT = "output"
    """An execution wrote it."""


class FileStatus(StrEnum):
    PENDING_UPLOAD = "pending_upload"
    """Created; its bytes are awaited until `upload_expires_at`."""
    SCANNING = "scanning"
    """Confirmed; a scanner looks at it. Not reached while no scanner is configured."""
    READY = "ready"
    """Usable and downloadable; its bytes never change."""
    REJECTED = "rejected"
    """Its bytes were not what it claimed to be and are gone; `rejected_reason` says why."""
    EXPIRED = "expired"
    """Not confirmed in time."""
    PURGED = "purged"
    """Its bytes were removed by retention; the row stays."""


@dataclass(frozen=True, slots=True)
class File:
    """One file of one organization. `sha256` is that of the bytes at rest, `declared_sha256` what was announced."""

    id: UUID
    filename: str
    content_type: str
    size_bytes: int
    sha256: str | None
    declared_sha256: str | None
    purpose: FilePurpose
    status: FileStatus
    rejected_reason: str | None
    execution_id: UUID | None
    created_by: UUID
    external_id: str | None
    tags: tuple[str, ...]
    confirmed_at: datetime | None
    upload_expires_at: datetime | None
    created_at: datetime
    updated_at: datetime
    # Of the task whose execution wrote the file; None for an input.
    task_visibility: tasks.Visibility | None = None
    # The principals that may see that task by a grant.
    task_viewers: tuple[str, ...] = ()

    def status_at(self, now: datetime) -> FileStatus:
        """The stored status, but `expired` once an awaited upload is overdue: no job has to flip it."""
        overdue = self.upload_expires_at is not None and self.upload_expires_at <= now
        return FileStatus.EXPIRED if self.status is FileStatus.PENDING_UPLOAD and overdue else self.status


def may_see(file: File, caller: Caller) -> bool:
    """Whether the caller may know the file and have its bytes.

    Managers and owners see every file. Everybody sees what they uploaded or had written, and what
    executions of a task they can see wrote. Somebody else's upload stays with its uploader.
    """
    if caller.role.includes(Role.MANAGER) or file.created_by == caller.member_id:
        return True
    return file.task_visibility is not None and tasks.may_see(caller, file.task_visibility, file.task_viewers)


def may_confirm(file: File, caller: Caller) -> bool:
    """Whether the caller may declare the upload complete: its creator, and managers."""
    return file.created_by == caller.member_id or caller.role.includes(Role.MANAGER)


def object_key(organization_id: UUID, file_id: UUID) -> str:
    """Where the bytes of a usable file lie; nothing outside of the service can write there."""
    return f"org/{organization_id}/{file_id}"


def incoming_key(organization_id: UUID, file_id: UUID) -> str:
    """Where an upload URL writes. Confirming moves the bytes away, so the URL can never change confirmed ones."""
    return f"incoming/{object_key(organization_id, file_id)}"


def filename_problem(filename: str) -> Localized | None:
    """Why this is no file name, or None when it is one."""
    if not 1 <= len(filename) <= FILENAME_LENGTH or filename != filename.strip():
        return Localized(
            pt="O nome deve ter de 1 a 255 caracteres, sem espaço nas pontas.",
            en="The name must have 1 to 255 characters and no blank at its ends.",
        )
    if filename in {".", ".."} or "/" in filename or "\\" in filename:
        return Localized(pt="Informe só o nome do arquivo, sem caminho.", en="Give the name only, without a path.")
    if harmless(filename) != filename or not _LINE_BREAKS_AND_TABS.isdisjoint(filename):
        return Localized(
            pt="O nome tem caracteres de controle, invisíveis ou de direção de texto.",
            en="The name has control, invisible or text direction characters.",
        )
    return None


def check_announcement(filename: str, content_type: str, size_bytes: int) -> str:
    """Check what a caller announces before anything is stored; return the bare media type.

    Raises:
        InvalidArguments: with every problem of name, type and size at once.
    """
    media_type = media_type_of(content_type)
    problems: Sequence[Problem | None] = (
        _problem("validation_error", filename_problem(filename), "filename"),
        _problem("file_type_not_allowed", type_problem(media_type), "content_type"),
        _problem("file_type_not_allowed", extension_problem(media_type, filename), "filename"),
        _problem("file_too_large", _size_problem(size_bytes), "size_bytes"),
    )
    found = [each for each in problems if each is not None]
    if found:
        raise InvalidArguments.of(found)
    return media_type


def _size_problem(size_bytes: int) -> Localized | None:
    if size_bytes <= SIZE_LIMIT_BYTES:
        return None
    return Localized(
        pt=f"O arquivo passa de {SIZE_LIMIT_BYTES} bytes (50 MiB).",
        en=f"The file is larger than {SIZE_LIMIT_BYTES} bytes (50 MiB).",
    )


def _problem(code: str, detail: Localized | None, param: str) -> Problem | None:
    return None if detail is None else Problem(code, detail, param)
