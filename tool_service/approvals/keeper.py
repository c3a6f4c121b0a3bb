"""What happens to approvals by themselves: runs are taken over, questions expire, contents are forgotten."""

import asyncio
from dataclasses import dataclass

import structlog

from tool_service.approvals.receipts import expire
from tool_service.approvals.runs import ApprovedRuns
from tool_service.db.engine import Database, DatabaseUnavailable
from tool_service.ports import Clock, Ids
from tool_service.repositories.approvals import ApprovalDirectory

_log = structlog.get_logger(__name__)
_BATCH = 100


@dataclass(frozen=True, slots=True)
class Keeper:
    """Runs in every tool service; several at once do no harm, since every move is compared and set."""

    database: Database
    clock: Clock
    ids: Ids
    runs: ApprovedRuns

    async def keep(self, stop: asyncio.Event, every_seconds: float) -> None:
        """Look after them until `stop` is set."""
        while not stop.is_set():
            try:
                await self.look()
            except DatabaseUnavailable as error:
                _log.warning("approvals.unavailable", exc_info=error)
            except Exception:
                # The rim of the process: what failed is on record, and the others still count on us.
                _log.exception("approvals.failed")
            try:
                await asyncio.wait_for(stop.wait(), every_seconds)
            except TimeoutError:
                continue

    async def look(self) -> None:
        """Once over everything.

        Raises:
            DatabaseUnavailable: what was not reached is left for the next time.
        """
        now = self.clock.now()
        async with self.database.begin(write=False) as connection:
            directory = ApprovalDirectory(connection)
            late, stalled = await directory.late(now, _BATCH), await directory.stalled(now, _BATCH)
        for approval in late:
            async with self.database.begin(write=True) as connection:
                await expire(connection, approval, self.ids, now)
        for approval in stalled:
            await self.runs.take_over(approval)
        async with self.database.begin(write=True) as connection:
            await ApprovalDirectory(connection).forget_content(now)
