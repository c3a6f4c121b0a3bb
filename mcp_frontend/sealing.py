"""Seal and open what others carry for us: a client its requestState, a browser its session.

A sealed value is `<label>.<key id>.<sealed>`: AES-256-GCM under the first key of a ring, with all that stands
before the sealed part as associated data. So a value of one label never opens as one of another.
"""

import base64
import binascii
import json
import re
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from mcp_frontend.ports import Randomness

_KEY_ID = re.compile(r"[A-Za-z0-9_-]+")
_KEY_BYTES = 32
_NONCE_BYTES = 12


class SealingKeyError(ValueError):
    """The key ring cannot seal; the message says why and shows no key."""


class NotSealed(Exception):
    """Forged, damaged, or of another label. The message is for the log, never for a client."""


class SealingRing:
    """Every replica that shares the ring opens what another one sealed."""

    def __init__(self, jwk_set: str, randomness: Randomness) -> None:
        """Take the ring from a JWK Set text: the first key seals, all of them open.

        Raises:
            SealingKeyError: the text is no JWK Set of 256-bit oct keys with ids.
        """
        self._ciphers = _read_ring(jwk_set)
        self._randomness = randomness

    def seal(self, label: str, value: Any) -> str:
        """A JSON value that only this ring can read; the same value seals differently each time."""
        key_id, cipher = next(iter(self._ciphers.items()))
        prefix = f"{label}.{key_id}"
        nonce = self._randomness.token_bytes(_NONCE_BYTES)
        return f"{prefix}.{encode(nonce + cipher.encrypt(nonce, canonical_json(value), prefix.encode()))}"

    def open(self, label: str, text: str, limit_characters: int = 4096) -> Any:
        """Total: every text yields what was sealed, or the error.

        Raises:
            NotSealed: see there.
        """
        prefix, _, sealed = text.rpartition(".")
        said, _, key_id = prefix.partition(".")
        if len(text) > limit_characters or said != label:
            raise NotSealed("not sealed by us")
        cipher = self._ciphers.get(key_id)
        if cipher is None:
            raise NotSealed("unknown key")
        try:
            data = base64.urlsafe_b64decode(sealed.encode("ascii") + b"=" * (-len(sealed) % 4))
            # The alphabet is checked by encoding again: the decoder skips what it does not know.
            if encode(data) != sealed or len(data) <= _NONCE_BYTES:
                raise NotSealed("not base64url")
            return json.loads(cipher.decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], prefix.encode()))
        except (UnicodeEncodeError, binascii.Error):
            raise NotSealed("not base64url") from None
        except InvalidTag:
            raise NotSealed("forged or damaged") from None


def canonical_json(value: Any) -> bytes:
    # surrogatepass: a digest has to exist for every text that JSON can carry.
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def encode(data: bytes) -> str:
    """base64url without padding (RFC 7515 2)."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _read_ring(jwk_set: str) -> dict[str, AESGCM]:
    try:
        keys = json.loads(jwk_set)["keys"]
    except (ValueError, KeyError, TypeError):
        raise SealingKeyError("the state keys are no JWK Set") from None
    ring: dict[str, AESGCM] = {}
    for key in keys if isinstance(keys, list) else []:
        match key:
            case {"kty": "oct", "kid": str(key_id), "k": str(text)} if _KEY_ID.fullmatch(key_id):
                ring[key_id] = AESGCM(_read_key(text))
            case _:
                raise SealingKeyError("every state key must be an oct key with a kid of A-Z a-z 0-9 _ -")
    if not ring:
        raise SealingKeyError("the ring of state keys is empty")
    return ring


def _read_key(text: str) -> bytes:
    try:
        key = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        key = b""
    if len(key) != _KEY_BYTES:
        raise SealingKeyError(f"every state key must have {_KEY_BYTES * 8} bits")
    return key
