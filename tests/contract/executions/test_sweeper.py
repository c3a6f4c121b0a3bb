"""What the sweeper settles of the executions that nobody moves, on both databases."""

from datetime import timedelta
from typing import Any

import pytest

from tests.contract.executions.stage import Stage, set_stage
from tests.support.clock import NOON
from tool_service.db.engine import Database, sync_engine
from tool_service.domain.executions import Status
from tool_service.execution.durable_engine import open_client
from tool_service.execution.sweeper import Sweeper
from tool_service.execution.transitions import Transitions
from tool_service.repositories.workers import WorkerRegistry


async def sweep(url: str, stage: Stage, *, take_over: bool = False) -> None:
    engine = sync_engine(url)
    client = open_client(engine)
    transitions = Transitions(stage.clock, stage.ids)
    sweeper = Sweeper(stage.database, transitions, client, "worker-me", timedelta(seconds=15))
    await (sweeper.take_over() if take_over else sweeper.settle_overdue())
    client.destroy()
    engine.dispose()


@pytest.mark.parametrize(
    ("execution", "waited", "ends"),
    [
        ({"status": "queued"}, timedelta(hours=24), (Status.EXPIRED, "queue_timeout")),
        ({"status": "queued"}, timedelta(hours=24) - timedelta(seconds=1), (Status.QUEUED, None)),
        (
            {"status": "canceling", "status_reason": "user_request", "canceling_at": NOON, "attempt": 1},
            timedelta(seconds=30),
            (Status.CANCELED, "user_request"),
        ),
        (
            {"status": "canceling", "status_reason": "user_request", "canceling_at": NOON, "attempt": 1},
            timedelta(seconds=29),
            (Status.CANCELING, "user_request"),
        ),
        ({"status": "running", "attempt": 1}, timedelta(hours=48), (Status.RUNNING, None)),
        ({"status": "completed"}, timedelta(hours=48), (Status.COMPLETED, None)),
    ],
)
async def test_only_what_is_overdue_is_settled(
    database: Database,
    database_url: str,
    execution: dict[str, Any],
    waited: timedelta,
    ends: tuple[Status, str | None],
) -> None:
    stage = await set_stage(database, **execution)
    stage.clock.advance(waited)
    await sweep(database_url, stage)

    found = await stage.execution()
    assert (found.status, found.status_reason) == ends


async def test_a_settled_execution_has_its_audit_row_and_its_end(database: Database, database_url: str) -> None:
    stage = await set_stage(database)
    stage.clock.advance(timedelta(hours=24))
    await sweep(database_url, stage)

    assert (await stage.execution()).finished_at == stage.clock.now()
    assert [each.action for each in await stage.events()] == ["executions_expired"]


async def test_a_worker_without_a_heartbeat_is_forgotten_and_a_living_one_is_not(
    engine_url: str, database: Database
) -> None:
    stage = await set_stage(database)
    async with database.begin(write=True) as connection:
        registry = WorkerRegistry(connection)
        await registry.heartbeat("worker-dead", NOON)
        await registry.heartbeat("worker-me", NOON)
        await registry.heartbeat("worker-alive", NOON + timedelta(seconds=1))
    stage.clock.advance(timedelta(seconds=16))
    await sweep(engine_url, stage, take_over=True)

    async with database.begin(write=False) as connection:
        assert await WorkerRegistry(connection).living(NOON) == {"worker-me", "worker-alive"}
