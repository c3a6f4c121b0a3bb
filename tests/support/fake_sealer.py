"""ports.Sealer that hides nothing: the same text for the same data, so that answers can be compared."""

from base64 import urlsafe_b64decode, urlsafe_b64encode


class FakeSealer:
    def seal(self, purpose: str, data: bytes) -> str:
        return urlsafe_b64encode(f"{purpose}:".encode() + data).decode()

    def open(self, purpose: str, sealed: str) -> bytes | None:
        try:
            data = urlsafe_b64decode(sealed)
        except ValueError:
            return None
        prefix = f"{purpose}:".encode()
        return data.removeprefix(prefix) if data.startswith(prefix) else None
