"""A running stack per database: the embedded form on SQLite, and with a worker of its own on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.stack import Stack

QUICK_RECOVERY = {"TOOL_SERVICE_WORKER_DEAD_AFTER_SECONDS": "2"}


def _running(folder: Path, database_url: str, separate_worker: bool) -> Iterator[Stack]:
    stack = Stack(folder, database_url, separate_worker, QUICK_RECOVERY)
    stack.prepare()
    try:
        stack.start_all()
        yield stack
    finally:
        stack.stop_all()


@pytest.fixture(scope="session")
def sqlite_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    folder = tmp_path_factory.mktemp("sqlite-stack")
    yield from _running(folder, f"sqlite:///{folder / 'kadu.db'}", separate_worker=False)


@pytest.fixture(scope="session")
def postgres_stack(tmp_path_factory: pytest.TempPathFactory, session_postgres_url: str) -> Iterator[Stack]:
    yield from _running(tmp_path_factory.mktemp("postgres-stack"), session_postgres_url, separate_worker=True)


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def stack(request: pytest.FixtureRequest) -> Stack:
    """Shared by all tests of the level; a test tells its own rows by an external_id of its own."""
    return request.getfixturevalue("sqlite_stack" if request.param == "sqlite" else "postgres_stack")
