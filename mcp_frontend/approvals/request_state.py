"""Seal and open requestState: what the client carries for us between a question and its answer.

It is bound to one caller, one tool and one set of arguments; what it proves is that we asked, not that a person
answered.
"""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from mcp_frontend.caller import Caller
from mcp_frontend.ports import Clock, Randomness
from mcp_frontend.sealing import NotSealed, SealingRing, canonical_json, encode

LIFETIME_SECONDS = 10 * 60
# Longer texts are not ours: a state has some 600 characters.
LIMIT_CHARACTERS = 4096

_LABEL = "v1"
_CONFIRMATION_ID_BYTES = 16


@dataclass(frozen=True, slots=True)
class Question:
    """What a state is bound to: who was asked, and about which call."""

    caller: Caller
    method: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Valid:
    """We asked exactly this, not long ago. `attempt` counts the times that it was asked, from 1."""

    confirmation_id: str
    key: str
    attempt: int


@dataclass(frozen=True, slots=True)
class Expired:
    """We asked exactly this, but too long ago."""


@dataclass(frozen=True, slots=True)
class Invalid:
    """Forged, damaged, or of another question. The reason is for the log, never for the client."""

    reason: str


Opened = Valid | Expired | Invalid


@dataclass(frozen=True, slots=True)
class _Claims:
    issued_at: int
    expires_at: int
    method: str
    tool: str
    arguments: str
    """SHA-256 of the canonical JSON."""
    principal: str
    """SHA-256 of issuer, client, subject and organization."""
    confirmation_id: str
    key: str
    attempt: int


class RequestStates:
    """The codec. Every replica that shares the key ring opens what another one sealed."""

    def __init__(self, ring: SealingRing, clock: Clock, randomness: Randomness) -> None:
        self._ring = ring
        self._clock = clock
        self._randomness = randomness

    def seal(self, question: Question, *, key: str, attempt: int) -> str:
        """A fresh state that asks for the answer named `key`."""
        now = int(self._clock.now().timestamp())
        claims = _Claims(
            issued_at=now,
            expires_at=now + LIFETIME_SECONDS,
            method=question.method,
            tool=question.tool,
            arguments=_digest(question.arguments),
            principal=_principal(question.caller),
            confirmation_id=encode(self._randomness.token_bytes(_CONFIRMATION_ID_BYTES)),
            key=key,
            attempt=attempt,
        )
        return self._ring.seal(_LABEL, asdict(claims))

    def open(self, state: str, question: Question) -> Opened:
        """What a state that came back is worth for this question. Total: every text yields one of the three."""
        try:
            claims = _Claims(**self._ring.open(_LABEL, state, LIMIT_CHARACTERS))
        except NotSealed as refused:
            return Invalid(str(refused))
        bindings = {
            "method": (claims.method, question.method),
            "tool": (claims.tool, question.tool),
            "arguments": (claims.arguments, _digest(question.arguments)),
            "principal": (claims.principal, _principal(question.caller)),
        }
        # All of them are compared, each in constant time, so the answer's timing tells nothing.
        different = [name for name, (ours, theirs) in bindings.items() if not _same(ours, theirs)]
        if different:
            return Invalid(f"other {', '.join(different)}")
        if self._clock.now().timestamp() >= claims.expires_at:
            return Expired()
        return Valid(claims.confirmation_id, claims.key, claims.attempt)


def _digest(value: Any) -> str:
    return encode(hashlib.sha256(canonical_json(value)).digest())


def _principal(caller: Caller) -> str:
    return _digest([caller.issuer, caller.client_id, caller.subject, caller.organization_id])


def _same(ours: str, theirs: str) -> bool:
    return hmac.compare_digest(ours.encode("utf-8", "surrogatepass"), theirs.encode("utf-8", "surrogatepass"))
