"""What the pages ask of the tool service about approvals: to see one, to decide it, to list a person's own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from mcp_frontend.caller import Subject


class Status(Enum):
    """How an approval stands; the value names its words."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    DECLINED = "declined"
    EXPIRED = "expired"


class Decision(Enum):
    """What the person pressed; the value is the button's."""

    APPROVE = "continue"
    DECLINE = "cancel"


class Verdict(Enum):
    """What of a decision counts."""

    DECIDED = "decided"
    DECIDED_BEFORE = "decided_before"
    """It came too late: somebody had decided, or the time was over."""
    CHANGED = "changed"
    """What would happen is no longer what the person saw; nothing is decided."""


class ApprovalRefusal(Enum):
    """Why nothing of it is shown; the value names its words."""

    NOT_FOUND = "no_such_approval"
    NOT_FOR_YOU = "not_your_approval"


@dataclass(frozen=True, slots=True)
class Approval:
    """One call that waits for its person, or what became of it, in the person's language. Moments are Unix seconds."""

    id: str
    status: Status
    tool: str
    summary: str
    summary_before: str
    """What it was when the client called, where that is no longer what would happen; else empty."""
    seen_digest: str
    """Of what is shown; a yes counts for nothing else."""
    client_name: str
    """As the program names itself: a claim."""
    person_name: str
    organization_name: str
    facts: Sequence[tuple[str, str]]
    """Label and value of what is true of the object now."""
    arguments: Mapping[str, Any] | None
    """None once they are no longer kept."""
    cost_ceiling: str
    destination: str
    created_at: int
    expires_at: int
    decided_at: int
    """0 while nobody has decided."""
    seconds_left: int
    problem: Mapping[str, Any] | None
    """An error body: what a yes would come to as things are."""
    outcome: Any
    """What the call answered; None for nothing, or once it is no longer kept."""
    outcome_status: int
    """Of the call's own answer, as HTTP has it; 0 when there is none."""
    timezone: str
    """IANA name."""


@dataclass(frozen=True, slots=True)
class ListedApproval:
    """One line of a person's inbox. Moments are Unix seconds."""

    id: str
    status: Status
    summary: str
    client_name: str
    organization_name: str
    created_at: int
    decided_at: int
    seconds_left: int
    timezone: str
    """IANA name."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Who stands before the page, which language they read, and the request that brought them."""

    subject: Subject
    language: str
    request_id: str
    trace_parent: str | None = None


class ApprovalsUnavailable(Exception):
    """The tool service cannot be reached or did not answer in time. What was decided may count or not."""

    retry_after_seconds = 2


class VisitorRefused(Exception):
    """The tool service does not know the person any more."""


class ApprovalDesk(Protocol):
    """Every method may also raise ApprovalsUnavailable and VisitorRefused."""

    async def show(self, visit: Visit, approval_id: str) -> Approval | ApprovalRefusal:
        """What the person decides on, or how it was decided. Changes nothing."""
        ...

    async def decide(
        self, visit: Visit, approval_id: str, decision: Decision, seen_digest: str
    ) -> tuple[Verdict, Approval] | ApprovalRefusal:
        """Put their yes or no into effect. Deciding twice is deciding once."""
        ...

    async def inbox(self, visit: Visit) -> Sequence[ListedApproval]:
        """Their own, newest first."""
        ...
