"""What to do with a call, should it need a person's yes: one pure decision.

The decision is made before the tool service is asked, and without knowing the tool: where
the tool needs no confirmation, asking and offering a link are never put into effect.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcp_frontend.approvals.request_state import Expired, Invalid, Opened, Valid

# A client that comes back this often without an answer cannot show the question
# (field report D30); official clients give up after ten rounds themselves.
LIMIT_QUESTIONS = 5


@dataclass(frozen=True, slots=True)
class Proceed:
    """A person said yes; the id makes the call run at most once."""

    confirmation_id: str


@dataclass(frozen=True, slots=True)
class Decline:
    """A person said no, or closed the question (`canceled`)."""

    confirmation_id: str
    canceled: bool


@dataclass(frozen=True, slots=True)
class AskInChat:
    """Ask; `attempt` is the number of this question, from 1."""

    attempt: int


@dataclass(frozen=True, slots=True)
class OfferLink:
    """There is no way to ask a person through this client: they decide at a link."""


@dataclass(frozen=True, slots=True)
class RejectState:
    """The state is forged or belongs to another call. The reason is for the log only."""

    reason: str


Decision = Proceed | Decline | AskInChat | OfferLink | RejectState


def decide(opened: Opened | None, answers: Mapping[str, Any] | None, *, can_ask_in_chat: bool) -> Decision:
    """The whole table of what may arrive on a retry. `opened` is None when no state came."""
    match opened:
        case Invalid(reason):
            return RejectState(reason)
        case _ if not can_ask_in_chat:
            # Capabilities count per request: what such a client sends is nobody's answer.
            return OfferLink()
        case None | Expired():
            # Answers without a state of ours are bound to no question: not consent.
            return AskInChat(attempt=1)
        case Valid():
            return _read_answer(opened, (answers or {}).get(opened.key))


def _read_answer(asked: Valid, answer: Any) -> Decision:
    match answer:
        # A JSON boolean and nothing else: neither the text "true" nor the number 1 is consent.
        case {"action": "accept", "content": {"confirm": bool(confirmed)}}:
            return Proceed(asked.confirmation_id) if confirmed else Decline(asked.confirmation_id, canceled=False)
        case {"action": "decline"}:
            return Decline(asked.confirmation_id, canceled=False)
        case {"action": "cancel"}:
            return Decline(asked.confirmation_id, canceled=True)
        case _ if asked.attempt >= LIMIT_QUESTIONS:
            return OfferLink()
        case _:
            return AskInChat(attempt=asked.attempt + 1)
