"""What a handler may touch: the caller, the time, and the repositories of one transaction."""

from dataclasses import dataclass, field

from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.domain.audit import Change
from tool_service.domain.caller import Caller
from tool_service.domain.paging import Cursors
from tool_service.ports import Clock, Ids, ObjectStore, TurnQueue
from tool_service.repositories.approvals import ApprovalRepository
from tool_service.repositories.executions import ExecutionRepository
from tool_service.repositories.files import FileRepository
from tool_service.repositories.members import MemberRepository
from tool_service.repositories.organizations import OrganizationRepository
from tool_service.repositories.tasks import TaskRepository


@dataclass(frozen=True, slots=True)
class Environment:
    """The long-lived things that every context shares."""

    clock: Clock
    ids: Ids
    cursors: Cursors
    turn_queue: TurnQueue
    object_store: ObjectStore
    pages_url: str
    """Where people's pages are: the URL of the MCP endpoint."""


@dataclass(frozen=True, slots=True)
class Context:
    """One call of one operation. Every repository is born scoped to the caller's organization."""

    caller: Caller
    request_id: str
    environment: Environment
    connection: AsyncConnection
    organizations: OrganizationRepository
    tasks: TaskRepository
    executions: ExecutionRepository
    files: FileRepository
    members: MemberRepository
    approvals: ApprovalRepository
    changes: list[Change] = field(default_factory=list)
    """What the handler notes for the audit: fields before and after, without secrets, bodies and agent text."""

    @property
    def clock(self) -> Clock:
        return self.environment.clock

    @property
    def ids(self) -> Ids:
        return self.environment.ids


def open_context(environment: Environment, connection: AsyncConnection, caller: Caller, request_id: str) -> Context:
    """A context whose repositories work on the transaction of the connection."""
    scope = caller.organization_id
    return Context(
        caller=caller,
        request_id=request_id,
        environment=environment,
        connection=connection,
        organizations=OrganizationRepository(connection, scope),
        tasks=TaskRepository(connection, scope),
        executions=ExecutionRepository(connection, scope),
        files=FileRepository(connection, scope),
        members=MemberRepository(connection, scope),
        approvals=ApprovalRepository(connection, scope),
    )
