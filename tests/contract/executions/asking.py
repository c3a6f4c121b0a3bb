"""Calling a handler as one person of the small company, without the gate before it."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.support.clock import FakeClock, FakeIds
from tests.support.faces import MCP_RESOURCE
from tests.support.fake_object_store import FakeObjectStore
from tests.support.fake_sealer import FakeSealer
from tests.support.fake_turn_queue import FakeTurnQueue
from tests.support.world import (
    MEMBERS,
    ORGANIZATION,
    OTHER_ORGANIZATION,
    PEOPLE,
    STRANGER,
    STRANGER_MEMBER,
    build_world,
)
from tool_service.context import Context, Environment, open_context
from tool_service.db.engine import Database
from tool_service.domain.caller import Caller, Channel, Identity, Role
from tool_service.domain.errors import OperationError
from tool_service.domain.language import Language
from tool_service.domain.paging import Cursors
from tool_service.domain.violations import parse_arguments
from tool_service.registry import Operation


@dataclass(slots=True)
class Company:
    """The world of tests/support/world.py, with somebody at the keyboard."""

    database: Database
    clock: FakeClock = field(default_factory=FakeClock)
    queue: FakeTurnQueue = field(default_factory=FakeTurnQueue)
    ids: FakeIds = field(default_factory=FakeIds)

    @asynccontextmanager
    async def context(self, role: str) -> AsyncGenerator[Context]:
        environment = Environment(
            self.clock,
            self.ids,
            Cursors(FakeSealer(), self.clock),
            self.queue,
            FakeObjectStore(self.clock),
            MCP_RESOURCE,
        )
        async with self.database.begin(write=True) as connection:
            yield open_context(environment, connection, a_caller(role), "request-1")

    async def ask(self, operation: Operation, role: str, **arguments: Any) -> Any:
        """What the handler answers.

        Raises:
            OperationError: the handler refused; everything it wrote is rolled back.
        """
        parsed = parse_arguments(operation.arguments, arguments)
        async with self.context(role) as context:
            return await operation.handler(context, parsed)

    async def refusal(self, operation: Operation, role: str, **arguments: Any) -> tuple[str, str | None]:
        """Code and param of the first problem of the error that the handler raises."""
        try:
            answer = await self.ask(operation, role, **arguments)
        except OperationError as error:
            return error.problems[0].code, error.problems[0].param
        raise AssertionError(f"it was not refused: {answer}")

    async def summary(self, operation: Operation, role: str, **arguments: Any) -> Mapping[str, str]:
        """What the person would read before saying yes."""
        assert operation.preview is not None
        parsed = parse_arguments(operation.arguments, arguments)
        async with self.context(role) as context:
            text = (await operation.preview(context, parsed)).summary
        return {language.value: text.in_(language) for language in Language}


def a_caller(role: str) -> Caller:
    stranger = role == "stranger"
    identity = Identity(
        organization_id=OTHER_ORGANIZATION if stranger else ORGANIZATION,
        person_id=STRANGER if stranger else PEOPLE[role],
        scopes=frozenset(),
        channel=Channel.MCP,
        client_id="client-1",
        client_name="my-client",
        token_id="token-1",
    )
    return Caller(
        identity=identity,
        member_id=STRANGER_MEMBER if stranger else MEMBERS[role],
        name="Ana",
        email="ana@example.com",
        role=Role.OWNER if stranger else Role(role),
        language=Language.PORTUGUESE,
        timezone="America/Sao_Paulo",
    )


async def found_company(database: Database) -> Company:
    async with database.begin(write=True) as connection:
        await build_world(connection)
    return Company(database)
