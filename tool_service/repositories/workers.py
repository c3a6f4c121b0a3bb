"""Which workers are alive: each shows its heartbeat here, and others take over from those that stopped."""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.db.tables import workers


class WorkerRegistry:
    """Not scoped, on purpose: a worker is a process of ours and works for every organization."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def heartbeat(self, executor_id: str, now: datetime) -> None:
        """Show that the worker lives; the first time makes it known."""
        if await self._touch(executor_id, now):
            return
        try:
            async with self._connection.begin_nested():
                await self._connection.execute(
                    sa.insert(workers).values(executor_id=executor_id, started_at=now, seen_at=now)
                )
        except IntegrityError:
            # Another connection of the same worker was first.
            await self._touch(executor_id, now)

    async def dead(self, before: datetime) -> Sequence[str]:
        """The workers last seen before the moment, longest silent first."""
        statement = (
            sa.select(workers.c.executor_id)
            .where(workers.c.seen_at < before)
            .order_by(workers.c.seen_at, workers.c.executor_id)
        )
        return list(await self._connection.scalars(statement))

    async def living(self, since: datetime) -> frozenset[str]:
        """The workers seen at the moment or after it."""
        statement = sa.select(workers.c.executor_id).where(workers.c.seen_at >= since)
        return frozenset(await self._connection.scalars(statement))

    async def forget(self, executor_id: str) -> None:
        """Remove a worker that ended, or whose work was taken over; an unknown one is fine."""
        await self._connection.execute(sa.delete(workers).where(workers.c.executor_id == executor_id))

    async def _touch(self, executor_id: str, now: datetime) -> bool:
        statement = sa.update(workers).where(workers.c.executor_id == executor_id).values(seen_at=now)
        return (await self._connection.execute(statement)).rowcount == 1
