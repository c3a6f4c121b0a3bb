"""The chain of an organization's audit: it holds whoever writes at once, and shows whatever is done to it."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa

from tests.support.clock import NOON, fake_id
from tests.support.factories import add_organization
from tool_service.db.engine import Database
from tool_service.db.tables import audit_events, audit_heads
from tool_service.domain.audit import ActorType, AuditEvent, AuditResult, Change, Door
from tool_service.domain.audit_chain import GENESIS, Verdict
from tool_service.domain.caller import Channel, Role
from tool_service.repositories.audit import AuditLog

EVENTS = 8


def event(number: int) -> AuditEvent:
    return AuditEvent(
        id=fake_id(0x8000 + number),
        created_at=NOON + timedelta(microseconds=number),
        actor_type=ActorType.PERSON,
        actor_id=fake_id(1),
        actor_name="Ana «Áé»",
        actor_role=Role.OWNER,
        channel=Channel.MCP,
        action="tasks_run",
        result=AuditResult.OK,
        request_id=f"request-{number}",
        confirmation_id=f"c{number}",
        door=Door.PAGE,
        call_digest="0" * 64,
        idempotency_key=f"confirmation:c{number}",
        trace_id="a" * 32,
        changes=(Change("name", None, {"b": 1.5, "a": [True, None, "ü"]}),),
    )


async def append(database: Database, organization_id: UUID, number: int) -> None:
    async with database.begin(write=True) as connection:
        await AuditLog(connection, organization_id).append(event(number))


async def verdict(database: Database, organization_id: UUID) -> Verdict:
    async with database.begin(write=False) as connection:
        return await AuditLog(connection, organization_id).verify()


@pytest.fixture
async def organization_id(database: Database) -> UUID:
    async with database.begin(write=True) as connection:
        return UUID(str((await add_organization(connection))["id"]))


@pytest.fixture
async def chain(database: Database, organization_id: UUID) -> UUID:
    for number in range(EVENTS):
        await append(database, organization_id, number)
    return organization_id


async def change(database: Database, statement: sa.Update | sa.Delete) -> None:
    async with database.begin(write=True) as connection:
        await connection.execute(statement)


async def test_an_empty_chain_holds(database: Database, organization_id: UUID) -> None:
    assert await verdict(database, organization_id) == Verdict(0, 0, GENESIS)


async def test_a_chain_holds_whatever_its_events_say(database: Database, chain: UUID) -> None:
    found = await verdict(database, chain)
    assert (found.events, found.last_sequence, found.fault) == (EVENTS, EVENTS, None)


async def test_events_at_once_are_one_chain(database: Database, organization_id: UUID) -> None:
    await asyncio.gather(*(append(database, organization_id, number) for number in range(40)))
    found = await verdict(database, organization_id)
    assert (found.events, found.last_sequence, found.fault) == (40, 40, None)


async def test_chains_of_two_organizations_do_not_meet(database: Database, chain: UUID) -> None:
    async with database.begin(write=True) as connection:
        other = UUID(str((await add_organization(connection))["id"]))
    await append(database, other, 100)
    assert [(await verdict(database, each)).last_sequence for each in (chain, other)] == [EVENTS, 1]


async def test_an_event_that_is_rolled_back_leaves_no_gap(database: Database, chain: UUID) -> None:
    async with database.begin(write=True) as connection:
        savepoint = await connection.begin_nested()
        await AuditLog(connection, chain).append(event(100))
        await savepoint.rollback()
    await append(database, chain, 101)
    assert (await verdict(database, chain)).fault is None


@pytest.mark.parametrize("column", ["action", "actor_name", "result", "changes", "created_at", "door", "call_digest"])
async def test_a_changed_event_is_found(database: Database, chain: UUID, column: str) -> None:
    values: dict[str, Any] = {"changes": [], "created_at": NOON, "call_digest": "1" * 64}
    fourth = sa.update(audit_events).where(audit_events.c.sequence == 4)
    await change(database, fourth.values({column: values.get(column, "chat" if column == "door" else "denied")}))
    found = await verdict(database, chain)
    assert (found.fault, found.last_sequence) == ("event 4 was changed", 3)


async def test_a_missing_event_is_found(database: Database, chain: UUID) -> None:
    await change(database, sa.delete(audit_events).where(audit_events.c.sequence == 4))
    assert (await verdict(database, chain)).fault == "between 3 and 5 events are missing"


async def test_missing_newest_events_are_found(database: Database, chain: UUID) -> None:
    await change(database, sa.delete(audit_events).where(audit_events.c.sequence > 6))
    assert (await verdict(database, chain)).fault == "the newest events after 6 are missing or changed"


async def test_a_head_that_was_put_back_is_found(database: Database, chain: UUID) -> None:
    await change(database, sa.update(audit_heads).values(digest=GENESIS))
    assert (await verdict(database, chain)).fault is not None


async def test_a_chain_whose_oldest_events_are_past_retention_holds(database: Database, chain: UUID) -> None:
    await change(database, sa.delete(audit_events).where(audit_events.c.sequence <= 3))
    found = await verdict(database, chain)
    assert (found.events, found.fault) == (EVENTS - 3, None)
