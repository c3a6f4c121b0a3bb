"""A running stack per database: the embedded form on SQLite, and with a worker of its own on PostgreSQL."""

from collections.abc import Iterator

import pytest

from tests.support.client_home import ClientHome, client_home
from tests.support.stack import Stack, running

QUICK_RECOVERY = {"TOOL_SERVICE_WORKER_DEAD_AFTER_SECONDS": "2"}


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClientHome]:
    with client_home(tmp_path_factory.mktemp("client-home")) as home:
        yield home


@pytest.fixture(scope="session")
def sqlite_stack(tmp_path_factory: pytest.TempPathFactory, home: ClientHome) -> Iterator[Stack]:
    environment = {**QUICK_RECOVERY, **home.environment}
    with running(tmp_path_factory.mktemp("sqlite-stack"), environment=environment) as stack:
        yield stack


@pytest.fixture(scope="session")
def postgres_stack(
    tmp_path_factory: pytest.TempPathFactory, session_postgres_url: str, home: ClientHome
) -> Iterator[Stack]:
    folder, environment = tmp_path_factory.mktemp("postgres-stack"), {**QUICK_RECOVERY, **home.environment}
    with running(folder, session_postgres_url, separate_worker=True, environment=environment) as stack:
        yield stack


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def stack(request: pytest.FixtureRequest) -> Stack:
    """Shared by all tests of the level; a test tells its own rows by an external_id of its own."""
    return request.getfixturevalue("sqlite_stack" if request.param == "sqlite" else "postgres_stack")
