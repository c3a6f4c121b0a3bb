"""Fixtures of the contract level."""

from collections.abc import AsyncIterator

import pytest

from tests.support.faces import Faces, open_faces
from tests.support.rest_client import RestClient
from tool_service.db.engine import Database


@pytest.fixture
async def faces(database: Database) -> AsyncIterator[Faces]:
    """Both faces of one tool service, over each engine in turn."""
    async with open_faces(database) as both:
        yield both


@pytest.fixture
async def sqlite_faces(sqlite_database: Database) -> AsyncIterator[Faces]:
    """Both faces over one engine, for what no database has a say in."""
    async with open_faces(sqlite_database) as both:
        yield both


@pytest.fixture
def api(sqlite_faces: Faces) -> RestClient:
    return RestClient(sqlite_faces)
