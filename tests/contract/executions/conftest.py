"""Databases that the durable engine can work in."""

from collections.abc import AsyncIterator

import pytest

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
