"""Databases that the durable engine can work in."""

from collections.abc import AsyncIterator

import pytest

from tests.contract.executions.asking import Company, found_company
from tool_service.db.engine import Database
from tool_service.execution.durable_engine import install_tables
from tool_service.execution.turn_queue import DurableTurnQueue


@pytest.fixture
def engine_url(database_url: str) -> str:
    """The migrated database of `database`, with the engine's tables in it."""
    install_tables(database_url)
    return database_url


@pytest.fixture
async def queue(engine_url: str) -> AsyncIterator[DurableTurnQueue]:
    queue = DurableTurnQueue(engine_url)
    yield queue
    queue.close()


@pytest.fixture
async def company(database: Database) -> Company:
    return await found_company(database)
