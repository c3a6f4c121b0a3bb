"""The worker with the real engine, on both databases: what is queued runs once, and nothing is lost."""

import asyncio
from uuid import UUID

import pytest

from tests.contract.executions.durable import QUICK, just_now, over, until, working
from tests.support.clock import FakeClock
from tests.support.factories import add_execution, add_member
from tests.support.fake_object_store import FakeObjectStore
from tests.support.staged_runner import StagedRunner, blocking, returning
from tool_service.adapters.system import SystemClock, UuidV7
from tool_service.db.engine import Database
from tool_service.domain.executions import Status
from tool_service.execution.turn_queue import DurableTurnQueue
from tool_service.execution.worker import Worker, WorkerSettings
from tool_service.ports import TurnResult


async def enqueue(
    database: Database,
    queue: DurableTurnQueue,
    organization_id: UUID,
    member_id: UUID,
    then: type[Exception] | None = None,
) -> UUID:
    """Queue an execution; `then` is raised before the transaction commits."""
    async with database.begin(write=True) as connection:
        now = just_now()
        row = await add_execution(
            connection, organization_id=organization_id, requested_by=member_id, queued_at=now, created_at=now
        )
        await queue.enqueue(connection, organization_id, row["id"])
        if then is not None:
            raise then
    return row["id"]


async def new_member(database: Database) -> tuple[UUID, UUID]:
    async with database.begin(write=True) as connection:
        member = await add_member(connection)
    return member["organization_id"], member["id"]


async def test_what_is_enqueued_in_a_committed_transaction_runs_to_its_end_once(
    engine_url: str, database: Database, queue: DurableTurnQueue
) -> None:
    organization_id, member_id = await new_member(database)
    runner = returning(TurnResult(text="Pronto."))
    async with working(engine_url, database, runner):
        execution_id = await enqueue(database, queue, organization_id, member_id)
        execution = await until(database, organization_id, execution_id, over)

    assert (execution.status, execution.output_text, execution.attempt) == (Status.COMPLETED, "Pronto.", 1)
    assert [turn.execution_id for turn in runner.turns] == [execution_id]


async def test_what_is_rolled_back_never_runs(engine_url: str, database: Database, queue: DurableTurnQueue) -> None:
    organization_id, member_id = await new_member(database)
    runner = returning(TurnResult(text="Pronto."))
    async with working(engine_url, database, runner):
        with pytest.raises(ZeroDivisionError):
            await enqueue(database, queue, organization_id, member_id, then=ZeroDivisionError)
        # One that is queued later ends, so the one that was rolled back had its chance.
        execution_id = await enqueue(database, queue, organization_id, member_id)
        await until(database, organization_id, execution_id, over)

    assert [turn.execution_id for turn in runner.turns] == [execution_id]


async def test_one_organization_with_a_full_queue_does_not_delay_another(
    engine_url: str, database: Database, queue: DurableTurnQueue
) -> None:
    busy, busy_member = await new_member(database)
    calm, calm_member = await new_member(database)
    runner = blocking()
    settings = WorkerSettings(
        organization_concurrency=1, poll_seconds=0.02, watch_seconds=0.02, grace_seconds=0.01, sweep_seconds=60
    )
    async with working(engine_url, database, runner, settings):
        waiting = {await enqueue(database, queue, busy, busy_member) for _ in range(3)}
        first = await runner.next_begun()
        execution_id = await enqueue(database, queue, calm, calm_member)

        assert first in waiting
        assert await runner.next_begun() == execution_id


async def test_a_running_turn_is_handed_back_when_the_worker_stops_and_ends_with_the_next_one(
    engine_url: str, database: Database, queue: DurableTurnQueue
) -> None:
    organization_id, member_id = await new_member(database)
    stuck = blocking()
    settings = WorkerSettings(poll_seconds=0.02, grace_seconds=0.01)
    async with working(engine_url, database, stuck, settings):
        execution_id = await enqueue(database, queue, organization_id, member_id)
        assert await stuck.next_begun() == execution_id
    handed_back = await until(database, organization_id, execution_id, lambda each: True)
    async with working(engine_url, database, returning(TurnResult(text="Pronto."))):
        execution = await until(database, organization_id, execution_id, over)

    assert handed_back.status is Status.RUNNING
    assert (execution.status, execution.attempt) == (Status.COMPLETED, 2)


async def test_a_turn_under_way_ends_within_the_grace_of_a_stopping_worker(
    engine_url: str, database: Database, queue: DurableTurnQueue
) -> None:
    organization_id, member_id = await new_member(database)
    go_on = asyncio.Event()

    async def play(_turn: object, _observer: object) -> TurnResult:
        await go_on.wait()
        return TurnResult(text="Pronto.")

    runner = StagedRunner(play)
    clock = SystemClock()
    worker = Worker(engine_url, database, FakeObjectStore(FakeClock()), runner, clock, UuidV7(), QUICK)
    await worker.start()
    execution_id = await enqueue(database, queue, organization_id, member_id)
    await runner.next_begun()
    stopping = asyncio.create_task(worker.stop())
    go_on.set()
    await stopping
    execution = await until(database, organization_id, execution_id, lambda each: True)

    assert (execution.status, execution.attempt) == (Status.COMPLETED, 1)
