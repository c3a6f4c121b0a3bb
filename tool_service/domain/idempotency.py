"""What is remembered of a call so that its repetition gets the same answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

RETENTION = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class IdempotencyRecord:
    """The answer to one key of one person.

    `fingerprint` is the hex SHA-256 of the call, `kind` says how it ended ("Answered", or the name
    of an OperationError class), `body` holds the very bytes that were answered.
    """

    person_id: UUID
    key: str
    fingerprint: str
    kind: str
    status: int
    body: bytes
    created_at: datetime
    headers: Mapping[str, str] = field(default_factory=dict)
