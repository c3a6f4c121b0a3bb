"""What the issuer needs from outside."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ClientDocument:
    """A client's metadata document as it came, and for how long HTTP lets us keep it."""

    body: bytes
    fresh_seconds: int


class ClientDocumentRefused(Exception):
    """The document could not be had; the reason is plain ASCII, fit to be shown to a person."""

    def __init__(self, reason: str, *, is_temporary: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_temporary = is_temporary


class ClientDocuments(Protocol):
    async def fetch(self, url: str) -> ClientDocument:
        """The document at that https URL.

        Raises:
            ClientDocumentRefused: see there.
        """
        ...
