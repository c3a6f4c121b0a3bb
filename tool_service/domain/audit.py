"""What the audit remembers of an event: who, through which face, what, and how it ended.

No secret, request body or text of the agent belongs in `changes`.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from tool_service.domain.caller import Channel, Role


class ActorType(StrEnum):
    PERSON = "person"
    SYSTEM = "system"


class AuditResult(StrEnum):
    """OK: it happened. DENIED: somebody or something said no. ERROR: it could not be done."""

    OK = "ok"
    DENIED = "denied"
    ERROR = "error"


class Door(StrEnum):
    """How a person said yes or no: CHAT by the client's question, PAGE at the approval link."""

    CHAT = "chat"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class Change:
    """One field of the resource; `before` and `after` are JSON values."""

    field: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """One event, never changed after it was written. `code` is an error code of the catalogue."""

    id: UUID
    created_at: datetime
    actor_type: ActorType
    channel: Channel
    action: str
    result: AuditResult
    request_id: str
    actor_id: UUID | None = None
    actor_name: str | None = None
    actor_role: Role | None = None
    client_name: str | None = None
    token_id: str | None = None
    resource_type: str | None = None
    resource_id: str | None = None
    code: str | None = None
    confirmation_id: str | None = None
    door: Door | None = None
    """Where a person confirmed or declined what the event tells of."""
    call_digest: str | None = None
    """Hex SHA-256 of the tool and its arguments."""
    idempotency_key: str | None = None
    """What makes a repetition of the call the same call."""
    trace_id: str | None = None
    changes: tuple[Change, ...] = ()
