"""ports.TurnQueue in memory, which keeps to the caller's transaction as the real one does.

It earns trust in tests/contract/ports/test_turn_queue.py, on the same tests as the real one.
"""

from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection


class FakeTurnQueue:
    """`enqueued` holds (organization, execution) of committed transactions, each once, in order."""

    def __init__(self) -> None:
        self.enqueued: list[tuple[UUID, UUID]] = []

    async def enqueue(self, connection: AsyncConnection, organization_id: UUID, execution_id: UUID) -> None:
        transaction = connection.sync_connection
        assert transaction is not None
        waiting: list[tuple[UUID, UUID]] = [(organization_id, execution_id)]
        within_savepoint = connection.in_nested_transaction()

        def committed(_connection: sa.Connection) -> None:
            self.enqueued += [each for each in waiting if each not in self.enqueued]
            waiting.clear()

        def rolled_back(*_arguments: object) -> None:
            waiting.clear()

        sa.event.listen(transaction, "commit", committed)
        sa.event.listen(transaction, "rollback", rolled_back)
        if within_savepoint:
            sa.event.listen(transaction, "rollback_savepoint", rolled_back)
