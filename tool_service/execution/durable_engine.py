"""What both sides of the durable engine must agree on, and how its tables come into our database.

The engine is imported inside functions: it takes seconds to load, and only workers and those
who enqueue need it.
"""

import importlib
import logging
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from tool_service.db.engine import dialect_of, parse_url

if TYPE_CHECKING:
    from dbos import DBOSClient

APPLICATION = "kadu"
# Fixed by hand, since the engine would make it from the workflow's code and then leave what an
# older release had begun lying. A workflow has no step of its own, so it never has to change.
APPLICATION_VERSION = "turns-1"
TURNS_QUEUE = "turns"
RUN_TURN = "run_turn"


def load() -> None:
    """Import the engine: seconds of work, best done in a thread and before anything is timed."""
    importlib.import_module("dbos")


def workflow_id(execution_id: object) -> str:
    """One workflow per execution: to enqueue it again changes nothing."""
    return f"turn:{execution_id}"


def install_tables(url: str) -> None:
    """Create the engine's tables beside ours, or bring them up to date.

    Safe to run from several processes at once: the engine takes an advisory lock on PostgreSQL
    and the write lock on SQLite. Services and workers only verify the tables and never change them.
    """
    from dbos import DBOS

    quiet_logs()
    DBOS.migrate(url_for_engine(url))


def url_for_engine(url: str) -> str:
    """The same database as the engine spells it."""
    parsed = parse_url(url)
    driver = "sqlite" if dialect_of(parsed) == "sqlite" else "postgresql+psycopg"
    return parsed.set(drivername=driver).render_as_string(hide_password=False)


def open_client(engine: sa.Engine) -> "DBOSClient":
    """A client of the engine; it connects at its first use."""
    from dbos import DBOSClient

    quiet_logs()
    return DBOSClient(system_database_engine=engine, serializer=serializer(), application_name=APPLICATION, lazy=True)


def serializer() -> Any:
    """How arguments are stored: as JSON, and never as pickles, which could run code when they are read."""
    from dbos import DBOSPortableJSONSerializer

    return DBOSPortableJSONSerializer()


def quiet_logs(level: int = logging.WARNING) -> None:
    """Have the engine log through the root logger, from the level on.

    It adds a console of its own when it finds no handler, and then keeps its lines to itself.
    """
    logger = logging.getLogger("dbos")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    logger.setLevel(level)
