"""The state machine of executions, its poll times and what may be continued."""

from datetime import timedelta
from decimal import Decimal
from itertools import product

import pytest

from tests.support.clock import NOON
from tests.unit.tool_service.executions.factory import an_execution
from tool_service.domain.executions import (
    Status,
    continuable,
    may_follow,
    next_poll_seconds,
    reserved_cents,
    whole_cents,
)

# The arrows of the state picture. A queued one fails when its task cannot be run at all.
ARROWS = {
    ("queued", "running"),
    ("queued", "canceled"),
    ("queued", "expired"),
    ("queued", "failed"),
    ("running", "running"),
    ("running", "canceling"),
    ("running", "completed"),
    ("running", "needs_input"),
    ("running", "failed"),
    ("running", "canceled"),
    ("canceling", "canceled"),
    ("canceling", "completed"),
    ("canceling", "needs_input"),
    ("canceling", "failed"),
}
TERMINAL = {"completed", "needs_input", "failed", "canceled", "expired"}


def test_exactly_the_arrows_of_the_picture_may_be_taken() -> None:
    taken = {(before.value, after.value) for before, after in product(Status, Status) if may_follow(before, after)}
    assert taken == ARROWS


def test_exactly_the_states_of_the_table_are_terminal() -> None:
    assert {status.value for status in Status if status.terminal} == TERMINAL


@pytest.mark.parametrize(
    ("age_seconds", "wait_seconds"),
    [(0, 2), (29, 2), (30, 5), (119, 5), (120, 10), (599, 10), (600, 30), (86_400, 30)],
)
def test_the_older_an_execution_the_longer_clients_wait(age_seconds: int, wait_seconds: int) -> None:
    now = NOON + timedelta(seconds=age_seconds)
    assert next_poll_seconds(an_execution(status=Status.RUNNING), now) == wait_seconds


@pytest.mark.parametrize("status", sorted(TERMINAL))
def test_nobody_waits_for_an_execution_that_is_over(status: str) -> None:
    assert next_poll_seconds(an_execution(status=Status(status)), NOON) is None


@pytest.mark.parametrize(
    ("changes", "days", "expected"),
    [
        ({"status": Status.COMPLETED}, 29, True),
        ({"status": Status.COMPLETED}, 30, False),
        ({"status": Status.FAILED, "error": {"code": "timeout", "message": "", "fatal": False}}, 29, True),
        ({"status": Status.FAILED, "error": {"code": "input_rejected", "message": "", "fatal": True}}, 0, False),
        ({"status": Status.CANCELED}, 0, False),
        ({"status": Status.EXPIRED}, 0, False),
        ({"status": Status.QUEUED}, 0, False),
        ({"status": Status.RUNNING}, 0, False),
        ({"status": Status.CANCELING}, 0, False),
    ],
)
def test_what_ended_well_or_may_be_repaired_can_be_continued_for_thirty_days(
    changes: dict[str, object], days: int, expected: bool
) -> None:
    execution = an_execution(**changes, finished_at=NOON)
    assert continuable(execution, NOON + timedelta(days=days)) is expected


@pytest.mark.parametrize(("days", "expected"), [(6, True), (7, False)])
def test_a_question_can_be_answered_until_it_expires(days: int, expected: bool) -> None:
    question = {"type": "question", "text": "?", "options": ["a"], "expires_at": (NOON + timedelta(days=7)).isoformat()}
    execution = an_execution(status=Status.NEEDS_INPUT, pending_action=question, finished_at=NOON)
    assert continuable(execution, NOON + timedelta(days=days)) is expected


@pytest.mark.parametrize(
    ("changes", "reserved"),
    [
        ({"status": Status.QUEUED}, 500),
        ({"status": Status.RUNNING, "cost_cents": 143}, 357),
        ({"status": Status.RUNNING, "cost_cents": 520}, 0),
        ({"status": Status.COMPLETED, "cost_cents": 143}, 0),
    ],
)
def test_what_a_turn_may_still_spend_is_reserved(changes: dict[str, object], reserved: int) -> None:
    assert reserved_cents(an_execution(**changes)) == reserved


@pytest.mark.parametrize(("cost", "cents"), [("0", 0), ("0.0001", 1), ("12", 12), ("12.01", 13), ("-1", 0)])
def test_a_started_cent_counts(cost: str, cents: int) -> None:
    assert whole_cents(Decimal(cost)) == cents
