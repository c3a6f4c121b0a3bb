"""Each report is tried as its reporter did: through the whole wire, from the HTTP request to the database."""

import pytest

from tests.support.faces import Faces
from tests.support.whole_wire import WholeWire, whole_wire


@pytest.fixture
def wire(sqlite_faces: Faces) -> WholeWire:
    return whole_wire(sqlite_faces)
