"""ports.TurnQueue, on the fake and on the durable engine: a turn is queued if and only if its transaction commits."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from uuid import UUID

import pytest

from tests.support.clock import fake_id
from tests.support.fake_turn_queue import FakeTurnQueue
from tool_service.db.engine import Database, sync_engine
from tool_service.execution.durable_engine import install_tables, open_client
from tool_service.execution.turn_queue import DurableTurnQueue
from tool_service.ports import TurnQueue

ORGANIZATION, EXECUTION, OTHER_EXECUTION = fake_id(1), fake_id(2), fake_id(3)


@dataclass(frozen=True)
class Subject:
    queue: TurnQueue
    waiting: Callable[[], Awaitable[list[tuple[UUID, UUID]]]]


@pytest.fixture(params=["fake", "durable"])
async def subject(request: pytest.FixtureRequest, database_url: str) -> AsyncIterator[Subject]:
    if request.param == "fake":
        fake = FakeTurnQueue()

        async def enqueued() -> list[tuple[UUID, UUID]]:
            return list(fake.enqueued)

        yield Subject(fake, enqueued)
        return
    install_tables(database_url)
    queue, engine = DurableTurnQueue(database_url), sync_engine(database_url)
    client = open_client(engine)

    async def listed() -> list[tuple[UUID, UUID]]:
        found = await client.list_workflows_async(status="ENQUEUED")
        pairs: list[tuple[UUID, UUID]] = []
        for each in found:
            assert each.input is not None
            assert each.queue_partition_key == each.input["args"][0]
            pairs.append((UUID(each.input["args"][0]), UUID(each.input["args"][1])))
        return pairs

    yield Subject(queue, listed)
    client.destroy()
    engine.dispose()
    queue.close()


async def test_a_turn_is_there_after_the_commit_and_not_before(database: Database, subject: Subject) -> None:
    async with database.begin(write=True) as connection:
        await subject.queue.enqueue(connection, ORGANIZATION, EXECUTION)
        # The only writer of SQLite is this transaction, so nobody can look meanwhile.
        before = await subject.waiting() if database.dialect == "postgresql" else []

    assert before == []
    assert await subject.waiting() == [(ORGANIZATION, EXECUTION)]


async def test_a_turn_is_gone_with_its_transaction(database: Database, subject: Subject) -> None:
    async def enqueue_and_fail() -> None:
        async with database.begin(write=True) as connection:
            await subject.queue.enqueue(connection, ORGANIZATION, EXECUTION)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await enqueue_and_fail()

    assert await subject.waiting() == []


async def test_a_turn_is_gone_with_its_savepoint_while_the_transaction_commits(
    database: Database, subject: Subject
) -> None:
    async with database.begin(write=True) as connection:
        savepoint = await connection.begin_nested()
        await subject.queue.enqueue(connection, ORGANIZATION, EXECUTION)
        await savepoint.rollback()
        await subject.queue.enqueue(connection, ORGANIZATION, OTHER_EXECUTION)

    assert await subject.waiting() == [(ORGANIZATION, OTHER_EXECUTION)]


async def test_a_turn_of_a_released_savepoint_is_there(database: Database, subject: Subject) -> None:
    async with database.begin(write=True) as connection, connection.begin_nested():
        await subject.queue.enqueue(connection, ORGANIZATION, EXECUTION)

    assert await subject.waiting() == [(ORGANIZATION, EXECUTION)]


async def test_an_execution_that_is_queued_twice_is_there_once(database: Database, subject: Subject) -> None:
    for _ in range(2):
        async with database.begin(write=True) as connection:
            await subject.queue.enqueue(connection, ORGANIZATION, EXECUTION)

    assert await subject.waiting() == [(ORGANIZATION, EXECUTION)]
