"""Answers by idempotency key, in SQL. A key belongs to one person of one organization."""

from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from tool_service.db.tables import idempotency_records
from tool_service.domain.idempotency import IdempotencyRecord
from tool_service.repositories.scoped import ScopedRepository


class IdempotencyRecords(ScopedRepository):
    async def reserve(self, person_id: UUID, key: str) -> bool:
        """Hold the key until the transaction ends; False while another transaction holds it.

        On SQLite there is one writer, and we are it.
        """
        if self._connection.dialect.name != "postgresql":
            return True
        name = f"{self._organization_id}:{person_id}:{key}"
        lock = sa.func.pg_try_advisory_xact_lock(sa.func.hashtextextended(name, 0))
        return bool(await self._connection.scalar(lock.select()))

    async def get(self, person_id: UUID, key: str) -> IdempotencyRecord | None:
        """What was answered under the key, if anything."""
        statement = self._select(idempotency_records).where(
            idempotency_records.c.person_id == person_id, idempotency_records.c.key == key
        )
        row = (await self._connection.execute(statement)).mappings().first()
        if row is None:
            return None
        return IdempotencyRecord(**{name: row[name] for name in IdempotencyRecord.__dataclass_fields__})

    async def put(self, record: IdempotencyRecord) -> bool:
        """Remember the answer; False when the key is taken, and then nothing changed.

        On PostgreSQL it waits for a transaction that is about to take the same key.
        """
        values: dict[str, Any] = {name: getattr(record, name) for name in IdempotencyRecord.__dataclass_fields__}
        try:
            # The savepoint keeps the transaction usable on PostgreSQL, where an error would end it.
            async with self._connection.begin_nested():
                await self._insert(idempotency_records, {**values, "headers": dict(record.headers)})
        except IntegrityError:
            return False
        return True

    async def delete_before(self, moment: datetime) -> int:
        """Forget the organization's keys that were made before the moment; their number."""
        statement = self._delete(idempotency_records).where(idempotency_records.c.created_at < moment)
        return (await self._connection.execute(statement)).rowcount
