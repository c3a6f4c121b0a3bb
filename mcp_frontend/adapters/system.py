"""Time and randomness of the machine."""

import secrets
from datetime import UTC, datetime


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


class SystemRandomness:
    def token_bytes(self, size: int) -> bytes:
        return secrets.token_bytes(size)
