"""Fixtures: a registered program, and people who have a password."""

import pytest

from tests.support.faces import Faces
from tests.support.sign_in import Browser, Program, give_password


@pytest.fixture
async def program(faces: Faces) -> Program:
    """A client that registered itself; a manager has a password."""
    await give_password(faces)
    program = Program(faces)
    assert (await program.register()).status == 201
    return program


@pytest.fixture
async def sqlite_program(sqlite_faces: Faces) -> Program:
    """The same over one engine, for what no database has a say in."""
    await give_password(sqlite_faces)
    program = Program(sqlite_faces)
    assert (await program.register()).status == 201
    return program


@pytest.fixture
async def browser(sqlite_program: Program) -> Browser:
    """In which the manager is signed in."""
    browser = Browser(sqlite_program.faces)
    await browser.sign_in()
    return browser
