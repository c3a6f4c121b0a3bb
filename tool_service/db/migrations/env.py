"""Run by Alembic for every command: which tables to compare, and how they are written down.

The connection comes from `db/migrate.py`, already inside a transaction that holds the lock.
"""

from collections.abc import Iterable
from typing import Any, Literal

import sqlalchemy as sa
from alembic import context
from alembic.autogenerate.api import AutogenContext
from alembic.operations import MigrationScript
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from tool_service.db.columns import Json, UtcDateTime
from tool_service.db.schema import metadata

# On SQLite the durable engine's tables lie among ours (on PostgreSQL they have a schema of their own).
# A name that is missing here fails the contract test on drift.
TABLES_OF_THE_DURABLE_ENGINE = frozenset(
    {
        "application_versions",
        "dbos_migrations",
        "event_dispatch_kv",
        "notifications",
        "operation_outputs",
        "queues",
        "streams",
        "workflow_events",
        "workflow_events_history",
        "workflow_input",
        "workflow_output",
        "workflow_schedules",
        "workflow_status",
    }
)


def _is_ours(name: str | None, kind: str, _parents: object) -> bool:
    return kind != "table" or name not in TABLES_OF_THE_DURABLE_ENGINE


def _rendered(kind: str, item: Any, autogenerate: AutogenContext) -> str | Literal[False]:
    """Our own types as plain ones: a revision must not change its meaning when our code changes."""
    if kind != "type":
        return False
    if isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if item is Json:
        autogenerate.imports.add("from sqlalchemy.dialects import postgresql")
        return 'sa.JSON().with_variant(postgresql.JSONB(), "postgresql")'
    return False


def _numbered(running: MigrationContext, _revision: object, scripts: Iterable[MigrationScript]) -> None:
    """Number revisions 0001, 0002, ...: their files then lie in the order in which they run."""
    directory = ScriptDirectory.from_config(context.config)
    for script in scripts:
        script.rev_id = f"{int(directory.get_current_head() or 0) + 1:04d}"


def _run(connection: sa.Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        transactional_ddl=True,
        include_name=_is_ours,
        render_item=_rendered,
        process_revision_directives=_numbered,
    )
    with context.begin_transaction():
        context.run_migrations()


_run(context.config.attributes["connection"])
