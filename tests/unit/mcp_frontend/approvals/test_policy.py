"""The decision table of what may arrive on a retry, row by row."""

from typing import Any

import pytest

from mcp_frontend.approvals.policy import (
    LIMIT_QUESTIONS,
    AskInChat,
    Decision,
    Decline,
    OfferLink,
    Proceed,
    RejectState,
    decide,
)
from mcp_frontend.approvals.request_state import Expired, Invalid, Opened, Valid

ASKED = Valid("c1", "confirm", 1)
ACCEPTED = {"action": "accept", "content": {"confirm": True}}


@pytest.mark.requirement("confirmation.no-is-heard", "confirmation.asked-again", "confirmation.unasked-is-no-consent")
@pytest.mark.parametrize(
    ("opened", "answers", "decision"),
    [
        (None, None, AskInChat(1)),
        (None, {"confirm": ACCEPTED}, AskInChat(1)),
        (Expired(), None, AskInChat(1)),
        (Expired(), {"confirm": ACCEPTED}, AskInChat(1)),
        (Invalid("forged"), None, RejectState("forged")),
        (Invalid("forged"), {"confirm": ACCEPTED}, RejectState("forged")),
        (ASKED, {"confirm": ACCEPTED}, Proceed("c1")),
        (ASKED, {"confirm": ACCEPTED, "more": 1}, Proceed("c1")),
        (ASKED, {"confirm": {**ACCEPTED, "more": 1}}, Proceed("c1")),
        (ASKED, {"confirm": {"action": "accept", "content": {"confirm": False}}}, Decline("c1", canceled=False)),
        (ASKED, {"confirm": {"action": "decline"}}, Decline("c1", canceled=False)),
        (ASKED, {"confirm": {"action": "decline", "content": {"confirm": True}}}, Decline("c1", canceled=False)),
        (ASKED, {"confirm": {"action": "cancel"}}, Decline("c1", canceled=True)),
        (ASKED, None, AskInChat(2)),
        (ASKED, {}, AskInChat(2)),
        (ASKED, {"other": ACCEPTED}, AskInChat(2)),
    ],
)
def test_a_client_that_can_ask_gets_the_row_of_the_table(
    opened: Opened | None, answers: dict[str, Any] | None, decision: Decision
) -> None:
    assert decide(opened, answers, can_ask_in_chat=True) == decision


@pytest.mark.requirement("confirmation.only-true-is-yes")
@pytest.mark.parametrize(
    "answer",
    [
        None,
        True,
        "accept",
        [],
        {},
        {"action": "accept"},
        {"action": "accept", "content": None},
        {"action": "accept", "content": {}},
        {"action": "accept", "content": [True]},
        {"action": "accept", "content": {"confirm": "true"}},
        {"action": "accept", "content": {"confirm": 1}},
        {"action": "accept", "content": {"confirm": 0}},
        {"action": "accept", "content": {"confirm": None}},
        {"action": "accept", "content": {"confirm": [True]}},
        {"action": "accept", "content": {"Confirm": True}},
        {"action": "Accept", "content": {"confirm": True}},
        {"action": "yes", "content": {"confirm": True}},
        {"content": {"confirm": True}},
        {"action": True},
    ],
)
def test_what_is_no_answer_is_asked_again_and_never_consent(answer: object) -> None:
    assert decide(ASKED, {"confirm": answer}, can_ask_in_chat=True) == AskInChat(2)


@pytest.mark.requirement("confirmation.cannot-be-asked")
@pytest.mark.parametrize("opened", [None, Expired(), ASKED])
@pytest.mark.parametrize("answers", [None, {"confirm": ACCEPTED}])
def test_without_form_elicitation_nothing_counts_as_an_answer(
    opened: Opened | None, answers: dict[str, Any] | None
) -> None:
    assert decide(opened, answers, can_ask_in_chat=False) == OfferLink()


def test_a_forged_state_is_rejected_whatever_the_client_declares() -> None:
    assert decide(Invalid("forged"), None, can_ask_in_chat=False) == RejectState("forged")


@pytest.mark.requirement("confirmation.not-for-ever")
def test_a_client_that_never_answers_is_not_asked_for_ever() -> None:
    last = Valid("c1", "confirm", LIMIT_QUESTIONS)
    assert decide(Valid("c1", "confirm", LIMIT_QUESTIONS - 1), None, can_ask_in_chat=True) == AskInChat(LIMIT_QUESTIONS)
    assert decide(last, None, can_ask_in_chat=True) == OfferLink()


def test_an_answer_to_the_last_question_still_counts() -> None:
    last = Valid("c1", "confirm", LIMIT_QUESTIONS)
    assert decide(last, {"confirm": ACCEPTED}, can_ask_in_chat=True) == Proceed("c1")
