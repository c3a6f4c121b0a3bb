"""Executions in SQL: found as far as a role may see them, moved only from the state that was read."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from tool_service.db.tables import execution_outputs, executions, files, members, organizations, people, tasks
from tool_service.domain.caller import Caller
from tool_service.domain.errors import NotFound
from tool_service.domain.execution_outputs import Output
from tool_service.domain.executions import TASK_DELETED, Execution, Status, may_follow
from tool_service.domain.paging import Key
from tool_service.domain.task_views import LastExecution, last_execution
from tool_service.repositories.execution_rows import (
    FILE_REFERENCES,
    REFERENCES,
    execution_columns,
    execution_from,
    output_columns,
    output_from,
)
from tool_service.repositories.json_arrays import contains_all
from tool_service.repositories.scoped import ScopedRepository, newest_first
from tool_service.repositories.tasks import named, visible_to


@dataclass(frozen=True, slots=True)
class ExecutionFilter:
    """What a list of executions is cut to; None leaves a criterion open."""

    statuses: Sequence[Status] = ()
    task_id: UUID | None = None
    thread_id: UUID | None = None
    trigger: str | None = None
    requested_by: UUID | None = None
    external_id: str | None = None
    tags: Sequence[str] = ()
    created_from: datetime | None = None
    created_until: datetime | None = None


class ExecutionRepository(ScopedRepository):
    async def get(self, execution_id: UUID, caller: Caller) -> Execution:
        """The execution, as far as the caller may see its task.

        Raises:
            NotFound: there is none, or its task is hidden from the caller.
        """
        statement = self._whole().where(visible_to(caller), executions.c.id == execution_id)
        row = (await self._connection.execute(statement)).mappings().first()
        if row is None:
            raise NotFound(param="id")
        return execution_from(row)

    async def find(self, execution_id: UUID) -> Execution | None:
        """The execution, whoever may see it: for the worker that runs it."""
        statement = self._whole().where(executions.c.id == execution_id)
        row = (await self._connection.execute(statement)).mappings().first()
        return None if row is None else execution_from(row)

    async def page(self, wanted: ExecutionFilter, caller: Caller, after: Key | None, limit: int) -> Sequence[Execution]:
        """Executions, newest first; one more than the limit where more follow."""
        statement = self._whole().where(visible_to(caller))
        if wanted.statuses:
            statement = statement.where(executions.c.status.in_([each.value for each in wanted.statuses]))
        for column, value in (
            (executions.c.task_id, wanted.task_id),
            (executions.c.thread_id, wanted.thread_id),
            (executions.c.trigger, wanted.trigger),
            (executions.c.requested_by, wanted.requested_by),
            (executions.c.external_id, wanted.external_id),
        ):
            if value is not None:
                statement = statement.where(column == value)
        if wanted.tags:
            statement = statement.where(contains_all(executions.c.tags, wanted.tags))
        if wanted.created_from is not None:
            statement = statement.where(executions.c.created_at >= wanted.created_from)
        if wanted.created_until is not None:
            statement = statement.where(executions.c.created_at < wanted.created_until)
        rows = await self._connection.execute(newest_first(statement, executions, after, limit))
        return [execution_from(row) for row in rows.mappings()]

    async def suggest_ids(
        self, between: tuple[UUID, UUID], caller: Caller, *, task: str | None, limit: int
    ) -> Sequence[UUID]:
        """Ids within a range, newest first; where a task is given by id or slug, only of that living task."""
        ids = self._select(executions, executions.c.id).join(tasks, tasks.c.id == executions.c.task_id)
        statement = ids.where(visible_to(caller), executions.c.id.between(*between))
        if task is not None:
            statement = statement.where(tasks.c.deleted_at.is_(None), named(task))
        statement = statement.order_by(executions.c.created_at.desc(), executions.c.id.desc()).limit(limit)
        return (await self._connection.execute(statement)).scalars().all()

    async def add(self, execution: Execution) -> None:
        await self._insert(executions, {**execution_columns(execution), "id": execution.id})

    async def move(self, read: Execution, moved: Execution) -> bool:
        """Store the next state over the one that was read; False when somebody else moved it first.

        Raises:
            ValueError: no transition leads from one to the other.
        """
        if not may_follow(read.status, moved.status) or moved.version != read.version + 1:
            raise ValueError(f"an execution does not go from {read.status} to {moved.status}")
        statement = (
            self._update(executions)
            .where(
                executions.c.id == read.id,
                executions.c.status == read.status.value,
                executions.c.version == read.version,
            )
            .values(execution_columns(moved))
        )
        return (await self._connection.execute(statement)).rowcount == 1

    async def note_step(self, execution_id: UUID, attempt: int, title: str, now: datetime) -> Status | None:
        """Count a step of the attempt; its status then, or None when the attempt has lost the execution.

        The version stays: it counts transitions, and a step must not make somebody's cancel fail.
        """
        statement = (
            self._update(executions)
            .where(
                executions.c.id == execution_id,
                executions.c.attempt == attempt,
                executions.c.status.in_([Status.RUNNING.value, Status.CANCELING.value]),
            )
            .values(steps=executions.c.steps + 1, current_step=title, updated_at=now)
            .returning(executions.c.status)
        )
        status = (await self._connection.execute(statement)).scalar()
        return None if status is None else Status(status)

    async def standing(self, execution_id: UUID) -> tuple[Status, int] | None:
        """Status and attempt alone: what a worker asks again and again."""
        statement = self._select(executions, executions.c.status, executions.c.attempt)
        row = (await self._connection.execute(statement.where(executions.c.id == execution_id))).first()
        return None if row is None else (Status(row.status), row.attempt)

    async def preferred_locales(self, member_id: UUID) -> tuple[str | None, str | None]:
        """The locale of the member's person and that of the organization."""
        statement = (
            self._select(members, people.c.locale.label("person"), organizations.c.locale.label("organization"))
            .join(people, people.c.id == members.c.person_id)
            .join(organizations, organizations.c.id == members.c.organization_id)
            .where(members.c.id == member_id)
        )
        row = (await self._connection.execute(statement)).one()
        return row.person, row.organization

    async def last_of_tasks(self, task_ids: Sequence[UUID]) -> dict[UUID, LastExecution]:
        """The youngest execution of each of the tasks that has one."""
        candidate = executions.alias("candidate")
        # One look into the index per task, however many executions it has.
        youngest = (
            self._select(candidate, candidate.c.id)
            .where(candidate.c.task_id == tasks.c.id)
            .order_by(candidate.c.created_at.desc(), candidate.c.id.desc())
            .limit(1)
            .correlate(tasks)
            .scalar_subquery()
        )
        columns = (tasks.c.id.label("task_id"), executions.c.id, executions.c.status, executions.c.finished_at)
        statement = (
            self._select(tasks, *columns).join(executions, executions.c.id == youngest).where(tasks.c.id.in_(task_ids))
        )
        rows = await self._connection.execute(statement)
        return {row.task_id: last_execution(row.id, row.status, row.finished_at) for row in rows}

    async def task_has_running(self, task_id: UUID) -> bool:
        """Whether a worker runs, or is asked to stop, an execution of the task."""
        statement = self._select(executions, executions.c.id).where(
            executions.c.task_id == task_id,
            executions.c.status.in_([Status.RUNNING.value, Status.CANCELING.value]),
        )
        return (await self._connection.execute(statement.limit(1))).first() is not None

    async def cancel_queued_of_task(self, task_id: UUID, now: datetime) -> None:
        """Cancel what waits in the queue; a worker that takes one up afterwards finds it over."""
        await self._connection.execute(
            self._update(executions)
            .where(executions.c.task_id == task_id, executions.c.status == Status.QUEUED.value)
            .values(
                status=Status.CANCELED.value,
                status_reason=TASK_DELETED,
                version=executions.c.version + 1,
                finished_at=now,
                updated_at=now,
            )
        )

    async def outputs(self, execution_id: UUID, after_id: UUID | None = None, limit: int = 100) -> Sequence[Output]:
        """What the execution handed back, in order, from behind the named output on; one more than the limit."""
        statement = self._outputs(execution_id)
        if after_id is not None:
            last = execution_outputs.alias("last")
            reached = self._select(last, last.c.index).where(last.c.id == after_id).scalar_subquery()
            statement = statement.where(execution_outputs.c.index > reached)
        rows = await self._connection.execute(statement.limit(limit + 1))
        return [output_from(row) for row in rows.mappings()]

    async def add_output(self, execution_id: UUID, output: Output) -> None:
        await self._insert(execution_outputs, output_columns(execution_id, output))

    def _outputs(self, execution_id: UUID) -> sa.Select[Any]:
        return (
            self._select(execution_outputs, execution_outputs, *FILE_REFERENCES)
            .outerjoin(files, files.c.id == execution_outputs.c.file_id)
            .where(execution_outputs.c.execution_id == execution_id)
            .order_by(execution_outputs.c.index)
        )

    def _whole(self) -> sa.Select[Any]:
        return (
            self._select(executions, executions, *REFERENCES)
            .join(tasks, tasks.c.id == executions.c.task_id)
            .join(members, members.c.id == executions.c.requested_by)
            .join(people, people.c.id == members.c.person_id)
        )
