"""How SQLite is made to keep the promises that PostgreSQL keeps by itself."""

import asyncio
import sqlite3
import time
from typing import Any

import aiosqlite
import sqlalchemy as sa
from sqlalchemy import event

BUSY_TIMEOUT_SECONDS = 10

# The SQLite that has `unixepoch(..., 'subsec')`, which the durable engine's tables default to.
_SUBSECOND_SQLITE = (3, 42, 0)


def prepare_sqlite(engine: sa.Engine, *, write: bool) -> None:
    """Make SQLite transactional as PostgreSQL is.

    Left alone, the driver runs a SELECT outside the transaction, which loses updates in silence,
    and a deferred BEGIN that turns into a write fails at once instead of waiting.
    """

    @event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _record: object) -> None:
        connect_sqlite(connection, write=write)

    @event.listens_for(engine, "begin")
    def _on_begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


async def open_connection(*arguments: Any, **options: Any) -> aiosqlite.Connection:
    """A connection of the asyncio driver, for SQLAlchemy's `async_creator_fn`.

    When it cannot be opened, the driver's thread is waited for: left alone it reports to a loop
    that may be closed by then, and dies with a traceback.
    """
    connection = aiosqlite.connect(*arguments, **options)
    # SQLAlchemy does the same for connections of its own making: no thread keeps the process alive.
    connection._thread.daemon = True
    try:
        return await connection
    except BaseException:
        await asyncio.to_thread(connection._thread.join)
        raise


def connect_sqlite(connection: Any, *, write: bool) -> None:
    """Prepare a fresh connection of either driver; nothing begins a transaction on it by itself."""
    connection.isolation_level = None
    if sqlite3.sqlite_version_info < _SUBSECOND_SQLITE:
        connection.create_function("unixepoch", -1, _unixepoch)
    cursor = connection.cursor()
    # First, so that the pragmas below wait for a lock too.
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_SECONDS * 1000}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    if not write:
        cursor.execute("PRAGMA query_only = ON")
    cursor.close()


def _unixepoch(*arguments: str) -> float | int:
    """`unixepoch('subsec')` and `unixepoch('now', 'subsec')`, as a younger SQLite answers them."""
    moment = time.time()
    return round(moment, 3) if "subsec" in arguments or "subsecond" in arguments else int(moment)
