"""The way to the database: one `Database` per process, on SQLite or PostgreSQL, from one URL.

Transactions are opened here and nowhere else. Repositories get a connection that is already
inside one; the durable engine gets `sync_engine`, which treats SQLite in the same way.
"""

import sqlite3
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

Dialect = Literal["sqlite", "postgresql"]

BUSY_TIMEOUT_SECONDS = 10
CONNECT_TIMEOUT_SECONDS = 5
POOL_TIMEOUT_SECONDS = 10

# The SQLite that has `unixepoch(..., 'subsec')`, which the durable engine's tables default to.
_SUBSECOND_SQLITE = (3, 42, 0)

# What SQLite says when the file, the disk or a lock is at fault and not the statement.
_UNAVAILABLE_SQLITE = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PROTOCOL,
    }
)
# Classes of SQLSTATE: connection exception, insufficient resources, operator intervention;
# then serialization failure and deadlock, after which the same transaction may succeed.
_UNAVAILABLE_POSTGRES = ("08", "53", "57", "40001", "40P01")


class DatabaseUnavailable(Exception):
    """The database cannot be reached, is full or too busy; the same transaction may succeed later."""


class Database:
    """One database and its connections.

    On SQLite there is one writer, so writing transactions wait for each other in the pool of one
    connection, in order, and not by polling the file's lock. Readers never wait for it (WAL).
    """

    def __init__(self, url: str) -> None:
        """Connect lazily to `sqlite:///path` or `postgresql://user:password@host/database`.

        Raises:
            ValueError: the URL has another form.
        """
        parsed = parse_url(url)
        self.dialect = dialect_of(parsed)
        self._writer: AsyncEngine
        self._reader: AsyncEngine
        if self.dialect == "sqlite":
            async_url = parsed.set(drivername="sqlite+aiosqlite")
            self._writer = create_async_engine(
                async_url, pool_size=1, max_overflow=0, pool_timeout=POOL_TIMEOUT_SECONDS
            )
            self._reader = create_async_engine(
                async_url, pool_size=5, max_overflow=5, pool_timeout=POOL_TIMEOUT_SECONDS
            )
            prepare_sqlite(self._writer.sync_engine, write=True)
            prepare_sqlite(self._reader.sync_engine, write=False)
        else:
            self._writer = create_async_engine(
                parsed.set(drivername="postgresql+psycopg"),
                pool_size=10,
                max_overflow=10,
                pool_timeout=POOL_TIMEOUT_SECONDS,
                pool_pre_ping=True,
                connect_args={"connect_timeout": CONNECT_TIMEOUT_SECONDS},
            )
            self._reader = self._writer.execution_options(postgresql_readonly=True)

    @asynccontextmanager
    async def begin(self, *, write: bool) -> AsyncGenerator[AsyncConnection]:
        """One transaction: committed when the block ends, rolled back when it raises.

        A transaction that does not write refuses every write on both engines. Keep writing ones
        short and wait for no network inside; `connection.begin_nested()` makes a savepoint.

        Raises:
            DatabaseUnavailable: see there; its cause is the driver's error.
        """
        engine = self._writer if write else self._reader
        try:
            async with engine.begin() as connection:
                yield connection
        except (sa.exc.DBAPIError, sa.exc.TimeoutError) as error:
            if is_unavailable(error):
                raise DatabaseUnavailable(str(error.__cause__ or error)) from error
            raise

    async def close(self) -> None:
        """Close every connection; the database can be used again afterwards."""
        await self._writer.dispose()
        if self.dialect == "sqlite":
            await self._reader.dispose()


def sync_engine(url: str) -> sa.Engine:
    """An engine without asyncio on the same database, for migrations and for the durable engine.

    Raises:
        ValueError: the URL has another form than `Database` takes.
    """
    parsed = parse_url(url)
    if dialect_of(parsed) == "sqlite":
        engine = sa.create_engine(parsed.set(drivername="sqlite+pysqlite"))
        prepare_sqlite(engine, write=True)
        return engine
    return sa.create_engine(
        parsed.set(drivername="postgresql+psycopg"),
        pool_pre_ping=True,
        connect_args={"connect_timeout": CONNECT_TIMEOUT_SECONDS},
    )


def parse_url(url: str) -> sa.URL:
    """Our two URL forms.

    Raises:
        ValueError: it is neither; the message never repeats the URL, which may hold a password.
    """
    try:
        parsed = sa.make_url(url)
    except sa.exc.ArgumentError:
        parsed = None
    if parsed is None or parsed.drivername not in ("sqlite", "postgresql") or not parsed.database:
        raise ValueError("the database URL must be sqlite:///path or postgresql://user:password@host/database")
    return parsed


def dialect_of(url: sa.URL) -> Dialect:
    return "sqlite" if url.drivername == "sqlite" else "postgresql"


def is_unavailable(error: BaseException) -> bool:
    """Whether a driver's or pool's error says that the database, not the statement, is at fault."""
    if isinstance(error, sa.exc.TimeoutError):
        return True
    if not isinstance(error, sa.exc.DBAPIError):
        return False
    if error.connection_invalidated:
        return True
    cause = error.driver_exception
    if isinstance(cause, sqlite3.Error):
        # The low byte is the primary code; the rest says more about it (SQLITE_BUSY_SNAPSHOT, ...).
        return (getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF in _UNAVAILABLE_SQLITE
    sqlstate = getattr(cause, "sqlstate", None)
    if sqlstate is None:
        # psycopg names no SQLSTATE when there was no server to send one.
        return isinstance(error, sa.exc.OperationalError)
    return sqlstate.startswith(_UNAVAILABLE_POSTGRES)


def prepare_sqlite(engine: sa.Engine, *, write: bool) -> None:
    """Make SQLite transactional as PostgreSQL is.

    Left alone, the driver runs a SELECT outside the transaction, which loses updates in silence,
    and a deferred BEGIN that turns into a write fails at once instead of waiting.
    """

    @event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _record: object) -> None:
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

    @event.listens_for(engine, "begin")
    def _on_begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _unixepoch(*arguments: str) -> float | int:
    """`unixepoch('subsec')` and `unixepoch('now', 'subsec')`, as a younger SQLite answers them."""
    moment = time.time()
    return round(moment, 3) if "subsec" in arguments or "subsecond" in arguments else int(moment)
