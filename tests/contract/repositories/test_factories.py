"""The factories write rows that the real schema accepts, and answer what they wrote."""

from collections.abc import Awaitable, Callable

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tests.support import factories
from tool_service.db import tables
from tool_service.db.engine import Database


@pytest.mark.parametrize(
    ("add", "table"),
    [
        (factories.add_organization, tables.organizations),
        (factories.add_person, tables.people),
        (factories.add_member, tables.members),
        (factories.add_task, tables.tasks),
        (factories.add_execution, tables.executions),
        (factories.add_file, tables.files),
        (factories.add_approval, tables.approvals),
    ],
)
async def test_a_factory_inserts_exactly_the_row_that_it_answers(
    database: Database, add: Callable[[AsyncConnection], Awaitable[factories.Row]], table: sa.Table
) -> None:
    async with database.begin(write=True) as connection:
        row = await add(connection)
    async with database.begin(write=False) as connection:
        assert dict((await connection.execute(sa.select(table))).mappings().one()) == row


async def test_what_a_row_refers_to_stays_in_the_organization_of_the_member_given(database: Database) -> None:
    async with database.begin(write=True) as connection:
        member = await factories.add_member(connection)
        execution = await factories.add_execution(connection, requested_by=member["id"])
        task_of = await connection.scalar(
            sa.select(tables.tasks.c.organization_id).where(tables.tasks.c.id == execution["task_id"])
        )
    assert (execution["organization_id"], task_of) == (member["organization_id"],) * 2


async def test_a_factory_refuses_a_column_that_its_table_does_not_have(sqlite_database: Database) -> None:
    async with sqlite_database.begin(write=True) as connection:
        with pytest.raises(TypeError, match="people has no column nome"):
            await factories.add_person(connection, nome="Ana")
