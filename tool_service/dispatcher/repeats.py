"""A repeated call answers what the first one did.

The key is reserved, the work is done and the outcome is stored in one transaction, so there is no
half-done state to clean up: a crash leaves nothing, and a failure of ours is never frozen.
"""

import hashlib
import re
from dataclasses import dataclass, replace

from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.dispatcher.answers import Answered, Refused
from tool_service.dispatcher.invocation import Invocation
from tool_service.domain.caller import Caller
from tool_service.domain.errors import Conflict, InvalidArguments
from tool_service.domain.idempotency import RETENTION, IdempotencyRecord
from tool_service.domain.json_text import canonical_json
from tool_service.domain.language import Localized
from tool_service.domain.schema import Arguments
from tool_service.ports import Clock
from tool_service.registry import Operation
from tool_service.repositories.idempotency import IdempotencyRecords

RESULT_KIND = "Answered"
# 429 asks for the same call again later, so its outcome must not be the last word on the key.
_NEVER_KEPT = frozenset({429})

IDEMPOTENCY_KEY_LIMIT = 255
IDEMPOTENCY_KEY_PATTERN = r"^[\x21-\x7e]+$"


class InProgress(Conflict):
    """The same call runs at this moment; its outcome is not there yet."""

    def __init__(self) -> None:
        super().__init__("idempotency_key_in_progress", param="idempotency_key", retry_after_seconds=1)


def check_idempotency_key(key: object) -> None:
    """Raises: InvalidArguments when the key is given and is not 1 to 255 characters of visible ASCII."""
    if key is None:
        return
    if not isinstance(key, str) or len(key) > IDEMPOTENCY_KEY_LIMIT or not re.match(IDEMPOTENCY_KEY_PATTERN, key):
        raise InvalidArguments(
            "validation_error",
            Localized(
                pt="Envie de 1 a 255 caracteres ASCII visíveis.", en="Send 1 to 255 characters of visible ASCII."
            ),
            param="idempotency_key",
        )


@dataclass(frozen=True, slots=True)
class Repeats:
    """The memory of one call inside its transaction."""

    connection: AsyncConnection
    invocation: Invocation
    caller: Caller
    arguments: Arguments
    clock: Clock

    async def find(self) -> Answered | Refused | None:
        """The stored outcome of the same call; None reserves its keys for this transaction.

        Raises:
            InProgress: see there.
            InvalidArguments: the key was used for another call.
        """
        keys = self.invocation.repeat_keys
        if not keys:
            return None
        await self._records.delete_before(self.clock.now() - RETENTION)
        stored: list[IdempotencyRecord] = []
        for key in keys:
            if not await self._records.reserve(self.caller.person_id, key):
                raise InProgress()
            if (record := await self._records.get(self.caller.person_id, key)) is not None:
                stored.append(record)
        if not stored:
            return None
        first = stored[0]
        if first.fingerprint != self._fingerprint():
            raise InvalidArguments("idempotency_key_mismatch", param="idempotency_key")
        # Whatever made this call a repetition, from now on all of its keys do.
        await self._put(first)
        if first.kind == RESULT_KIND:
            return Answered(first.status, first.body, dict(first.headers), replayed=True)
        return Refused(first.kind, first.status, first.body, dict(first.headers), replayed=True)

    async def keep(self, outcome: Answered | Refused) -> None:
        """Store the outcome under the keys of the call, if it has any."""
        if not self.invocation.repeat_keys or outcome.status in _NEVER_KEPT:
            return
        body = self.invocation.operation.body_to_keep(outcome.body) if outcome.status < 400 else outcome.body
        await self._put(
            IdempotencyRecord(
                person_id=self.caller.person_id,
                key="",
                fingerprint=self._fingerprint(),
                kind=RESULT_KIND if isinstance(outcome, Answered) else outcome.kind,
                status=outcome.status,
                body=body,
                headers=dict(outcome.headers),
                created_at=self.clock.now(),
            )
        )

    async def _put(self, record: IdempotencyRecord) -> None:
        """Under every key of the call that has no record."""
        for key in self.invocation.repeat_keys:
            await self._records.put(replace(record, key=key, created_at=self.clock.now()))

    @property
    def _records(self) -> IdempotencyRecords:
        return IdempotencyRecords(self.connection, self.caller.organization_id)

    def _fingerprint(self) -> str:
        return call_digest(self.invocation.operation, self.arguments)


def call_digest(operation: Operation, arguments: Arguments) -> str:
    """Hex SHA-256 of what is called with which arguments, however they were spelled."""
    said = [operation.route.method, operation.name, arguments.model_dump(mode="json")]
    return hashlib.sha256(canonical_json(said)).hexdigest()
