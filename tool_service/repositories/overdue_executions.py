"""Executions that nobody moves any more, over all organizations: what the sweeper has to settle."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.db.tables import executions
from tool_service.domain.executions import CANCELING_AT_MOST, QUEUED_AT_MOST, Status


@dataclass(frozen=True, slots=True)
class Overdue:
    """Where the execution lies; it is read again, and moved, by its organization's own repository."""

    organization_id: UUID
    execution_id: UUID


class OverdueExecutions:
    """Not scoped, on purpose: it answers ids alone, to a worker that serves every organization."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def find(self, now: datetime, limit: int) -> Sequence[Overdue]:
        """Those queued for over 24 hours and those asked to stop over 30 seconds ago, longest waiting first."""
        statement = (
            sa.select(executions.c.organization_id, executions.c.id)
            .where(
                sa.or_(
                    sa.and_(
                        executions.c.status == Status.QUEUED.value, executions.c.updated_at <= now - QUEUED_AT_MOST
                    ),
                    sa.and_(
                        executions.c.status == Status.CANCELING.value,
                        executions.c.canceling_at <= now - CANCELING_AT_MOST,
                    ),
                )
            )
            .order_by(executions.c.updated_at)
            .limit(limit)
        )
        return [Overdue(row.organization_id, row.id) for row in await self._connection.execute(statement)]
