"""A worker is known by its heartbeat, and dead when that is too old."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

import sqlalchemy as sa

from tests.support.clock import NOON
from tool_service.db.engine import Database
from tool_service.db.tables import workers
from tool_service.repositories.workers import WorkerRegistry

MINUTE = timedelta(minutes=1)


async def _heartbeat(database: Database, executor_id: str, now: datetime) -> None:
    async with database.begin(write=True) as connection:
        await WorkerRegistry(connection).heartbeat(executor_id, now)


async def _dead(database: Database, before: datetime) -> Sequence[str]:
    async with database.begin(write=False) as connection:
        return await WorkerRegistry(connection).dead(before)


async def test_a_heartbeat_makes_a_worker_known_and_the_next_one_keeps_it_alive(database: Database) -> None:
    await _heartbeat(database, "a", NOON)
    await _heartbeat(database, "a", NOON + MINUTE)
    async with database.begin(write=False) as connection:
        rows = (await connection.execute(sa.select(workers))).all()
    assert [tuple(row) for row in rows] == [("a", NOON, NOON + MINUTE)]


async def test_workers_silent_since_before_the_moment_are_dead_longest_silent_first(database: Database) -> None:
    for executor_id, seen in (("late", 2), ("first", 0), ("second", 1), ("alive", 3)):
        await _heartbeat(database, executor_id, NOON + seen * MINUTE)
    assert await _dead(database, NOON + 3 * MINUTE) == ["first", "second", "late"]


async def test_a_forgotten_worker_is_neither_alive_nor_dead(database: Database) -> None:
    await _heartbeat(database, "a", NOON)
    async with database.begin(write=True) as connection:
        await WorkerRegistry(connection).forget("a")
        await WorkerRegistry(connection).forget("never known")
    assert await _dead(database, NOON + MINUTE) == []


async def test_first_heartbeats_at_once_make_one_worker(database: Database) -> None:
    async with asyncio.timeout(30):
        await asyncio.gather(*(_heartbeat(database, "a", NOON) for _ in range(4)))
    assert await _dead(database, NOON + MINUTE) == ["a"]
