"""What no worker moves by itself: turns of workers that died, stops that nobody acknowledged, old queues."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import structlog

from tool_service.db.engine import Database
from tool_service.domain.executions import CANCELING_AT_MOST, QUEUE_TIMEOUT, QUEUED_AT_MOST, Execution, Status
from tool_service.execution.durable_engine import TURNS_QUEUE
from tool_service.execution.transitions import Transitions, canceled, expired
from tool_service.repositories.executions import ExecutionRepository
from tool_service.repositories.overdue_executions import Overdue, OverdueExecutions
from tool_service.repositories.workers import WorkerRegistry

if TYPE_CHECKING:
    from dbos import DBOSClient

_log = structlog.get_logger(__name__)

_BATCH = 100


@dataclass(frozen=True, slots=True)
class Sweeper:
    """Runs in every worker; several at once do no harm, since every move is compared and set.

    A worker is dead when its heartbeat is older than `dead_after`. Clocks of different machines
    must agree to within half of that.
    """

    database: Database
    transitions: Transitions
    client: "DBOSClient"
    executor_id: str
    dead_after: timedelta

    async def sweep(self) -> None:
        """Once over everything.

        Raises:
            DatabaseUnavailable: what was not reached is left for the next time.
        """
        await self.settle_overdue()
        await self.take_over()

    async def settle_overdue(self) -> None:
        """Cancel what was asked to stop over 30 seconds ago; expire what was queued over 24 hours ago."""
        async with self.database.begin(write=False) as connection:
            found = await OverdueExecutions(connection).find(self.transitions.clock.now(), _BATCH)
        for overdue in found:
            await self._settle(overdue)

    async def take_over(self) -> None:
        """Put the turns of dead workers back into the queue, where any worker takes them up.

        A turn goes back when no living worker has it, so one of a worker that nobody remembers
        does too. Two sweepers may put the same one back, the second after it was taken up again:
        that costs an attempt, and the attempt's number keeps the earlier one from writing.
        """
        now = self.transitions.clock.now()
        async with self.database.begin(write=False) as connection:
            registry = WorkerRegistry(connection)
            living = await registry.living(now - self.dead_after)
            dead = set(await registry.dead(now - self.dead_after)) - {self.executor_id}
        pending = await self.client.list_workflows_async(
            status="PENDING", queue_name=TURNS_QUEUE, load_input=False, load_output=False
        )
        # Whoever sweeps lives, however late its own heartbeat is.
        living |= {self.executor_id}
        orphans = [each.workflow_id for each in pending if each.executor_id not in living]
        if orphans:
            _log.warning("turns_taken_over", count=len(orphans))
            await self.client.resume_workflows_async(orphans, queue_name=TURNS_QUEUE)
        if dead:
            async with self.database.begin(write=True) as connection:
                for executor_id in dead:
                    await WorkerRegistry(connection).forget(executor_id)

    async def _settle(self, overdue: Overdue) -> None:
        async with self.database.begin(write=True) as connection:
            read = await ExecutionRepository(connection, overdue.organization_id).find(overdue.execution_id)
            moved = None if read is None else _overdue_end(read, self.transitions.clock.now())
            if read is not None and moved is not None:
                # Lost races are fine: somebody else moved it, which is all that was wanted.
                await self.transitions.store(connection, overdue.organization_id, read, moved)


def _overdue_end(read: Execution, now: datetime) -> Execution | None:
    if read.status is Status.QUEUED and now - read.queued_at >= QUEUED_AT_MOST:
        return expired(read, now, QUEUE_TIMEOUT)
    asked = read.canceling_at
    if read.status is Status.CANCELING and asked is not None and now - asked >= CANCELING_AT_MOST:
        return canceled(read, now)
    return None
