"""Approvals: a destructive call that waits for its person at a link, and what becomes of it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from tool_service.domain.json_text import canonical_json
from tool_service.domain.language import Language
from tool_service.domain.previews import Preview

LIFETIME = timedelta(minutes=15)
# How long after its end a repeated call is answered with an outcome that nobody has read.
TOLD_WITHIN = timedelta(minutes=15)
# How long arguments and outcome are kept after the decision; the rest of the row stays.
CONTENT_KEPT = timedelta(hours=24)
# More than these wait for one person only when a client has run wild.
PENDING_LIMIT = 20
# A run that shows no end within this is taken over: whoever had it is dead, or slower than any of our operations.
CLAIM_LASTS = timedelta(seconds=15)
# So often a run may die under us before we say that it failed.
ATTEMPT_LIMIT = 5


class ApprovalStatus(StrEnum):
    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    DECLINED = "declined"
    EXPIRED = "expired"

    @property
    def is_over(self) -> bool:
        return not TRANSITIONS[self]


# Running follows itself when a run is taken over from somebody who died.
TRANSITIONS: Mapping[ApprovalStatus, frozenset[ApprovalStatus]] = {
    ApprovalStatus.PENDING: frozenset({ApprovalStatus.RUNNING, ApprovalStatus.DECLINED, ApprovalStatus.EXPIRED}),
    ApprovalStatus.RUNNING: frozenset({ApprovalStatus.RUNNING, ApprovalStatus.COMPLETED, ApprovalStatus.FAILED}),
    ApprovalStatus.COMPLETED: frozenset(),
    ApprovalStatus.FAILED: frozenset(),
    ApprovalStatus.DECLINED: frozenset(),
    ApprovalStatus.EXPIRED: frozenset(),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the call ended: the answer of its operation, byte for byte."""

    kind: str
    """ "Answered", or the name of an OperationError class."""
    status: int
    body: bytes | None
    """None once it is no longer kept."""
    headers: Mapping[str, str]
    required_scopes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Approval:
    """One call of one client, for one person of one organization."""

    id: UUID
    organization_id: UUID
    person_id: UUID
    member_id: UUID
    client_id: str
    client_name: str | None
    """As the program names itself: a claim."""
    token_id: str
    grant_id: UUID | None
    scopes: frozenset[str]
    operation: str
    title: str
    """Of its tool."""
    fingerprint: str
    sealed_arguments: str | None
    preview: Preview
    """As it was when the client called."""
    language: Language
    """In which the client is answered."""
    status: ApprovalStatus
    request_id: str
    trace_id: str | None
    expires_at: datetime
    created_at: datetime
    updated_at: datetime
    decided_at: datetime | None = None
    seen_digest: str | None = None
    """Of the preview that the person said yes to."""
    claimed_at: datetime | None = None
    attempt: int = 0
    finished_at: datetime | None = None
    outcome: Outcome | None = None
    read_at: datetime | None = None
    told_in_request: str | None = None

    def status_at(self, now: datetime) -> ApprovalStatus:
        """The state that counts: nobody has to come by for one to expire."""
        is_late = self.status is ApprovalStatus.PENDING and now >= self.expires_at
        return ApprovalStatus.EXPIRED if is_late else self.status


def ended(approval: Approval, status: ApprovalStatus, now: datetime, **changes: Any) -> Approval:
    """The approval in a state that ends it."""
    return replace(approval, status=status, finished_at=now, updated_at=now, **changes)


def fingerprint(person_id: UUID, client_id: str, operation: str, arguments: Any, idempotency_key: object) -> str:
    """What makes a call the same call again: hex SHA-256 of who, through what, and everything that was sent."""
    said = [str(person_id), client_id, operation, arguments, idempotency_key]
    return hashlib.sha256(canonical_json(said)).hexdigest()
