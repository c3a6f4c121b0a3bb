"""Between a running turn and the world: it shows its steps, and it hears that it must stop.

The turn hears it at its next step, and where it takes none (a long call to a model) by a watch
that ends it from outside.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime
from enum import Enum, auto
from uuid import UUID

from tool_service.db.engine import Database, DatabaseUnavailable
from tool_service.domain.executions import Status
from tool_service.domain.third_party_text import harmless_line
from tool_service.ports import Clock, TurnCanceled
from tool_service.repositories.executions import ExecutionRepository

Pause = Callable[[float], Awaitable[None]]

_TITLE_LENGTH = 200


class Stop(Enum):
    """Why a turn has to stop before its runner is done."""

    CANCELED = auto()
    """Somebody canceled the execution."""
    TIMEOUT = auto()
    """It has had all the time that its task allows."""
    LOST = auto()
    """The execution is over, or another attempt has it: nothing that this one does counts any more."""


class TurnControl:
    """ports.TurnObserver for one attempt; `stop` says why it raised."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        organization_id: UUID,
        execution_id: UUID,
        attempt: int,
        deadline: datetime,
    ) -> None:
        self._database = database
        self._clock = clock
        self._organization_id = organization_id
        self._execution_id = execution_id
        self._attempt = attempt
        self._deadline = deadline
        self.stop: Stop | None = None

    async def step(self, kind: str, title: str) -> None:
        now = self._clock.now()
        async with self._database.begin(write=True) as connection:
            repository = ExecutionRepository(connection, self._organization_id)
            shown = harmless_line(f"{kind}: {title}", _TITLE_LENGTH)
            status = await repository.note_step(self._execution_id, self._attempt, shown, now)
        self.stop = self._judge(status)
        if self.stop is not None:
            raise TurnCanceled

    async def watch(self, seconds: float, pause: Pause) -> Stop:
        """Return as soon as the turn has to stop, looking again after each pause."""
        while True:
            await pause(seconds)
            try:
                status = await self._status()
            except DatabaseUnavailable:
                # Nobody can have asked for anything meanwhile.
                continue
            if (stop := self._judge(status)) is not None:
                self.stop = stop
                return stop

    async def _status(self) -> Status | None:
        async with self._database.begin(write=False) as connection:
            standing = await ExecutionRepository(connection, self._organization_id).standing(self._execution_id)
        return None if standing is None or standing[1] != self._attempt else standing[0]

    def _judge(self, status: Status | None) -> Stop | None:
        if status is None or status.terminal:
            return Stop.LOST
        if status is Status.CANCELING:
            return Stop.CANCELED
        return Stop.TIMEOUT if self._clock.now() >= self._deadline else None
