"""The organization and its members, as the gate and the operations read them."""

from uuid import UUID

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from tests.support.clock import NOON, fake_id
from tests.support.factories import add_member, add_organization, add_person
from tool_service.db.engine import Database
from tool_service.domain.caller import Role
from tool_service.domain.errors import NotFound
from tool_service.domain.organizations import Member, Organization, OrganizationEnvironment, OrganizationStatus
from tool_service.repositories.members import MemberDirectory
from tool_service.repositories.organizations import OrganizationRepository


async def test_an_organization_is_read_whole_and_only_by_its_own_repository(database: Database) -> None:
    async with database.begin(write=True) as connection:
        await add_organization(connection)
        row = await add_organization(
            connection, name="Oficina Prata", environment="production", status="suspended", locale="en"
        )
    async with database.begin(write=False) as connection:
        organization = await OrganizationRepository(connection, row["id"]).get()
    assert organization == Organization(
        id=row["id"],
        name="Oficina Prata",
        document_number="12345678000195",
        environment=OrganizationEnvironment.PRODUCTION,
        status=OrganizationStatus.SUSPENDED,
        locale="en",
        timezone="America/Sao_Paulo",
        plan_name="starter",
        created_at=NOON,
        updated_at=NOON,
    )


async def test_an_organization_that_is_not_there_is_not_found(database: Database) -> None:
    async with database.begin(write=False) as connection:
        with pytest.raises(NotFound):
            await OrganizationRepository(connection, fake_id(404)).get()


async def test_an_active_member_is_found_with_what_is_known_of_person_and_organization(database: Database) -> None:
    async with database.begin(write=True) as connection:
        organization = await add_organization(connection)
        person = await add_person(
            connection, email="bia@example.com", name="Bia Lima", locale="en", timezone="Europe/Lisbon"
        )
        row = await add_member(connection, organization_id=organization["id"], person_id=person["id"], role="operator")
    async with database.begin(write=False) as connection:
        member = await MemberDirectory(connection).find_active(organization["id"], person["id"])
    assert member == Member(
        id=row["id"],
        organization_id=organization["id"],
        person_id=person["id"],
        name="Bia Lima",
        email="bia@example.com",
        role=Role.OPERATOR,
        locale="en",
        timezone="Europe/Lisbon",
        organization_name="Padaria Aurora Ltda.",
        organization_locale="pt-BR",
        organization_timezone="America/Sao_Paulo",
    )


@pytest.mark.parametrize("status", ["invited", "disabled"])
async def test_a_member_who_is_not_active_is_not_found(database: Database, status: str) -> None:
    async with database.begin(write=True) as connection:
        row = await add_member(connection, status=status)
        assert await _find(connection, row["organization_id"], row["person_id"]) is None


async def test_a_member_of_one_organization_is_nobody_in_another(database: Database) -> None:
    async with database.begin(write=True) as connection:
        ours, theirs = await add_member(connection), await add_member(connection, role="viewer")
        assert await _find(connection, theirs["organization_id"], ours["person_id"]) is None
        shared = await add_member(
            connection, organization_id=theirs["organization_id"], person_id=ours["person_id"], role="viewer"
        )
        found = await _find(connection, theirs["organization_id"], ours["person_id"])
        assert found is not None
        assert (found.id, found.role) == (shared["id"], Role.VIEWER)


async def _find(connection: AsyncConnection, organization_id: UUID, person_id: UUID) -> Member | None:
    return await MemberDirectory(connection).find_active(organization_id, person_id)
