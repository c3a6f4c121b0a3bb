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


@pytest.fixture
def sqlite_stack(tmp_path: Path) -> Iterator[Stack]:
    yield from _running(tmp_path, f"sqlite:///{tmp_path / 'kadu.db'}", separate_worker=False)


@pytest.fixture
def postgres_stack(tmp_path: Path, empty_postgres_url: str) -> Iterator[Stack]:
    yield from _running(tmp_path, empty_postgres_url, separate_worker=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def stack(request: pytest.FixtureRequest) -> Stack:
    return request.getfixturevalue("sqlite_stack" if request.param == "sqlite" else "postgres_stack")
