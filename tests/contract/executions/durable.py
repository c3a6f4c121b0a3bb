"""What the tests of the durable engine share: databases with its tables, and waiting without sleeping."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID

from tool_service.db.engine import Database
from tool_service.domain.executions import Execution
from tool_service.repositories.executions import ExecutionRepository

TIME_LIMIT_SECONDS = 30


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
