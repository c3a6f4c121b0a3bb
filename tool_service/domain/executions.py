"""Executions: one turn of the agent each. States, which may follow which, and what they promise.

Pure rules over values. Who moves an execution is told in `execution/` and in the operations;
both ask this table first and then compare and set on (id, status, version).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_CEILING, Decimal
from enum import StrEnum
from typing import Any
from uuid import UUID

from tool_service.domain.tasks import Visibility

MAX_ATTEMPTS = 3
PER_EXECUTION_CAP_CENTS = 1_000_000
CONTINUABLE_FOR = timedelta(days=30)
QUESTION_OPEN_FOR = timedelta(days=7)
QUEUED_AT_MOST = timedelta(hours=24)
CANCELING_AT_MOST = timedelta(seconds=30)


class Status(StrEnum):
    """Where an execution stands. Clients must bear with states that come later."""

    QUEUED = "queued"
    """Accepted; no worker has taken it up yet."""
    RUNNING = "running"
    """A worker runs the turn, or will take it over from one that died."""
    CANCELING = "canceling"
    """Somebody asked to stop it; the worker has not acknowledged yet."""
    COMPLETED = "completed"
    """The turn is over and has its result."""
    NEEDS_INPUT = "needs_input"
    """The turn is over with a question; going on is another execution."""
    FAILED = "failed"
    """The turn is over without a result; `error` says why."""
    CANCELED = "canceled"
    """Stopped because somebody asked."""
    EXPIRED = "expired"
    """Waited in the queue for too long and was never run."""

    @property
    def terminal(self) -> bool:
        return not TRANSITIONS[self]


# A terminal state has no successor. Running follows itself when a worker takes a turn over.
TRANSITIONS: Mapping[Status, frozenset[Status]] = {
    Status.QUEUED: frozenset({Status.RUNNING, Status.CANCELED, Status.EXPIRED, Status.FAILED}),
    Status.RUNNING: frozenset(
        {Status.RUNNING, Status.CANCELING, Status.COMPLETED, Status.NEEDS_INPUT, Status.FAILED, Status.CANCELED}
    ),
    Status.CANCELING: frozenset({Status.CANCELED, Status.COMPLETED, Status.NEEDS_INPUT, Status.FAILED}),
    Status.COMPLETED: frozenset(),
    Status.NEEDS_INPUT: frozenset(),
    Status.FAILED: frozenset(),
    Status.CANCELED: frozenset(),
    Status.EXPIRED: frozenset(),
}

FAILURE_REASONS = frozenset(
    {"timeout", "agent_error", "dependency_unavailable", "input_rejected", "internal_error", "worker_lost"}
)
USER_REQUEST = "user_request"
TASK_DELETED = "task_deleted"
QUEUE_TIMEOUT = "queue_timeout"
QUESTION = "question"

# Seconds to wait before the next poll, by the age of the execution: short runs are seen to end
# at once, long ones cost few calls.
_POLL_SECONDS: Sequence[tuple[timedelta, int]] = (
    (timedelta(seconds=30), 2),
    (timedelta(minutes=2), 5),
    (timedelta(minutes=10), 10),
)
_POLL_SECONDS_LATER = 30


@dataclass(frozen=True, slots=True)
class TaskReference:
    """The task of an execution, as far as an answer about the execution shows it."""

    id: UUID
    slug: str
    name: str
    visibility: Visibility
    deleted: bool


@dataclass(frozen=True, slots=True)
class MemberReference:
    """Who asked for the execution."""

    id: UUID
    name: str


@dataclass(frozen=True, slots=True)
class Execution:
    """One turn, from request to result. `version` counts its transitions, `attempt` the workers that took it up."""

    id: UUID
    task: TaskReference
    thread_id: UUID
    parent_execution_id: UUID | None
    turn: int
    status: Status
    status_reason: str | None
    trigger: str
    requested_by: MemberReference
    client_name: str | None
    message: str | None
    params: Mapping[str, Any]
    input_file_ids: tuple[UUID, ...]
    output_text: str | None
    output_data: Mapping[str, Any] | None
    pending_action: Mapping[str, Any] | None
    error: Mapping[str, Any] | None
    attempt: int
    steps: int
    current_step: str | None
    cost_cents: int
    max_cost_cents: int
    input_tokens: int
    output_tokens: int
    external_id: str | None
    tags: tuple[str, ...]
    custom_data: Mapping[str, Any] | None
    cancel_reason: str | None
    version: int
    queued_at: datetime
    started_at: datetime | None
    canceling_at: datetime | None
    finished_at: datetime | None
    created_at: datetime
    updated_at: datetime


def may_follow(before: Status, after: Status) -> bool:
    return after in TRANSITIONS[before]


def next_poll_seconds(execution: Execution, now: datetime) -> int | None:
    """How long a client should wait before it asks again; None when nothing will change any more."""
    if execution.status.terminal:
        return None
    age = now - execution.created_at
    return next((seconds for limit, seconds in _POLL_SECONDS if age < limit), _POLL_SECONDS_LATER)


def continuable(execution: Execution, now: datetime) -> bool:
    """Whether another turn may follow: 30 days after an end, or as long as the question is open."""
    match execution.status:
        case Status.COMPLETED:
            return _recent(execution, now)
        case Status.FAILED:
            return _recent(execution, now) and not (execution.error or {}).get("fatal", False)
        case Status.NEEDS_INPUT:
            closes = (execution.pending_action or {}).get("expires_at")
            return closes is not None and now < datetime.fromisoformat(closes)
        case _:
            return False


def _recent(execution: Execution, now: datetime) -> bool:
    return execution.finished_at is not None and now < execution.finished_at + CONTINUABLE_FOR


def reserved_cents(execution: Execution) -> int:
    """What the turn may still spend."""
    if execution.status.terminal:
        return 0
    return max(execution.max_cost_cents - execution.cost_cents, 0)


def whole_cents(cost: Decimal) -> int:
    """A metered cost as it is charged: a started cent counts."""
    return max(int(cost.to_integral_value(rounding=ROUND_CEILING)), 0)
