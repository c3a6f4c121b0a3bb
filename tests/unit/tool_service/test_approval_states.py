"""The states of an approval: which follow which, and when one is over by itself."""

from dataclasses import replace
from datetime import timedelta
from itertools import product
from uuid import UUID

import pytest

from tests.support.clock import NOON
from tool_service.domain.approvals import TRANSITIONS, Approval, ApprovalStatus, fingerprint
from tool_service.domain.language import Language, Localized
from tool_service.domain.previews import Fact, Preview, read_preview, write_preview

S = ApprovalStatus
ALLOWED = {
    (S.PENDING, S.RUNNING),
    (S.PENDING, S.DECLINED),
    (S.PENDING, S.EXPIRED),
    (S.RUNNING, S.RUNNING),
    (S.RUNNING, S.COMPLETED),
    (S.RUNNING, S.FAILED),
}
TEXT = Localized(pt="Excluir", en="Delete")
APPROVAL = Approval(
    id=UUID(int=1),
    organization_id=UUID(int=2),
    person_id=UUID(int=3),
    member_id=UUID(int=4),
    client_id="c",
    client_name=None,
    token_id="t",
    grant_id=None,
    scopes=frozenset(),
    operation="tasks_delete",
    title="Delete a task",
    fingerprint="f",
    sealed_arguments=None,
    preview=Preview(TEXT),
    language=Language.ENGLISH,
    status=S.PENDING,
    request_id="r",
    trace_id=None,
    expires_at=NOON,
    created_at=NOON - timedelta(minutes=15),
    updated_at=NOON,
)


@pytest.mark.parametrize(("before", "after"), list(product(S, S)))
def test_a_state_is_followed_by_these_and_no_other(before: S, after: S) -> None:
    assert (after in TRANSITIONS[before]) == ((before, after) in ALLOWED)


def test_what_nobody_decided_in_time_has_expired_without_anybody_saying_so() -> None:
    assert APPROVAL.status_at(NOON - timedelta(microseconds=1)) is S.PENDING
    assert APPROVAL.status_at(NOON) is S.EXPIRED
    for status in set(S) - {S.PENDING}:
        assert replace(APPROVAL, status=status).status_at(NOON + timedelta(days=1)) is status


@pytest.mark.parametrize(
    "other",
    [
        (UUID(int=2), "c", "o", {"a": 1}, None),
        (UUID(int=1), "d", "o", {"a": 1}, None),
        (UUID(int=1), "c", "p", {"a": 1}, None),
        (UUID(int=1), "c", "o", {"a": 2}, None),
        (UUID(int=1), "c", "o", {"a": "1"}, None),
        (UUID(int=1), "c", "o", {"a": 1}, "k"),
    ],
)
def test_a_call_is_the_same_only_with_everything_the_same(other: tuple[UUID, str, str, dict[str, object], str]) -> None:
    same = fingerprint(UUID(int=1), "c", "o", {"a": 1, "b": [1]}, None)
    assert fingerprint(UUID(int=1), "c", "o", {"b": [1], "a": 1}, None) == same
    assert fingerprint(*other) != fingerprint(UUID(int=1), "c", "o", {"a": 1}, None)


def test_a_preview_is_kept_whole() -> None:
    preview = Preview(TEXT, (Fact(TEXT, TEXT),), cost_ceiling_cents=500, destination="hooks.example.com")
    assert read_preview(write_preview(preview)) == preview


@pytest.mark.parametrize(
    "changes",
    [
        {"summary": Localized(pt="Excluir tudo", en="Delete")},
        {"summary": Localized(pt="Excluir", en="Delete all")},
        {"cost_ceiling_cents": 501},
        {"destination": "other.example.com"},
    ],
)
def test_what_was_agreed_to_is_words_cost_and_destination(changes: dict[str, object]) -> None:
    preview = Preview(TEXT, (Fact(TEXT, TEXT),), cost_ceiling_cents=500, destination="hooks.example.com")
    assert replace(preview, **changes).digest != preview.digest  # type: ignore[arg-type]
    assert replace(preview, facts=()).digest == preview.digest
