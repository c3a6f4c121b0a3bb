"""What happens to approvals by themselves: runs are taken over, questions expire, contents are forgotten."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import structlog

from tool_service.approvals.receipts import expire
from tool_service.approvals.runs import ApprovedRuns
from tool_service.db.engine import Database, DatabaseUnavailable
from tool_service.domain.approvals import Approval
from tool_service.ports import Clock, Ids
from tool_service.repositories.approvals import ApprovalDirectory

_log = structlog.get_logger(__name__)
_BATCH = 100

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Due:
    """What there is to do, found by reading alone: nearly always nothing."""

    late: Sequence[Approval] = ()
    stalled: Sequence[Approval] = ()
    remembers_too_long: bool = False


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
            await self.look()
            try:
                await asyncio.wait_for(stop.wait(), every_seconds)
            except TimeoutError:
                continue

    async def look(self) -> None:
        """Once over everything. What cannot be done now is left for the next time, and keeps nothing else waiting."""
        due = await self._guarded(self._due()) or _Due()
        for approval in due.late:
            await self._guarded(self._expire(approval))
        for approval in due.stalled:
            await self._guarded(self.runs.take_over(approval))
        if due.remembers_too_long:
            await self._guarded(self._forget_content())

    async def _due(self) -> "_Due":
        now = self.clock.now()
        async with self.database.begin(write=False) as connection:
            directory = ApprovalDirectory(connection)
            return _Due(
                await directory.late(now, _BATCH),
                await directory.stalled(now, _BATCH),
                await directory.remembers_too_long(now),
            )

    async def _expire(self, approval: Approval) -> None:
        async with self.database.begin(write=True) as connection:
            await expire(connection, approval, self.ids, self.clock.now())

    async def _forget_content(self) -> None:
        async with self.database.begin(write=True) as connection:
            await ApprovalDirectory(connection).forget_content(self.clock.now())

    async def _guarded(self, work: Awaitable[T]) -> T | None:
        try:
            return await work
        except DatabaseUnavailable as error:
            _log.warning("approvals.unavailable", exc_info=error)
        except Exception:
            # The rim of the process: what failed is on record, and the others still count on us.
            _log.exception("approvals.failed")
        return None
