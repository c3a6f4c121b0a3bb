"""Tasks in SQL. A deleted task is a tombstone: out of every list, found only by `get_deleted`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from tool_service.db.tables import tasks
from tool_service.domain.caller import Caller, Role
from tool_service.domain.errors import Conflict, NotFound
from tool_service.domain.paging import Key
from tool_service.domain.task_grants import Access, Grant, PrincipalType, principals_of, runners, viewers
from tool_service.domain.tasks import PermissionMode, Task, Visibility, may_run_by_grant, modes_triggerable_by
from tool_service.repositories.json_arrays import contains_all, contains_any
from tool_service.repositories.scoped import ScopedRepository, newest_first

_PERMISSIONS = frozenset({"permission_mode", "visibility", "grants", "viewers", "runners", "permissions_version"})


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """What a list of tasks is cut to; None leaves a criterion open."""

    text: str | None = None
    enabled: bool | None = None
    runnable: bool | None = None
    tags: Sequence[str] = ()
    created_from: datetime | None = None
    created_until: datetime | None = None


class TaskRepository(ScopedRepository):
    async def get(self, id_or_slug: str, caller: Caller) -> Task:
        """The living task of that id or slug, as far as the caller may see it.

        Raises:
            NotFound: there is none, it is deleted, or it is hidden from the caller.
        """
        statement = self._alive().where(visible_to(caller), named(id_or_slug))
        row = (await self._connection.execute(statement)).mappings().first()
        if row is None:
            raise NotFound(param="id")
        return _task(row)

    async def get_any(self, task_id: UUID) -> Task:
        """The task of that id, deleted or not: for what refers to it.

        Raises:
            NotFound: there is none in this organization.
        """
        row = (await self._connection.execute(self._select(tasks).where(tasks.c.id == task_id))).mappings().first()
        if row is None:
            raise NotFound(param="task_id")
        return _task(row)

    async def get_many(self, task_ids: Sequence[UUID]) -> dict[UUID, Task]:
        """Those of the tasks that exist, deleted or not, by id."""
        rows = await self._connection.execute(self._select(tasks).where(tasks.c.id.in_(task_ids)))
        return {row["id"]: _task(row) for row in rows.mappings()}

    async def get_deleted(self, id_or_slug: str) -> Task | None:
        """The youngest tombstone of that id or slug."""
        statement = (
            self._select(tasks)
            .where(tasks.c.deleted_at.is_not(None), named(id_or_slug))
            .order_by(tasks.c.deleted_at.desc())
            .limit(1)
        )
        row = (await self._connection.execute(statement)).mappings().first()
        return None if row is None else _task(row)

    async def find_by_slug(self, slug: str) -> Task | None:
        """The living task of that slug, whoever may see it: slugs are unique over all of them."""
        row = (await self._connection.execute(self._alive().where(tasks.c.slug == slug))).mappings().first()
        return None if row is None else _task(row)

    async def page(self, wanted: TaskFilter, caller: Caller, after: Key | None, limit: int) -> Sequence[Task]:
        """Living tasks, newest first; one more than the limit where more follow."""
        statement = self._alive().where(visible_to(caller))
        if wanted.text is not None:
            columns = (tasks.c.name, tasks.c.slug, tasks.c.description)
            statement = statement.where(sa.or_(*(c.icontains(wanted.text, autoescape=True) for c in columns)))
        if wanted.enabled is not None:
            statement = statement.where(tasks.c.enabled.is_(wanted.enabled))
        if wanted.runnable is not None:
            statement = statement.where(_runnable(caller) if wanted.runnable else sa.not_(_runnable(caller)))
        if wanted.tags:
            statement = statement.where(contains_all(tasks.c.tags, wanted.tags))
        if wanted.created_from is not None:
            statement = statement.where(tasks.c.created_at >= wanted.created_from)
        if wanted.created_until is not None:
            statement = statement.where(tasks.c.created_at < wanted.created_until)
        rows = await self._connection.execute(newest_first(statement, tasks, after, limit))
        return [_task(row) for row in rows.mappings()]

    async def suggest_slugs(self, text: str, caller: Caller, *, runnable_only: bool, limit: int) -> Sequence[str]:
        """Slugs of living tasks with the text in slug or name, those that begin with it first."""
        begins = tasks.c.slug.istartswith(text, autoescape=True)
        within = sa.or_(tasks.c.slug.icontains(text, autoescape=True), tasks.c.name.icontains(text, autoescape=True))
        alive = self._select(tasks, tasks.c.slug).where(tasks.c.deleted_at.is_(None))
        statement = alive.where(visible_to(caller), within)
        if runnable_only:
            statement = statement.where(_runnable(caller))
        statement = statement.order_by(sa.case((begins, 0), else_=1), tasks.c.slug).limit(limit)
        return (await self._connection.execute(statement)).scalars().all()

    async def add(self, task: Task) -> None:
        """Store a new task.

        Raises:
            Conflict: a living task took the slug since we looked.
        """
        try:
            await self._insert(tasks, {**_columns(task), "id": task.id})
        except IntegrityError as error:
            raise Conflict("slug_taken", param="slug") from error

    async def replace_permissions(self, task: Task, expected_version: int) -> bool:
        """Store mode, visibility and grants over the version that was read; False when somebody else was first."""
        statement = self._update(tasks).where(
            tasks.c.id == task.id, tasks.c.permissions_version == expected_version, tasks.c.deleted_at.is_(None)
        )
        values = {name: value for name, value in _columns(task).items() if name in _PERMISSIONS}
        return (await self._connection.execute(statement.values(values))).rowcount == 1

    async def replace(self, task: Task, expected_version: int) -> bool:
        """Store the task, but for its permissions, over the version that was read; False when somebody was first."""
        statement = (
            self._update(tasks)
            .where(tasks.c.id == task.id, tasks.c.version == expected_version, tasks.c.deleted_at.is_(None))
            .values({name: value for name, value in _columns(task).items() if name not in _PERMISSIONS})
        )
        return (await self._connection.execute(statement)).rowcount == 1

    def _alive(self) -> sa.Select[Any]:
        return self._select(tasks).where(tasks.c.deleted_at.is_(None))


def visible_to(caller: Caller) -> sa.ColumnElement[bool]:
    """domain.tasks.may_see as SQL, over rows that have their task beside them."""
    if caller.role.includes(Role.MANAGER):
        return sa.true()
    by_grant = contains_any(tasks.c.viewers, principals_of(caller))
    return sa.or_(tasks.c.visibility == Visibility.ORGANIZATION.value, by_grant)


def _runnable(caller: Caller) -> sa.ColumnElement[bool]:
    """domain.tasks.may_trigger as SQL, for tasks that are enabled."""
    by_mode = tasks.c.permission_mode.in_([each.value for each in modes_triggerable_by(caller.role)])
    by_grant = contains_any(tasks.c.runners, principals_of(caller)) if may_run_by_grant(caller.role) else sa.false()
    return sa.and_(tasks.c.enabled.is_(True), sa.or_(by_mode, by_grant))


def named(id_or_slug: str) -> sa.ColumnElement[bool]:
    """Whether the task is the one of that id or slug."""
    try:
        return tasks.c.id == UUID(id_or_slug)
    except ValueError:
        return tasks.c.slug == id_or_slug


def _task(row: sa.RowMapping | Mapping[str, Any]) -> Task:
    values = {name: row[name] for name in Task.__dataclass_fields__}
    values["permission_mode"] = PermissionMode(values["permission_mode"])
    values["visibility"] = Visibility(values["visibility"])
    values["tags"] = tuple(values["tags"])
    values["grants"] = tuple(
        Grant(PrincipalType(each["principal_type"]), each["principal_id"], Access(each["access"]))
        for each in values["grants"]
    )
    return Task(**values)


def _columns(task: Task) -> dict[str, Any]:
    values = {name: getattr(task, name) for name in Task.__dataclass_fields__ if name != "id"}
    values["permission_mode"] = task.permission_mode.value
    values["visibility"] = task.visibility.value
    values["tags"] = list(task.tags)
    values["grants"] = [
        {"principal_type": each.principal_type.value, "principal_id": each.principal_id, "access": each.access.value}
        for each in task.grants
    ]
    # Said once more in the form in which rows are looked for.
    values["viewers"], values["runners"] = list(viewers(task.grants)), list(runners(task.grants))
    return values
