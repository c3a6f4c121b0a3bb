"""People at a desk: each runs operations on files as the dispatcher would, one transaction per call."""

from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

import pytest

from tests.support import world
from tests.support.clock import FakeClock, FakeIds
from tests.support.faces import MCP_RESOURCE
from tests.support.fake_object_store import FakeObjectStore
from tool_service.context import Environment, open_context
from tool_service.db.engine import Database
from tool_service.domain.caller import Caller, Channel, Identity, Role
from tool_service.domain.errors import OperationError
from tool_service.domain.language import Language
from tool_service.domain.schema import Success
from tool_service.domain.violations import parse_arguments
from tool_service.registry import Operation


@dataclass(frozen=True, slots=True)
class Desk:
    """One person of the world; `run` answers status and data, or the codes of the refusal."""

    database: Database
    environment: Environment
    caller: Caller

    async def run(self, operation: Operation, /, **arguments: Any) -> tuple[int, dict[str, Any]] | list[str]:
        parsed = parse_arguments(operation.arguments, arguments)
        try:
            async with self.database.begin(write=operation.audited) as connection:
                context = open_context(self.environment, connection, self.caller, "request")
                success = await operation.handler(context, parsed)
        except OperationError as error:
            return [problem.code for problem in error.problems]
        assert isinstance(success, Success)
        return success.status, success.data.model_dump(mode="json")


class Office:
    """The world of the tests with everything that outlives a call."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.clock = FakeClock()
        self.ids = FakeIds()
        self.store = FakeObjectStore(self.clock)

    def desk(self, role: str) -> Desk:
        """The person of that role; "stranger" is the owner of another organization."""
        if role == "stranger":
            return self._desk(world.OTHER_ORGANIZATION, world.STRANGER, world.STRANGER_MEMBER, Role.OWNER)
        return self._desk(world.ORGANIZATION, world.PEOPLE[role], world.MEMBERS[role], Role(role))

    def _desk(self, organization_id: UUID, person_id: UUID, member_id: UUID, role: Role) -> Desk:
        identity = Identity(organization_id, person_id, frozenset(), Channel.MCP, "client", "Client", "token")
        caller = Caller(identity, member_id, "Ana", "ana@example.com", role, Language.ENGLISH, "America/Sao_Paulo")
        # No operation on files pages or queues.
        nothing = cast(Any, None)
        return Desk(
            self.database, Environment(self.clock, self.ids, nothing, nothing, self.store, MCP_RESOURCE), caller
        )


@pytest.fixture
async def office(database: Database) -> Office:
    async with database.begin(write=True) as connection:
        await world.build_world(connection)
    return Office(database)


@pytest.fixture
def operator(office: Office) -> Desk:
    return office.desk("operator")
