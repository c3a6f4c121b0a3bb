"""Ending a turn: the bytes of its files first, then everything else in one transaction, once."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import Enum

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.db.engine import Database
from tool_service.domain.execution_outputs import FileReference, output_file_id
from tool_service.domain.executions import Execution, Status
from tool_service.domain.files import File, FilePurpose, FileStatus, object_key
from tool_service.execution.claims import ClaimedTurn
from tool_service.execution.messages import FAILURES
from tool_service.execution.results import BoundedResult, UnusableResult, bounded, outputs_of, settled
from tool_service.execution.transitions import Transitions, canceled, failed
from tool_service.ports import ObjectStore, OutputFile, StoredObject, TurnResult
from tool_service.repositories.executions import ExecutionRepository
from tool_service.repositories.files import FileRepository

_log = structlog.get_logger(__name__)

_CHUNK_BYTES = 64 * 1024


class Ending(Enum):
    """How a turn ended without a result of its runner; the value is the failure's reason."""

    CANCELED = "canceled"
    TIMEOUT = "timeout"
    INTERNAL_ERROR = "internal_error"
    INPUT_REJECTED = "input_rejected"
    DEPENDENCY_UNAVAILABLE = "dependency_unavailable"
    AGENT_ERROR = "agent_error"


@dataclass(frozen=True, slots=True)
class _Kept:
    """A result whose file bytes lie in the store."""

    result: TurnResult
    bounded: BoundedResult
    stored: tuple[StoredObject, ...]


@dataclass(frozen=True, slots=True)
class Settlement:
    """Writes the end of turns."""

    database: Database
    object_store: ObjectStore
    transitions: Transitions

    async def settle(self, turn: ClaimedTurn, outcome: TurnResult | Ending) -> None:
        """Store how the turn ended, unless the execution is over or another attempt has it.

        Raises:
            DatabaseUnavailable: nothing is settled; file bytes may lie in the store, under the keys
                that the next attempt writes again.
        """
        kept = await self._keep(turn, outcome) if isinstance(outcome, TurnResult) else outcome
        while True:
            async with self.database.begin(write=True) as connection:
                repository = ExecutionRepository(connection, turn.organization_id)
                read = await repository.find(turn.execution.id)
                if read is None or read.status.terminal or read.attempt != turn.execution.attempt:
                    _log.info("turn_result_dropped", execution_id=str(turn.execution.id))
                    return
                moved = self._ended(turn, read, kept)
                if not await self.transitions.store(connection, turn.organization_id, read, moved):
                    # Somebody asked to stop it in between; what finished first still counts.
                    continue
                if isinstance(kept, _Kept):
                    await self._add_outputs(connection, turn, moved, kept)
                _log.info("turn_settled", execution_id=str(moved.id), status=moved.status.value)
                return

    async def _keep(self, turn: ClaimedTurn, result: TurnResult) -> _Kept | Ending:
        try:
            kept = bounded(result)
        except UnusableResult as error:
            _log.warning("turn_result_unusable", execution_id=str(turn.execution.id), problem=str(error))
            return Ending.AGENT_ERROR
        stored: list[StoredObject] = []
        for index, file in enumerate(kept.files):
            key = object_key(turn.organization_id, output_file_id(turn.execution.id, index))
            try:
                stored.append(await self.object_store.write(key, _chunks(file)))
            except OSError:
                _log.exception("turn_output_not_stored", execution_id=str(turn.execution.id))
                return Ending.DEPENDENCY_UNAVAILABLE
        return _Kept(result, kept, tuple(stored))

    def _ended(self, turn: ClaimedTurn, read: Execution, kept: _Kept | Ending) -> Execution:
        now = self.transitions.clock.now()
        if isinstance(kept, _Kept):
            return settled(read, kept.result, kept.bounded, now)
        if read.status is Status.CANCELING or kept is Ending.CANCELED:
            return canceled(read, now)
        return failed(read, now, kept.value, FAILURES[kept.value].in_(turn.language))

    async def _add_outputs(
        self, connection: AsyncConnection, turn: ClaimedTurn, execution: Execution, kept: _Kept
    ) -> None:
        now = execution.updated_at
        file_repository = FileRepository(connection, turn.organization_id)
        references: list[FileReference] = []
        for index, (file, stored) in enumerate(zip(kept.bounded.files, kept.stored, strict=True)):
            row = File(
                id=output_file_id(execution.id, index),
                filename=file.filename,
                content_type=file.content_type,
                size_bytes=stored.size_bytes,
                sha256=stored.sha256,
                declared_sha256=None,
                purpose=FilePurpose.OUTPUT,
                status=FileStatus.READY,
                rejected_reason=None,
                execution_id=execution.id,
                created_by=execution.requested_by.id,
                external_id=None,
                tags=(),
                confirmed_at=now,
                upload_expires_at=None,
                created_at=now,
                updated_at=now,
            )
            await file_repository.add(row)
            references.append(FileReference(row.id, row.filename, row.content_type, row.size_bytes))
        repository = ExecutionRepository(connection, turn.organization_id)
        for output in outputs_of(execution, kept.bounded, tuple(references), now):
            await repository.add_output(execution.id, output)


async def _chunks(file: OutputFile) -> AsyncIterator[bytes]:
    for start in range(0, len(file.content), _CHUNK_BYTES):
        yield file.content[start : start + _CHUNK_BYTES]
