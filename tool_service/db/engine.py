"""The way to the database: one `Database` per process, on SQLite or PostgreSQL, from one URL.

Transactions are opened here and nowhere else. Repositories get a connection that is already
inside one; migrations and the durable engine get engines without asyncio on the same database.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from tool_service.db.failures import DatabaseUnavailable, is_unavailable
from tool_service.db.sqlite import connect_sqlite, open_connection, prepare_sqlite

Dialect = Literal["sqlite", "postgresql"]

# Of each kind and process: readers, and on PostgreSQL as many writers.
CONNECTIONS = 10
CONNECT_TIMEOUT_SECONDS = 5
POOL_TIMEOUT_SECONDS = 10


class Database:
    """One database and its connections.

    Reading and writing transactions have connections of their own. On SQLite there is one that
    writes, so writers wait for each other in its pool, in order, and not by polling the file's
    lock; readers never wait for them (WAL).
    """

    def __init__(self, url: str) -> None:
        """Connect lazily to `sqlite:///path` or `postgresql://user:password@host/database`.

        Raises:
            ValueError: the URL has another form.
        """
        parsed = parse_url(url)
        self.dialect = dialect_of(parsed)
        make = _sqlite_engine if self.dialect == "sqlite" else _postgres_engine
        self._writer = make(parsed, write=True)
        self._reader = make(parsed, write=False)

    @asynccontextmanager
    async def begin(self, *, write: bool) -> AsyncGenerator[AsyncConnection]:
        """One transaction: committed when the block ends, rolled back when it raises.

        A transaction that does not write refuses every write on both engines. Keep writing ones
        short, wait for no network inside, and open no second one inside: it would wait for the
        first. `connection.begin_nested()` makes a savepoint.

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
        await self._reader.dispose()


def _sqlite_engine(url: sa.URL, *, write: bool) -> AsyncEngine:
    engine = create_async_engine(
        url.set(drivername="sqlite+aiosqlite"),
        pool_size=1 if write else CONNECTIONS,
        max_overflow=0,
        pool_timeout=POOL_TIMEOUT_SECONDS,
        connect_args={"async_creator_fn": open_connection},
    )
    prepare_sqlite(engine.sync_engine, write=write)
    return engine


def _postgres_engine(url: sa.URL, *, write: bool) -> AsyncEngine:
    engine = create_async_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_size=CONNECTIONS,
        max_overflow=0,
        pool_timeout=POOL_TIMEOUT_SECONDS,
        pool_pre_ping=True,
        connect_args={"connect_timeout": CONNECT_TIMEOUT_SECONDS},
    )
    if not write:
        # Once per connection: psycopg then says BEGIN READ ONLY, at no cost per transaction.
        @event.listens_for(engine.sync_engine, "connect")
        def _on_connect(connection: Any, _record: object) -> None:
            connection.set_read_only(True)

    return engine


def sync_engine(url: str) -> sa.Engine:
    """An engine without asyncio on the same database, whose transactions all may write: for migrations.

    Raises:
        ValueError: the URL has another form than `Database` takes.
    """
    engine = _plain_engine(url)
    if engine.dialect.name == "sqlite":
        prepare_sqlite(engine, write=True)
    return engine


def dbos_engine(url: str) -> sa.Engine:
    """The engine to hand to DBOS, whose tables lie in the same database.

    On SQLite it gets our connections, but begins transactions as DBOS expects it: the driver says
    BEGIN IMMEDIATE before the first write. Its migrations say BEGIN themselves, and its many polls
    are then reads that take no lock.

    Raises:
        ValueError: the URL has another form than `Database` takes.
    """
    engine = _plain_engine(url)
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "connect")
        def _on_connect(connection: Any, _record: object) -> None:
            connect_sqlite(connection, write=True)
            connection.isolation_level = "IMMEDIATE"

    return engine


def _plain_engine(url: str) -> sa.Engine:
    parsed = parse_url(url)
    if dialect_of(parsed) == "sqlite":
        return sa.create_engine(parsed.set(drivername="sqlite+pysqlite"))
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
