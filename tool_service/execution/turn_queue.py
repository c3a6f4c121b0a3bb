"""ports.TurnQueue on the durable engine: the workflow is a row of the caller's own transaction."""

from typing import TYPE_CHECKING
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.db.engine import sync_engine
from tool_service.execution.durable_engine import RUN_TURN, TURNS_QUEUE, open_client, workflow_id

if TYPE_CHECKING:
    from dbos import EnqueueOptions


class DurableTurnQueue:
    """Enqueues turns, each organization in a partition of its own so that none waits for another."""

    def __init__(self, url: str) -> None:
        """Load the engine, which takes seconds: make it before serving."""
        self._engine = sync_engine(url)
        self._client = open_client(self._engine)

    async def enqueue(self, connection: AsyncConnection, organization_id: UUID, execution_id: UUID) -> None:
        options: EnqueueOptions = {
            "workflow_name": RUN_TURN,
            "queue_name": TURNS_QUEUE,
            "workflow_id": workflow_id(execution_id),
            "queue_partition_key": str(organization_id),
        }
        await connection.run_sync(
            lambda transaction: self._client.enqueue_in_transaction(
                transaction, options, str(organization_id), str(execution_id)
            )
        )

    def close(self) -> None:
        self._client.destroy()
        self._engine.dispose()
