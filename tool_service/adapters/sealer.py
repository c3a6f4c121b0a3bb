"""ports.Sealer by AES-256-GCM: what we hand out and want back unread and unchanged (cursors, signed URLs),
and what we keep and nobody else may read (the arguments of approvals)."""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tool_service.adapters.key_ring import SecretKey

# Random nonces of 96 bits are safe for 2^32 messages under one key (NIST SP 800-38D, 8.3).
NONCE_BYTES = 12
# Far above anything that we hand out; what is longer is not ours and costs no decryption.
LIMIT_CHARACTERS = 16 * 1024
# For what we keep ourselves: the arguments of a call, which came in a body of at most 1 MiB.
LIMIT_KEPT_CHARACTERS = 8 * 1024 * 1024


class AesGcmSealer:
    """Text of the form `key id.nonce and ciphertext`, base64url without padding.

    The purpose is authenticated with the data, so what was sealed for one use opens for no other.
    """

    def __init__(self, keys: Sequence[SecretKey], limit_characters: int = LIMIT_CHARACTERS) -> None:
        """Seal with the first key, open with all; there must be one. What is longer than the limit is not opened."""
        self._first = keys[0].id
        self._limit_characters = limit_characters
        self._ciphers = {key.id: AESGCM(key.secret) for key in keys}

    def seal(self, purpose: str, data: bytes) -> str:
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = nonce + self._ciphers[self._first].encrypt(nonce, data, purpose.encode())
        return f"{self._first}.{_encode(sealed)}"

    def open(self, purpose: str, sealed: str) -> bytes | None:
        key_id, _, text = sealed.partition(".")
        cipher = self._ciphers.get(key_id)
        if cipher is None or len(sealed) > self._limit_characters:
            return None
        try:
            data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
            # The decoder skips what it does not know; only the one spelling that we wrote is ours.
            if _encode(data) != text:
                return None
            return cipher.decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], purpose.encode())
        except (ValueError, InvalidTag):
            return None


def _encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")
