"""From a person and an organization, as a token claims them, to the member that the database knows."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.db.account_tables import oauth_grants
from tool_service.db.tables import members, organizations, people
from tool_service.domain.caller import Role
from tool_service.domain.organizations import Member, MemberStatus, NamedMember
from tool_service.repositories.scoped import ScopedRepository


class MemberRepository(ScopedRepository):
    """The members of one organization."""

    async def of_ids(self, member_ids: Sequence[UUID]) -> dict[UUID, NamedMember]:
        """Those of the members that exist and are not disabled, by id."""
        statement = (
            self._select(members, members.c.id, people.c.name, people.c.kind)
            .join(people, people.c.id == members.c.person_id)
            .where(members.c.id.in_(member_ids), members.c.status != MemberStatus.DISABLED)
        )
        rows = await self._connection.execute(statement)
        return {row.id: NamedMember(row.name, is_service=row.kind == "service") for row in rows}


class MemberDirectory:
    """Not scoped, on purpose: the gate asks it before there is a caller whose organization could be trusted.

    It still cannot leak: every question names the organization, and the answer is that one member.
    """

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def find_active(self, organization_id: UUID, person_id: UUID) -> Member | None:
        """The person's membership in that organization; None when there is none that is active.

        The organization's own status plays no part: members of a suspended one may still read.
        """
        statement = (
            sa.select(
                members.c.id,
                members.c.organization_id,
                members.c.person_id,
                people.c.name,
                people.c.email,
                members.c.role,
                people.c.locale,
                people.c.timezone,
                organizations.c.name.label("organization_name"),
                organizations.c.locale.label("organization_locale"),
                organizations.c.timezone.label("organization_timezone"),
            )
            .join(people, people.c.id == members.c.person_id)
            .join(organizations, organizations.c.id == members.c.organization_id)
            .where(
                members.c.organization_id == organization_id,
                members.c.person_id == person_id,
                members.c.status == MemberStatus.ACTIVE,
            )
        )
        row = (await self._connection.execute(statement)).mappings().first()
        if row is None:
            return None
        values: dict[str, Any] = {name: row[name] for name in Member.__dataclass_fields__}
        values["role"] = Role(values["role"])
        return Member(**values)

    async def is_good(self, grant_id: UUID, now: datetime) -> bool:
        """Whether what a person allowed a client still holds."""
        statement = sa.select(oauth_grants.c.id).where(
            oauth_grants.c.id == grant_id, oauth_grants.c.revoked_at.is_(None), oauth_grants.c.expires_at > now
        )
        return (await self._connection.execute(statement)).first() is not None
