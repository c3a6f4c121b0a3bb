"""ports.TurnQueue that only writes down what it was asked to enqueue."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection


class FakeTurnQueue:
    """`asked` holds (organization, execution) of every call, also of those whose transaction is rolled back later."""

    def __init__(self) -> None:
        self.asked: list[tuple[UUID, UUID]] = []

    async def enqueue(self, connection: AsyncConnection, organization_id: UUID, execution_id: UUID) -> None:
        assert connection.in_transaction()
        self.asked.append((organization_id, execution_id))
