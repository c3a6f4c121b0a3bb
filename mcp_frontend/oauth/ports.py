"""What verifying a token needs from outside."""

from typing import Protocol

from joserfc.jwk import ECKey


class KeysUnavailable(Exception):
    """The issuer's keys were never read, and cannot be read; that says nothing about a token."""

    def __init__(self, retry_after_seconds: int = 2) -> None:
        super().__init__(f"the issuer's keys are unavailable, retry after {retry_after_seconds} s")
        self.retry_after_seconds = retry_after_seconds


class KeySource(Protocol):
    async def find(self, key_id: str) -> ECKey | None:
        """The issuer's ES256 signature key with that id, or None when the issuer has no such key.

        Raises:
            KeysUnavailable: see there.
        """
        ...
