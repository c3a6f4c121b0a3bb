"""Claiming an execution for one attempt: first come, or taken over from a worker that was lost."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.db.engine import Database
from tool_service.domain.executions import MAX_ATTEMPTS, QUEUE_TIMEOUT, QUEUED_AT_MOST, Execution, Status
from tool_service.domain.files import File
from tool_service.domain.language import Language, choose_language
from tool_service.domain.tasks import Task
from tool_service.execution.messages import FAILURES
from tool_service.execution.transitions import Transitions, canceled, expired, failed, started
from tool_service.repositories.executions import ExecutionRepository
from tool_service.repositories.files import FileRepository
from tool_service.repositories.tasks import TaskRepository


@dataclass(frozen=True, slots=True)
class ClaimedTurn:
    """An execution that one attempt holds, and what its turn needs. Files that are gone are not in `files`."""

    organization_id: UUID
    execution: Execution
    task: Task
    files: tuple[File, ...]
    language: Language
    claimed_at: datetime


async def claim(
    database: Database, transitions: Transitions, organization_id: UUID, execution_id: UUID
) -> ClaimedTurn | None:
    """Take the execution up, or end it where there is nothing to run any more; then the answer is None."""
    while True:
        async with database.begin(write=True) as connection:
            repository = ExecutionRepository(connection, organization_id)
            read = await repository.find(execution_id)
            if read is None or read.status.terminal:
                return None
            language = choose_language("", *await repository.preferred_locales(read.requested_by.id))
            moved = _next(read, transitions.clock.now(), language)
            if not await transitions.store(connection, organization_id, read, moved):
                # Somebody canceled it in between: look again.
                continue
            return await _claimed(connection, organization_id, moved, language)


def _next(read: Execution, now: datetime, language: Language) -> Execution:
    match read.status:
        case Status.QUEUED if now - read.queued_at >= QUEUED_AT_MOST:
            return expired(read, now, QUEUE_TIMEOUT)
        case Status.CANCELING:
            return canceled(read, now)
        case Status.RUNNING if read.attempt >= MAX_ATTEMPTS:
            return failed(read, now, "worker_lost", FAILURES["worker_lost"].in_(language))
        case _:
            return started(read, now)


async def _claimed(
    connection: AsyncConnection, organization_id: UUID, execution: Execution, language: Language
) -> ClaimedTurn | None:
    if execution.status is not Status.RUNNING:
        return None
    task = await TaskRepository(connection, organization_id).get_any(execution.task.id)
    known = await FileRepository(connection, organization_id).get_many(execution.input_file_ids)
    files = tuple(known[file_id] for file_id in execution.input_file_ids if file_id in known)
    return ClaimedTurn(organization_id, execution, task, files, language, execution.updated_at)
