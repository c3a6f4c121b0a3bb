"""Files in SQL: what is known of them. Their bytes are the object store's (ports.ObjectStore)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from tool_service.db.tables import executions, files, members, tasks
from tool_service.domain.caller import Caller, Role
from tool_service.domain.errors import NotFound
from tool_service.domain.files import File, FilePurpose, FileStatus, may_see
from tool_service.domain.paging import Key
from tool_service.domain.tasks import Visibility
from tool_service.repositories.scoped import ScopedRepository, newest_first
from tool_service.repositories.tasks import visible_to

_STORED = tuple(name for name in File.__dataclass_fields__ if name not in {"task_visibility", "task_viewers"})

_OF_TASK = (tasks.c.visibility.label("task_visibility"), tasks.c.viewers.label("task_viewers"))


@dataclass(frozen=True, slots=True)
class FileFilter:
    """What a list of files is cut to; None leaves a criterion open."""

    purpose: FilePurpose | None = None
    statuses: Sequence[FileStatus] = ()
    execution_id: UUID | None = None
    text: str | None = None
    created_from: datetime | None = None
    created_until: datetime | None = None


class FileRepository(ScopedRepository):
    async def page(
        self, wanted: FileFilter, caller: Caller, now: datetime, after: Key | None, limit: int
    ) -> Sequence[File]:
        """Files that the caller may see, newest first; one more than the limit where more follow."""
        statement = self._alive().where(_visible_to(caller))
        if wanted.purpose is not None:
            statement = statement.where(files.c.purpose == wanted.purpose.value)
        if wanted.statuses:
            statement = statement.where(sa.or_(*(_is(each, now) for each in wanted.statuses)))
        if wanted.execution_id is not None:
            statement = statement.where(files.c.execution_id == wanted.execution_id)
        if wanted.text is not None:
            statement = statement.where(files.c.filename.icontains(wanted.text, autoescape=True))
        if wanted.created_from is not None:
            statement = statement.where(files.c.created_at >= wanted.created_from)
        if wanted.created_until is not None:
            statement = statement.where(files.c.created_at < wanted.created_until)
        rows = await self._connection.execute(newest_first(statement, files, after, limit))
        return [_file(row) for row in rows.mappings()]

    async def get(self, file_id: UUID, caller: Caller) -> File:
        """The file, as far as the caller may see it.

        Raises:
            NotFound: there is none, it is deleted, or it is hidden from the caller.
        """
        return _seen_by(caller, await self._first(self._alive().where(files.c.id == file_id)))

    async def get_for_change(self, file_id: UUID, caller: Caller) -> File:
        """As `get`, and nobody else changes the row before this transaction ends.

        Raises:
            NotFound: as `get`.
        """
        statement = self._alive().where(files.c.id == file_id).with_for_update(of=files)
        return _seen_by(caller, await self._first(statement))

    async def get_many(self, file_ids: Sequence[UUID]) -> dict[UUID, File]:
        """Those of the files that exist and are not deleted, by id; who may see them is for `may_see` to say."""
        rows = await self._connection.execute(self._alive().where(files.c.id.in_(file_ids)))
        return {row["id"]: _file(row) for row in rows.mappings()}

    async def find_pending_twin(self, wanted: File, created_after: datetime) -> File | None:
        """The youngest file that awaits its upload and announces exactly the same, by the same member.

        Creations of one member wait for each other here, so that two equal ones at the same moment
        meet in one file.
        """
        # NO KEY UPDATE: rows that merely refer to the member are still inserted meanwhile.
        lock = self._select(members, members.c.id).where(members.c.id == wanted.created_by)
        await self._connection.execute(lock.with_for_update(key_share=True))
        statement = (
            self._alive()
            .where(
                files.c.created_by == wanted.created_by,
                files.c.purpose == wanted.purpose.value,
                files.c.status == FileStatus.PENDING_UPLOAD.value,
                files.c.created_at > created_after,
                files.c.filename == wanted.filename,
                files.c.size_bytes == wanted.size_bytes,
                files.c.content_type == wanted.content_type,
                files.c.declared_sha256.is_not_distinct_from(wanted.declared_sha256),
                files.c.external_id.is_not_distinct_from(wanted.external_id),
            )
            .order_by(files.c.created_at.desc(), files.c.id.desc())
        )
        rows = await self._connection.execute(statement)
        candidates = (_file(row) for row in rows.mappings())
        return next((each for each in candidates if each.tags == wanted.tags), None)

    async def suggest_ids(
        self, text: str, between: tuple[UUID, UUID] | None, caller: Caller, *, limit: int
    ) -> Sequence[UUID]:
        """Ids within a range, or of names with the text in them, newest first, as far as the caller may see them."""
        matching = files.c.filename.icontains(text, autoescape=True)
        if between is not None:
            matching = sa.or_(matching, files.c.id.between(*between))
        statement = self._alive().with_only_columns(files.c.id).where(matching, _visible_to(caller))
        statement = statement.order_by(files.c.created_at.desc(), files.c.id.desc()).limit(limit)
        return (await self._connection.execute(statement)).scalars().all()

    async def add(self, file: File) -> None:
        await self._insert(files, {**_columns(file), "id": file.id})

    async def replace(self, file: File, expected_status: FileStatus) -> bool:
        """Store the file over the status that was read; False when somebody else was first."""
        statement = (
            self._update(files)
            .where(files.c.id == file.id, files.c.status == expected_status.value, files.c.deleted_at.is_(None))
            .values(_columns(file))
        )
        return (await self._connection.execute(statement)).rowcount == 1

    def _alive(self) -> sa.Select[Any]:
        return (
            self._select(files, *(files.c[name] for name in _STORED), *_OF_TASK)
            .outerjoin(executions, executions.c.id == files.c.execution_id)
            .outerjoin(tasks, tasks.c.id == executions.c.task_id)
            .where(files.c.deleted_at.is_(None))
        )

    async def _first(self, statement: sa.Select[Any]) -> File | None:
        row = (await self._connection.execute(statement)).mappings().first()
        return None if row is None else _file(row)


def _is(status: FileStatus, now: datetime) -> sa.ColumnElement[bool]:
    """File.status_at as SQL."""
    awaited = files.c.status == FileStatus.PENDING_UPLOAD.value
    match status:
        case FileStatus.PENDING_UPLOAD:
            return sa.and_(awaited, sa.or_(files.c.upload_expires_at.is_(None), files.c.upload_expires_at > now))
        case FileStatus.EXPIRED:
            return sa.or_(files.c.status == status.value, sa.and_(awaited, files.c.upload_expires_at <= now))
        case _:
            return files.c.status == status.value


def _visible_to(caller: Caller) -> sa.ColumnElement[bool]:
    """domain.files.may_see as SQL, for lists that must not read what they do not show."""
    if caller.role.includes(Role.MANAGER):
        return sa.true()
    written = sa.and_(files.c.execution_id.is_not(None), visible_to(caller))
    return sa.or_(files.c.created_by == caller.member_id, written)


def _seen_by(caller: Caller, file: File | None) -> File:
    if file is None or not may_see(file, caller):
        raise NotFound(param="id")
    return file


def _file(row: sa.RowMapping | Mapping[str, Any]) -> File:
    values = {name: row[name] for name in File.__dataclass_fields__}
    values["purpose"] = FilePurpose(values["purpose"])
    values["status"] = FileStatus(values["status"])
    values["tags"] = tuple(values["tags"])
    visibility = values["task_visibility"]
    values["task_visibility"] = None if visibility is None else Visibility(visibility)
    values["task_viewers"] = tuple(values["task_viewers"] or ())
    return File(**values)


def _columns(file: File) -> dict[str, Any]:
    values = {name: getattr(file, name) for name in _STORED if name != "id"}
    values["purpose"] = file.purpose.value
    values["status"] = file.status.value
    values["tags"] = list(file.tags)
    return values
