"""One key of one person has one answer."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from tests.support.clock import NOON, fake_id
from tests.support.factories import add_member
from tool_service.db.engine import Database
from tool_service.domain.idempotency import RETENTION, IdempotencyRecord
from tool_service.repositories.idempotency import IdempotencyRecords

ANSWER = IdempotencyRecord(
    person_id=fake_id(1),
    key="key:abc",
    fingerprint="f" * 64,
    kind="Answered",
    status=202,
    body='{"data":{"id":"á"}}'.encode(),
    created_at=NOON,
    headers={"Location": "/api/v1/executions/1"},
)


async def _member(database: Database) -> tuple[UUID, UUID]:
    async with database.begin(write=True) as connection:
        row = await add_member(connection)
    return row["organization_id"], row["person_id"]


async def _put(database: Database, organization_id: UUID, record: IdempotencyRecord) -> bool:
    async with database.begin(write=True) as connection:
        return await IdempotencyRecords(connection, organization_id).put(record)


async def _get(database: Database, organization_id: UUID, person_id: UUID, key: str) -> IdempotencyRecord | None:
    async with database.begin(write=False) as connection:
        return await IdempotencyRecords(connection, organization_id).get(person_id, key)


async def test_an_answer_comes_back_to_the_byte(database: Database) -> None:
    organization_id, person_id = await _member(database)
    record = replace(ANSWER, person_id=person_id)
    assert await _put(database, organization_id, record)
    assert await _get(database, organization_id, person_id, "key:abc") == record
    assert await _get(database, organization_id, person_id, "key:other") is None


async def test_a_taken_key_keeps_its_first_answer_and_the_transaction_goes_on(database: Database) -> None:
    organization_id, person_id = await _member(database)
    first = replace(ANSWER, person_id=person_id)
    other = replace(first, key="key:other")
    await _put(database, organization_id, first)
    async with database.begin(write=True) as connection:
        records = IdempotencyRecords(connection, organization_id)
        assert not await records.put(replace(first, body=b"second"))
        assert await records.put(other)
    assert await _get(database, organization_id, person_id, "key:abc") == first
    assert await _get(database, organization_id, person_id, "key:other") == other


async def test_of_two_that_put_the_same_key_at_once_one_is_told_that_it_lost(database: Database) -> None:
    organization_id, person_id = await _member(database)
    record = replace(ANSWER, person_id=person_id)
    async with asyncio.timeout(30):
        outcomes = await asyncio.gather(*(_put(database, organization_id, record) for _ in range(4)))
    assert sorted(outcomes) == [False, False, False, True]


async def test_a_key_says_nothing_to_another_person_or_organization(database: Database) -> None:
    ours, theirs = await _member(database), await _member(database)
    await _put(database, ours[0], replace(ANSWER, person_id=ours[1]))
    assert await _get(database, ours[0], theirs[1], "key:abc") is None
    assert await _get(database, theirs[0], ours[1], "key:abc") is None


async def test_keys_older_than_the_moment_are_forgotten_in_their_organization_only(database: Database) -> None:
    ours, theirs = await _member(database), await _member(database)
    old = replace(ANSWER, person_id=ours[1], key="key:old", created_at=NOON - timedelta(microseconds=1))
    young = replace(ANSWER, person_id=ours[1], key="key:young")
    foreign = replace(old, person_id=theirs[1])
    for organization_id, record in ((ours[0], old), (ours[0], young), (theirs[0], foreign)):
        await _put(database, organization_id, record)
    async with database.begin(write=True) as connection:
        assert await IdempotencyRecords(connection, ours[0]).delete_before(NOON) == 1
    assert await _get(database, ours[0], ours[1], "key:old") is None
    assert await _get(database, ours[0], ours[1], "key:young") == young
    assert await _get(database, theirs[0], theirs[1], "key:old") == foreign


def test_a_key_is_kept_for_a_day() -> None:
    assert RETENTION.total_seconds() == 24 * 60 * 60
