"""Seal and open requestState: what the client carries for us between a question and its answer.

A state is `v1.<key id>.<sealed>`: AES-256-GCM under the first key of a ring, with all
that stands before the sealed part as associated data. It is bound to one caller, one tool
and one set of arguments; what it proves is that we asked, not that a
person answered.
"""

import base64
import binascii
import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from mcp_frontend.caller import Caller
from mcp_frontend.ports import Clock, Randomness

LIFETIME_SECONDS = 10 * 60
# Longer texts are not ours: a state has some 600 characters.
LIMIT_CHARACTERS = 4096

_VERSION = "v1"
_KEY_ID = re.compile(r"[A-Za-z0-9_-]+")
_KEY_BYTES = 32
_GCM_NONCE_BYTES = 12
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


class StateKeyError(ValueError):
    """The key ring cannot seal; the message says why and shows no key."""


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

    def __init__(self, jwk_set: str, clock: Clock, randomness: Randomness) -> None:
        """Take the ring from a JWK Set text: the first key seals, all of them open.

        Raises:
            StateKeyError: the text is no JWK Set of 256-bit oct keys with ids.
        """
        self._ciphers = _read_ring(jwk_set)
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
            confirmation_id=_encode(self._randomness.token_bytes(_CONFIRMATION_ID_BYTES)),
            key=key,
            attempt=attempt,
        )
        key_id, cipher = next(iter(self._ciphers.items()))
        prefix = f"{_VERSION}.{key_id}"
        nonce = self._randomness.token_bytes(_GCM_NONCE_BYTES)
        sealed = cipher.encrypt(nonce, _canonical(asdict(claims)), prefix.encode())
        return f"{prefix}.{_encode(nonce + sealed)}"

    def open(self, state: str, question: Question) -> Opened:
        """What a state that came back is worth for this question. Total: every text yields one of the three."""
        claims = self._read(state)
        if isinstance(claims, Invalid):
            return claims
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

    def _read(self, state: str) -> _Claims | Invalid:
        prefix, _, sealed = state.rpartition(".")
        version, _, key_id = prefix.partition(".")
        if len(state) > LIMIT_CHARACTERS or version != _VERSION:
            return Invalid("not a state")
        cipher = self._ciphers.get(key_id)
        if cipher is None:
            return Invalid("unknown key")
        try:
            data = base64.urlsafe_b64decode(sealed.encode("ascii") + b"=" * (-len(sealed) % 4))
            # The alphabet is checked by encoding again: the decoder skips what it does not know.
            if _encode(data) != sealed or len(data) <= _GCM_NONCE_BYTES:
                return Invalid("not base64url")
            plain = cipher.decrypt(data[:_GCM_NONCE_BYTES], data[_GCM_NONCE_BYTES:], prefix.encode())
        except (UnicodeEncodeError, binascii.Error):
            return Invalid("not base64url")
        except InvalidTag:
            return Invalid("forged or damaged")
        return _Claims(**json.loads(plain))


def _read_ring(jwk_set: str) -> dict[str, AESGCM]:
    try:
        keys = json.loads(jwk_set)["keys"]
    except (ValueError, KeyError, TypeError):
        raise StateKeyError("the state keys are no JWK Set") from None
    ring: dict[str, AESGCM] = {}
    for key in keys if isinstance(keys, list) else []:
        match key:
            case {"kty": "oct", "kid": str(key_id), "k": str(text)} if _KEY_ID.fullmatch(key_id):
                ring[key_id] = AESGCM(_read_key(text))
            case _:
                raise StateKeyError("every state key must be an oct key with a kid of A-Z a-z 0-9 _ -")
    if not ring:
        raise StateKeyError("the ring of state keys is empty")
    return ring


def _read_key(text: str) -> bytes:
    try:
        key = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        key = b""
    if len(key) != _KEY_BYTES:
        raise StateKeyError(f"every state key must have {_KEY_BYTES * 8} bits")
    return key


def _canonical(value: Any) -> bytes:
    # surrogatepass: a digest has to exist for every text that JSON can carry.
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def _digest(value: Any) -> str:
    return _encode(hashlib.sha256(_canonical(value)).digest())


def _principal(caller: Caller) -> str:
    return _digest([caller.issuer, caller.client_id, caller.subject, caller.organization_id])


def _same(ours: str, theirs: str) -> bool:
    return hmac.compare_digest(ours.encode("utf-8", "surrogatepass"), theirs.encode("utf-8", "surrogatepass"))


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")
