"""Running one turn: claim the execution, run the agent, settle. Each may happen again; only one settles.

Whoever claims an execution raises its `attempt`. Everything that a turn writes carries its attempt,
so one that was taken for dead and lives on cannot change anything.
"""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import structlog

from tool_service.db.engine import Database, DatabaseUnavailable
from tool_service.domain.files import object_key
from tool_service.execution.claims import ClaimedTurn, claim
from tool_service.execution.settlement import Ending, Settlement
from tool_service.execution.transitions import Transitions
from tool_service.execution.turn_control import Pause, Stop, TurnControl
from tool_service.ports import Clock, Ids, InputFile, ObjectStore, Runner, Turn, TurnCanceled, TurnResult

_log = structlog.get_logger(__name__)

# How long a runner that was told to stop may take to do so before it is left behind.
_STOPPING_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Turns:
    """Performs turns with one runner. `watch_seconds` is how often a running turn looks whether to stop."""

    database: Database
    object_store: ObjectStore
    runner: Runner
    clock: Clock
    ids: Ids
    watch_seconds: float = 1.0
    pause: Pause = asyncio.sleep

    async def perform(self, organization_id: UUID, execution_id: UUID) -> None:
        """Bring the execution to its end, unless somebody else did.

        Raises:
            DatabaseUnavailable: the execution stands where it stood; perform it again later.
        """
        transitions = Transitions(self.clock, self.ids)
        turn = await claim(self.database, transitions, organization_id, execution_id)
        if turn is None:
            return
        _log.info("turn_started", execution_id=str(execution_id), attempt=turn.execution.attempt)
        outcome = await self._run(turn)
        if outcome is not None:
            await self._settle(Settlement(self.database, self.object_store, transitions), turn, outcome)

    async def _settle(self, settlement: Settlement, turn: ClaimedTurn, outcome: TurnResult | Ending) -> None:
        while True:
            try:
                return await settlement.settle(turn, outcome)
            except DatabaseUnavailable:
                # The result is paid for: keep it until the database is back, or somebody takes over.
                _log.warning("turn_settlement_delayed", execution_id=str(turn.execution.id))
                await self.pause(self.watch_seconds)

    async def _run(self, claimed: ClaimedTurn) -> TurnResult | Ending | None:
        """How the turn ended; None when it is no longer ours to end."""
        files = await self._read_files(claimed)
        if isinstance(files, Ending):
            return files
        execution = claimed.execution
        control = TurnControl(
            self.database,
            self.clock,
            claimed.organization_id,
            execution.id,
            execution.attempt,
            deadline=claimed.claimed_at + timedelta(seconds=claimed.task.timeout_seconds),
        )
        turn = Turn(
            execution_id=execution.id,
            instructions=claimed.task.instructions,
            message=execution.message or "",
            params=dict(execution.params),
            files=files,
            language=claimed.language.value,
        )
        running = asyncio.create_task(self.runner.run(turn, control), name=f"run {execution.id}")
        watching = asyncio.create_task(control.watch(self.watch_seconds, self.pause), name=f"watch {execution.id}")
        try:
            await asyncio.wait({running, watching}, return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                return self._outcome(running, control)
            return _ending(watching.result())
        finally:
            running.cancel()
            watching.cancel()
            stopped, _ = await asyncio.wait({running, watching}, timeout=_STOPPING_SECONDS)
            for task in stopped:
                # Looked at, so that asyncio does not report it once more.
                if not task.cancelled():
                    task.exception()

    async def _read_files(self, claimed: ClaimedTurn) -> list[InputFile] | Ending:
        if len(claimed.files) < len(claimed.execution.input_file_ids):
            return Ending.INPUT_REJECTED
        files: list[InputFile] = []
        for file in claimed.files:
            try:
                content = await self.object_store.read(object_key(claimed.organization_id, file.id))
            except FileNotFoundError:
                return Ending.INPUT_REJECTED
            except OSError:
                _log.exception("turn_input_not_read", execution_id=str(claimed.execution.id))
                return Ending.DEPENDENCY_UNAVAILABLE
            files.append(InputFile(file.id, file.filename, file.content_type, content))
        return files

    def _outcome(self, running: asyncio.Task[TurnResult], control: TurnControl) -> TurnResult | Ending | None:
        if running.cancelled():
            return Ending.INTERNAL_ERROR
        try:
            return running.result()
        except DatabaseUnavailable:
            # A step could not be shown: the turn is performed again as another attempt.
            raise
        except TurnCanceled:
            return Ending.INTERNAL_ERROR if control.stop is None else _ending(control.stop)
        except Exception:
            # The rim between us and whatever agent runs: its faults are its own, and never shown.
            _log.exception("runner_failed", turn=running.get_name())
            return Ending.INTERNAL_ERROR


def _ending(stop: Stop) -> Ending | None:
    match stop:
        case Stop.CANCELED:
            return Ending.CANCELED
        case Stop.TIMEOUT:
            return Ending.TIMEOUT
        case Stop.LOST:
            return None
