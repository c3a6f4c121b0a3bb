"""What the issuer needs from outside."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ClientDocument:
    """A client's metadata document as it came, and for how long HTTP lets us keep it: 0 seconds to a day."""

    body: bytes
    fresh_seconds: int


class ClientDocumentRefused(Exception):
    """The document could not be had.

    `reason` is plain ASCII, fit to be shown to a person: what follows "It cannot be used: ", without a full stop.
    `is_temporary` when the same request may succeed later (time-out, no connection, 5xx).
    """

    def __init__(self, reason: str, *, is_temporary: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_temporary = is_temporary


class ClientDocuments(Protocol):
    async def fetch(self, url: str) -> ClientDocument:
        """The document at that https URL; any text may be given, for it comes from strangers.

        Raises:
            ClientDocumentRefused: the URL is unfit, or the document was not had within limits.
        """
        ...
