"""The organization itself: the one table in which the scope is the row's own id."""

from typing import Any

import sqlalchemy as sa

from tool_service.db.tables import organizations
from tool_service.domain.errors import NotFound
from tool_service.domain.organizations import Organization, OrganizationEnvironment, OrganizationStatus
from tool_service.repositories.scoped import ScopedRepository


class OrganizationRepository(ScopedRepository):
    async def get(self) -> Organization:
        """The organization that the repository was made for.

        Raises:
            NotFound: there is none of that id.
        """
        row = (await self._connection.execute(self._select(organizations))).mappings().first()
        if row is None:
            raise NotFound()
        values: dict[str, Any] = {name: row[name] for name in Organization.__dataclass_fields__}
        values["environment"] = OrganizationEnvironment(values["environment"])
        values["status"] = OrganizationStatus(values["status"])
        return Organization(**values)

    def _mine(self, table: sa.FromClause) -> sa.ColumnElement[bool]:
        return table.c.id == self._organization_id
