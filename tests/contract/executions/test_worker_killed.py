"""A worker that is killed in mid-turn: another one takes the turn over, and it ends exactly once."""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from tests.contract.executions.durable import QUICK, TIME_LIMIT_SECONDS, just_now, over, until, working
from tests.support.factories import add_execution
from tests.support.staged_runner import returning
from tool_service.db.engine import Database
from tool_service.domain.executions import Status
from tool_service.execution.turn_queue import DurableTurnQueue
from tool_service.ports import OutputFile, TurnResult
from tool_service.repositories.audit import AuditLog
from tool_service.repositories.executions import ExecutionRepository


class WorkerProcess:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def reaches(self, stage: str) -> None:
        assert self._process.stdout is not None
        async with asyncio.timeout(TIME_LIMIT_SECONDS):
            while (line := await self._process.stdout.readline()).decode().strip() != stage:
                assert line, "the worker ended"

    async def kill(self) -> None:
        """SIGKILL: no handler runs, no connection is closed in order."""
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()


@asynccontextmanager
async def worker_process(url: str, stops_at: str) -> AsyncGenerator[WorkerProcess]:
    module = "tests.contract.executions.worker_process"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, url, stops_at, stdout=asyncio.subprocess.PIPE
    )
    worker = WorkerProcess(process)
    try:
        yield worker
    finally:
        await worker.kill()


@pytest.mark.parametrize("stage", ["run", "store"])
async def test_a_turn_whose_worker_is_killed_is_run_by_another_and_ends_exactly_once(
    engine_url: str, database: Database, queue: DurableTurnQueue, stage: str
) -> None:
    async with database.begin(write=True) as connection:
        row = await add_execution(connection, queued_at=just_now())
        await queue.enqueue(connection, row["organization_id"], row["id"])
    organization_id, execution_id = row["organization_id"], row["id"]
    result = TurnResult(text="Pronto.", files=[OutputFile("resumo.csv", "text/csv", b"a;b\n")])

    async with worker_process(engine_url, stops_at=stage) as killed:
        await killed.reaches(stage)
        await killed.kill()
    async with working(engine_url, database, returning(result), replace(QUICK, dead_after_seconds=0.5)):
        execution = await until(database, organization_id, execution_id, over)

    assert (execution.status, execution.attempt, execution.output_text) == (Status.COMPLETED, 2, "Pronto.")
    async with database.begin(write=False) as connection:
        outputs = await ExecutionRepository(connection, organization_id).outputs(execution_id)
        events = await AuditLog(connection, organization_id).latest(10)
    assert [(each.index, each.kind.value) for each in outputs] == [(0, "text"), (1, "file")]
    assert [each.action for each in reversed(events)] == [
        "executions_running",
        "executions_running",
        "executions_completed",
    ]
