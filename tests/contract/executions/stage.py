"""A claimed stage for turns without the engine: rows, a clock that stands still, and one look at the result."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from tests.support.clock import NOON, FakeClock, FakeIds
from tests.support.factories import Row, add_execution, add_task
from tests.support.fake_object_store import FakeObjectStore
from tool_service.db.engine import Database
from tool_service.domain.audit import AuditEvent
from tool_service.domain.execution_outputs import Output
from tool_service.domain.executions import Execution
from tool_service.execution.turn_control import Pause
from tool_service.execution.turns import Turns
from tool_service.ports import Runner
from tool_service.repositories.audit import AuditLog
from tool_service.repositories.executions import ExecutionRepository

TIMEOUT_SECONDS = 60


@dataclass(slots=True)
class Stage:
    """One execution, ready to be run."""

    database: Database
    organization_id: UUID
    execution_id: UUID
    clock: FakeClock = field(default_factory=FakeClock)
    ids: FakeIds = field(default_factory=FakeIds)
    store: FakeObjectStore = field(init=False)

    def __post_init__(self) -> None:
        self.store = FakeObjectStore(self.clock)

    async def perform(self, runner: Runner, pause: Pause) -> None:
        turns = Turns(self.database, self.store, runner, self.clock, self.ids, pause=pause)
        await turns.perform(self.organization_id, self.execution_id)

    async def execution(self) -> Execution:
        async with self.database.begin(write=False) as connection:
            found = await ExecutionRepository(connection, self.organization_id).find(self.execution_id)
        assert found is not None
        return found

    async def outputs(self) -> Sequence[Output]:
        async with self.database.begin(write=False) as connection:
            return await ExecutionRepository(connection, self.organization_id).outputs(self.execution_id)

    async def events(self) -> list[AuditEvent]:
        """Oldest first."""
        async with self.database.begin(write=False) as connection:
            found = await AuditLog(connection, self.organization_id).latest(20)
        return sorted(found, key=lambda event: event.id)

    async def move(self, execution: Execution) -> None:
        """Store the state over the present one, as another process would."""
        read = await self.execution()
        async with self.database.begin(write=True) as connection:
            assert await ExecutionRepository(connection, self.organization_id).move(read, execution)


async def set_stage(database: Database, task: Row | None = None, **execution: Any) -> Stage:
    async with database.begin(write=True) as connection:
        task_row = await add_task(connection, **{"timeout_seconds": TIMEOUT_SECONDS, **(task or {})})
        row = await add_execution(
            connection,
            organization_id=task_row["organization_id"],
            requested_by=task_row["created_by"],
            task_id=task_row["id"],
            queued_at=NOON,
            **execution,
        )
    return Stage(database, row["organization_id"], row["id"])
