"""What the tests of the durable engine share: databases with its tables, and waiting without sleeping."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from uuid import UUID

from tests.support.fake_object_store import FakeObjectStore
from tool_service.adapters.system import SystemClock, UuidV7
from tool_service.db.engine import Database
from tool_service.domain.executions import Execution
from tool_service.execution.worker import Worker, WorkerSettings
from tool_service.ports import Runner
from tool_service.repositories.executions import ExecutionRepository

TIME_LIMIT_SECONDS = 60

QUICK = WorkerSettings(poll_seconds=0.02, watch_seconds=0.02, sweep_seconds=0.1, heartbeat_seconds=0.1)


async def until(
    database: Database, organization_id: UUID, execution_id: UUID, holds: Callable[[Execution], bool]
) -> Execution:
    """Read the execution again and again until the condition holds.

    Raises:
        TimeoutError: it did not within the time limit.
    """
    async with asyncio.timeout(TIME_LIMIT_SECONDS):
        while True:
            async with database.begin(write=False) as connection:
                execution = await ExecutionRepository(connection, organization_id).find(execution_id)
            assert execution is not None
            if holds(execution):
                return execution
            await asyncio.sleep(0.01)


def over(execution: Execution) -> bool:
    return execution.status.terminal


def just_now() -> datetime:
    """The engine's own clock is the machine's, so these tests live in real time."""
    return datetime.now(UTC)


@asynccontextmanager
async def working(
    url: str, database: Database, runner: Runner, settings: WorkerSettings = QUICK
) -> AsyncGenerator[Worker]:
    clock = SystemClock()
    worker = Worker(url, database, FakeObjectStore(clock), runner, clock, UuidV7(), settings)
    await worker.start()
    try:
        yield worker
    finally:
        await worker.stop()
