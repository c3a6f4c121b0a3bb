"""The engine's promises, the same on SQLite and PostgreSQL."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.db.engine import Database, dbos_engine, sync_engine
from tool_service.db.failures import DatabaseUnavailable
from tool_service.db.tables import members, workers

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


async def _worker_ids(database: Database) -> list[str]:
    async with database.begin(write=False) as connection:
        return list(await connection.scalars(sa.select(workers.c.executor_id).order_by(workers.c.executor_id)))


def _worker(executor_id: str) -> sa.Insert:
    return sa.insert(workers).values(executor_id=executor_id, started_at=NOON, seen_at=NOON)


async def _write_and_raise(transaction: AbstractAsyncContextManager[AsyncConnection]) -> None:
    async with transaction as connection:
        await connection.execute(_worker("lost"))
        raise LookupError


@asynccontextmanager
async def _savepoint(connection: AsyncConnection) -> AsyncGenerator[AsyncConnection]:
    async with connection.begin_nested():
        yield connection


async def test_a_transaction_that_ends_is_kept_and_one_that_raises_is_not(database: Database) -> None:
    async with database.begin(write=True) as connection:
        await connection.execute(_worker("kept"))
    with pytest.raises(LookupError):
        await _write_and_raise(database.begin(write=True))
    assert await _worker_ids(database) == ["kept"]


async def test_a_savepoint_that_raises_leaves_the_rest_of_the_transaction(database: Database) -> None:
    async with database.begin(write=True) as connection:
        await connection.execute(_worker("kept"))
        with pytest.raises(LookupError):
            await _write_and_raise(_savepoint(connection))
    assert await _worker_ids(database) == ["kept"]


async def test_a_transaction_opened_for_reading_refuses_to_write(database: Database) -> None:
    with pytest.raises(sa.exc.DBAPIError):
        async with database.begin(write=False) as connection:
            await connection.execute(_worker("refused"))
    async with database.begin(write=True) as connection:
        await connection.execute(_worker("kept"))
    assert await _worker_ids(database) == ["kept"]


async def test_concurrent_read_modify_write_transactions_lose_no_update(database: Database) -> None:
    counter = sa.table("counter", sa.column("value", sa.Integer))
    async with database.begin(write=True) as connection:
        await connection.execute(sa.text("CREATE TABLE counter (value INTEGER NOT NULL)"))
        await connection.execute(sa.insert(counter).values(value=0))

    async def increment() -> None:
        async with database.begin(write=True) as connection:
            value = await connection.scalar(sa.select(counter.c.value).with_for_update())
            assert value is not None
            await connection.execute(sa.update(counter).values(value=value + 1))

    await asyncio.gather(*(increment() for _ in range(40)))
    async with database.begin(write=False) as connection:
        assert await connection.scalar(sa.select(counter.c.value)) == 40


async def test_a_reader_does_not_wait_for_a_writer_and_sees_only_what_is_committed(database: Database) -> None:
    async with database.begin(write=True) as connection:
        await connection.execute(_worker("pending"))
        async with asyncio.timeout(30):
            assert await _worker_ids(database) == []
    assert await _worker_ids(database) == ["pending"]


async def test_a_cancelled_writer_rolls_back_and_frees_the_way_for_the_next(database: Database) -> None:
    inside = asyncio.Event()

    async def write_and_wait() -> None:
        async with database.begin(write=True) as connection:
            await connection.execute(_worker("lost"))
            inside.set()
            await asyncio.Event().wait()

    writer = asyncio.create_task(write_and_wait())
    async with asyncio.timeout(30):
        await inside.wait()
        writer.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writer
        async with database.begin(write=True) as connection:
            await connection.execute(_worker("kept"))
    assert await _worker_ids(database) == ["kept"]


async def test_a_row_whose_organization_does_not_exist_is_refused(database: Database) -> None:
    nobody = UUID(int=1)
    values = {"organization_id": nobody, "person_id": nobody, "role": "owner", "status": "active"}
    with pytest.raises(sa.exc.IntegrityError):
        async with database.begin(write=True) as connection:
            await connection.execute(sa.insert(members).values(id=nobody, created_at=NOON, updated_at=NOON, **values))


def test_the_engine_without_asyncio_answers_unixepoch_with_fractions_on_any_sqlite(sqlite_url: str) -> None:
    engine = sync_engine(sqlite_url)
    with engine.begin() as connection:
        exact, whole = connection.execute(sa.text("SELECT unixepoch('now', 'subsec'), unixepoch()")).one()
    engine.dispose()
    assert 0 <= exact - whole < 2


async def test_the_durable_engine_polls_without_keeping_writers_out(database_url: str, database: Database) -> None:
    engine = dbos_engine(database_url)
    with engine.begin() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(workers)) == 0
        async with asyncio.timeout(30), database.begin(write=True) as writer:
            await writer.execute(_worker("kept"))
    engine.dispose()
    assert await _worker_ids(database) == ["kept"]


async def test_the_durable_engine_and_ours_write_in_turn(database_url: str, database: Database) -> None:
    engine = dbos_engine(database_url)
    with engine.begin() as connection:
        connection.execute(_worker("theirs"))
    async with database.begin(write=True) as writer:
        await writer.execute(_worker("ours"))
    engine.dispose()
    assert await _worker_ids(database) == ["ours", "theirs"]


async def test_a_database_that_cannot_be_reached_is_unavailable(tmp_path: Path) -> None:
    for url in (f"sqlite:///{tmp_path}/no/such/folder/kadu.db", f"postgresql://nobody@/nothing?host={tmp_path}"):
        database = Database(url)
        with pytest.raises(DatabaseUnavailable):
            async with database.begin(write=False) as connection:
                await connection.execute(sa.text("SELECT 1"))
        await database.close()


async def test_a_statement_that_is_wrong_does_not_make_the_database_unavailable(database: Database) -> None:
    with pytest.raises((sa.exc.OperationalError, sa.exc.ProgrammingError)):
        async with database.begin(write=False) as connection:
            await connection.execute(sa.text("SELECT no_such_column FROM people"))


async def test_a_database_that_nobody_migrated_is_unavailable_until_somebody_does(database: Database) -> None:
    with pytest.raises(DatabaseUnavailable):
        async with database.begin(write=False) as connection:
            await connection.execute(sa.text("SELECT * FROM no_such_table"))
