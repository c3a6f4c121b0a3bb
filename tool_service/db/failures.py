"""Which errors mean that the database is at fault and not the statement: those are worth a later try."""

import sqlite3

import sqlalchemy as sa

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
# then serialization failure and deadlock, after which the same transaction may succeed;
# then an undefined table: nobody has migrated the database yet.
_UNAVAILABLE_POSTGRES = ("08", "53", "57", "40001", "40P01", "42P01")
_SQLITE_NOT_MIGRATED = "no such table"


class DatabaseUnavailable(Exception):
    """The database cannot be reached, is full, too busy or not migrated; the same transaction may succeed later."""


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
        if str(cause).startswith(_SQLITE_NOT_MIGRATED):
            return True
        # The low byte is the primary code; the rest says more about it (SQLITE_BUSY_SNAPSHOT, ...).
        return (getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF in _UNAVAILABLE_SQLITE
    sqlstate = getattr(cause, "sqlstate", None)
    if sqlstate is None:
        # psycopg names no SQLSTATE when there was no server to send one.
        return isinstance(error, sa.exc.OperationalError)
    return sqlstate.startswith(_UNAVAILABLE_POSTGRES)
