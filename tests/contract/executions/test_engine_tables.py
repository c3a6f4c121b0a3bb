"""The engine's tables come into our database without a race, and leave our own schema as it is."""

import asyncio

import sqlalchemy as sa

from tool_service.db import migrate
from tool_service.db.engine import sync_engine
from tool_service.execution.durable_engine import install_tables


async def test_several_processes_may_install_the_tables_at_once(database_url: str) -> None:
    await asyncio.gather(*(asyncio.to_thread(install_tables, database_url) for _ in range(4)))

    engine = sync_engine(database_url)
    schema = "dbos" if engine.dialect.name == "postgresql" else None
    assert "workflow_status" in sa.inspect(engine).get_table_names(schema)
    engine.dispose()


def test_the_installed_tables_are_no_drift_of_ours(database_url: str) -> None:
    install_tables(database_url)
    migrate.check(database_url)
