"""Fixtures of the contract level."""

from collections.abc import AsyncIterator

import pytest

from tests.support.faces import Faces, open_faces
from tool_service.db.engine import Database


@pytest.fixture
async def faces(database: Database) -> AsyncIterator[Faces]:
    """Both faces of one tool service, over each engine in turn."""
    async with open_faces(database) as both:
        yield both
