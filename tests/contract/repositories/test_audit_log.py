"""The audit log keeps every fact of an event, in order, for its own organization."""

from datetime import timedelta
from uuid import UUID

import pytest

from tests.support.clock import NOON, fake_id
from tests.support.factories import add_organization
from tool_service.db.engine import Database
from tool_service.domain.audit import ActorType, AuditEvent, AuditResult, Change
from tool_service.domain.caller import Channel, Role
from tool_service.repositories.audit import AuditLog

WHOLE = AuditEvent(
    id=fake_id(1),
    created_at=NOON + timedelta(microseconds=123456),
    actor_type=ActorType.PERSON,
    channel=Channel.MCP,
    action="tasks_update",
    result=AuditResult.DENIED,
    request_id="request-1",
    actor_id=fake_id(2),
    actor_name="Ana Souza",
    actor_role=Role.OPERATOR,
    client_name="Claude",
    token_id="token-1",
    resource_type="task",
    resource_id=str(fake_id(3)),
    code="forbidden",
    confirmation_id="confirmation-1",
    changes=(Change("enabled", True, False), Change("tags", None, ["a", 10, 2**60])),
)


def _bare(number: int, seconds: int = 0) -> AuditEvent:
    return AuditEvent(
        id=fake_id(number),
        created_at=NOON + timedelta(seconds=seconds),
        actor_type=ActorType.SYSTEM,
        channel=Channel.SYSTEM,
        action="executions_settle",
        result=AuditResult.OK,
        request_id=f"request-{number}",
    )


async def _log(database: Database, organization_id: UUID, *events: AuditEvent) -> None:
    async with database.begin(write=True) as connection:
        for event in events:
            await AuditLog(connection, organization_id).append(event)


async def _latest(database: Database, organization_id: UUID, limit: int = 10) -> list[AuditEvent]:
    async with database.begin(write=False) as connection:
        return list(await AuditLog(connection, organization_id).latest(limit))


async def _organization(database: Database) -> UUID:
    async with database.begin(write=True) as connection:
        return (await add_organization(connection))["id"]


async def test_an_event_comes_back_as_it_was_written(database: Database) -> None:
    organization_id = await _organization(database)
    await _log(database, organization_id, WHOLE, _bare(9, seconds=-1))
    assert await _latest(database, organization_id) == [WHOLE, _bare(9, seconds=-1)]


async def test_the_latest_events_come_first_and_equal_times_are_ordered_by_id(database: Database) -> None:
    organization_id = await _organization(database)
    await _log(database, organization_id, _bare(2), _bare(1, seconds=5), _bare(3))
    assert await _latest(database, organization_id, limit=2) == [_bare(1, seconds=5), _bare(3)]


async def test_an_organization_sees_only_its_own_events(database: Database) -> None:
    ours, theirs = await _organization(database), await _organization(database)
    await _log(database, ours, _bare(1))
    await _log(database, theirs, _bare(2))
    assert await _latest(database, ours) == [_bare(1)]


async def test_an_event_is_gone_with_the_transaction_of_what_it_tells_of(database: Database) -> None:
    organization_id = await _organization(database)
    with pytest.raises(LookupError):
        await _append_and_raise(database, organization_id)
    assert await _latest(database, organization_id) == []


async def _append_and_raise(database: Database, organization_id: UUID) -> None:
    async with database.begin(write=True) as connection:
        await AuditLog(connection, organization_id).append(_bare(1))
        raise LookupError
