"""The demo data on both engines."""

import sqlalchemy as sa

from tests.support.clock import FakeClock
from tool_service.db import tables
from tool_service.db.engine import Database
from tool_service.domain.caller import Role
from tool_service.local import demo
from tool_service.local.seed import seed


async def test_seeding_gives_one_person_of_each_role_and_three_tasks(database: Database) -> None:
    assert await seed(database, FakeClock())

    async with database.begin(write=False) as connection:
        mine = tables.members.c.organization_id == demo.BAKERY.id
        roles = (await connection.scalars(sa.select(tables.members.c.role).where(mine))).all()
        slugs = (await connection.scalars(sa.select(tables.tasks.c.slug))).all()
    assert sorted(roles) == sorted(role.value for role in Role)
    assert sorted(slugs) == ["conciliacao-de-extratos", "fluxo-de-caixa-mensal", "resumo-de-extrato"]


async def test_seeding_again_leaves_what_people_made_of_it(database: Database) -> None:
    await seed(database, FakeClock())
    async with database.begin(write=True) as connection:
        await connection.execute(sa.update(tables.tasks).values(name="Outro nome"))

    assert not await seed(database, FakeClock())

    async with database.begin(write=False) as connection:
        names = (await connection.scalars(sa.select(tables.tasks.c.name))).all()
    assert names == ["Outro nome"] * 3
