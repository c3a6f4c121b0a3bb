"""The audit log in SQL: rows are added and read, never changed, and each is the next link of a chain."""

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from tool_service.db.tables import audit_events, audit_heads
from tool_service.domain.audit import ActorType, AuditEvent, AuditResult, Change, Door
from tool_service.domain.audit_chain import GENESIS, Link, Verdict, link, verify
from tool_service.domain.caller import Channel, Role
from tool_service.repositories.scoped import ScopedRepository, newest_first

_LINKS_AT_ONCE = 1000


class AuditLog(ScopedRepository):
    async def append(self, event: AuditEvent) -> None:
        """Write the event in the transaction of what it tells of: both happen, or neither.

        Events of one organization wait for each other from here to the end of their transactions: append last.
        """
        sequence, previous_digest = await self._next()
        linked = link(self._organization_id, sequence, previous_digest, event)
        values: dict[str, Any] = {name: getattr(event, name) for name in AuditEvent.__dataclass_fields__}
        values["changes"] = [
            {"field": change.field, "from": change.before, "to": change.after} for change in event.changes
        ]
        place = {"sequence": sequence, "previous_digest": previous_digest, "digest": linked.digest}
        await self._insert(audit_events, {**values, **place})
        await self._connection.execute(self._update(audit_heads).values(digest=linked.digest))

    async def head(self) -> tuple[int, str]:
        """Sequence and digest of the newest event; 0 and GENESIS before the first."""
        row = (await self._connection.execute(self._select(audit_heads))).first()
        return (0, GENESIS) if row is None else (row.sequence, row.digest)

    async def verify(self) -> Verdict:
        """Whether the chain holds, up to the event that is the newest now."""
        sequence, digest = await self.head()
        return await verify(self._organization_id, self._links(sequence), sequence, digest)

    async def _links(self, until: int) -> AsyncIterator[Link]:
        """The chain, oldest first; what is appended meanwhile is not in it."""
        after = 0
        while True:
            statement = self._select(audit_events).where(audit_events.c.sequence.between(after + 1, until))
            statement = statement.order_by(audit_events.c.sequence).limit(_LINKS_AT_ONCE)
            rows = (await self._connection.execute(statement)).mappings().all()
            for row in rows:
                yield Link(row["sequence"], row["previous_digest"], row["digest"], _event(row))
            if len(rows) < _LINKS_AT_ONCE:
                return
            after = rows[-1]["sequence"]

    async def _next(self) -> tuple[int, str]:
        """The place of the next event, which is ours until the transaction ends."""
        heads = audit_heads.c
        statement = self._update(audit_heads).values(sequence=heads.sequence + 1)
        statement = statement.returning(heads.sequence, heads.digest)
        while (row := (await self._connection.execute(statement)).first()) is None:
            # Another first event may be on its way; then its head is the one.
            with suppress(IntegrityError):
                async with self._connection.begin_nested():
                    await self._insert(audit_heads, {"sequence": 0, "digest": GENESIS})
        return row.sequence, row.digest

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
    values["door"] = None if values["door"] is None else Door(values["door"])
    values["changes"] = tuple(Change(item["field"], item["from"], item["to"]) for item in values["changes"])
    return AuditEvent(**values)
