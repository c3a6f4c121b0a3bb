"""The wall between organizations: the only way in which a repository reaches a table."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.domain.paging import Key


class ScopedRepository:
    """Statements that already carry the organization. Subclasses build on these and never on `sa.select`."""

    def __init__(self, connection: AsyncConnection, organization_id: UUID) -> None:
        self._connection = connection
        self._organization_id = organization_id

    def _select(self, table: sa.FromClause, *columns: Any) -> sa.Select[Any]:
        return sa.select(*(columns or (table,))).select_from(table).where(self._mine(table))

    def _update(self, table: sa.Table) -> sa.Update:
        return sa.update(table).where(self._mine(table))

    def _delete(self, table: sa.Table) -> sa.Delete:
        return sa.delete(table).where(self._mine(table))

    async def _insert(self, table: sa.Table, values: Mapping[str, Any]) -> None:
        await self._connection.execute(sa.insert(table).values(**values, organization_id=self._organization_id))

    def _mine(self, table: sa.FromClause) -> sa.ColumnElement[bool]:
        return table.c.organization_id == self._organization_id


def newest_first(statement: sa.Select[Any], table: sa.Table, after: Key | None, limit: int) -> sa.Select[Any]:
    """One page by (created_at, id), newest first, with one row more than the limit to know whether more follow."""
    if after is not None:
        statement = statement.where(
            sa.tuple_(table.c.created_at, table.c.id)
            < sa.tuple_(sa.literal(after.created_at, table.c.created_at.type), sa.literal(after.id, table.c.id.type))
        )
    return statement.order_by(table.c.created_at.desc(), table.c.id.desc()).limit(limit + 1)
