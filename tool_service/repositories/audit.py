"""The audit log in SQL: rows are added and read, never changed."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from tool_service.db.tables import audit_events
from tool_service.domain.audit import ActorType, AuditEvent, AuditResult, Change
from tool_service.domain.caller import Channel, Role
from tool_service.repositories.scoped import ScopedRepository, newest_first


class AuditLog(ScopedRepository):
    async def append(self, event: AuditEvent) -> None:
        """Write the event in the transaction of what it tells of: both happen, or neither."""
        values: dict[str, Any] = {name: getattr(event, name) for name in AuditEvent.__dataclass_fields__}
        values["changes"] = [
            {"field": change.field, "from": change.before, "to": change.after} for change in event.changes
        ]
        await self._insert(audit_events, values)

    async def latest(self, limit: int) -> Sequence[AuditEvent]:
        """The youngest events of the organization, newest first, at most `limit`."""
        statement = newest_first(self._select(audit_events), audit_events, None, limit).limit(limit)
        return [_event(row) for row in (await self._connection.execute(statement)).mappings()]


def _event(row: sa.RowMapping) -> AuditEvent:
    values: dict[str, Any] = {name: row[name] for name in AuditEvent.__dataclass_fields__}
    values["actor_type"] = ActorType(values["actor_type"])
    values["channel"] = Channel(values["channel"])
    values["result"] = AuditResult(values["result"])
    values["actor_role"] = None if values["actor_role"] is None else Role(values["actor_role"])
    values["changes"] = tuple(Change(item["field"], item["from"], item["to"]) for item in values["changes"])
    return AuditEvent(**values)
