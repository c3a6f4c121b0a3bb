"""ports.Sealer that hides nothing: the same text for the same data, so that answers can be compared.

Like the real one it opens nothing but what it sealed: a checksum tells a text that was changed.
"""

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

_CHECKSUM_BYTES = 8


class FakeSealer:
    def seal(self, purpose: str, data: bytes) -> str:
        named = f"{purpose}:".encode() + data
        return urlsafe_b64encode(_checksum(named) + named).decode()

    def open(self, purpose: str, sealed: str) -> bytes | None:
        try:
            text = urlsafe_b64decode(sealed)
        except ValueError:
            return None
        checksum, named = text[:_CHECKSUM_BYTES], text[_CHECKSUM_BYTES:]
        prefix = f"{purpose}:".encode()
        return named.removeprefix(prefix) if checksum == _checksum(named) and named.startswith(prefix) else None


def _checksum(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:_CHECKSUM_BYTES]
