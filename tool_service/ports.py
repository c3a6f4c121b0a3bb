"""What the tool service needs from outside: Protocols, and the values that cross them."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Protocol
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection


class Clock(Protocol):
    def now(self) -> datetime:
        """The present moment, UTC, aware."""
        ...


class Ids(Protocol):
    def new(self) -> UUID:
        """A fresh UUID v7: ids of one process sort by the time of their making."""
        ...


class Sealer(Protocol):
    """Authenticated encryption under a key ring: the first key seals, all of them open."""

    def seal(self, purpose: str, data: bytes) -> str:
        """Opaque URL-safe text that only `open` with the same purpose reads."""
        ...

    def open(self, purpose: str, sealed: str) -> bytes | None:
        """The data, or None when the text is not ours, is damaged, or has another purpose."""
        ...


class TurnQueue(Protocol):
    async def enqueue(self, connection: AsyncConnection, organization_id: UUID, execution_id: UUID) -> None:
        """Have a worker take up the execution once the transaction of the connection commits; never if it does not."""
        ...


@dataclass(frozen=True, slots=True)
class StoredObject:
    """What the store knows of an object; the SHA-256 is lower-case hex of the bytes that arrived."""

    size_bytes: int
    sha256: str
    head: bytes


@dataclass(frozen=True, slots=True)
class SignedUpload:
    """Everything that a plain HTTP client sends: method, url and every header."""

    method: str
    url: str
    headers: dict[str, str]
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class SignedDownload:
    url: str
    expires_at: datetime


class ObjectStoreUnavailable(OSError):
    """The store cannot be reached, is full or may not be written; the same call may succeed later."""


class ObjectStore(Protocol):
    """Bytes by key. Keys are ours ("org/{organization}/{file}"), never a caller's text.

    Every method that touches bytes may raise ObjectStoreUnavailable; then nothing half-done is left.
    """

    async def sign_upload(
        self, key: str, *, content_type: str, size_bytes: int, sha256: str | None, expires_at: datetime
    ) -> SignedUpload:
        """A URL for one PUT of exactly that type and size."""
        ...

    async def sign_download(
        self, key: str, *, filename: str, content_type: str, expires_at: datetime
    ) -> SignedDownload:
        """A URL that answers the bytes as an attachment of that name."""
        ...

    async def inspect(self, key: str) -> StoredObject | None:
        """Size, digest and the first 4 KiB of the object, or None when nothing was uploaded."""
        ...

    async def read(self, key: str) -> bytes:
        """The whole object.

        Raises:
            FileNotFoundError: there is none.
        """
        ...

    async def write(self, key: str, chunks: AsyncIterator[bytes]) -> StoredObject:
        """Store the object whole or not at all; an existing one is replaced."""
        ...

    async def move(self, source: str, target: str) -> bool:
        """Put the object at another key, over what is there; False when there is none at the source."""
        ...

    async def delete(self, key: str) -> None:
        """Remove the object; one that is not there is fine."""
        ...


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file handed to a turn."""

    id: UUID
    filename: str
    content_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the agent: what it is told and what it is given."""

    execution_id: UUID
    instructions: str
    message: str
    params: dict[str, Any]
    files: Sequence[InputFile]
    language: str


@dataclass(frozen=True, slots=True)
class OutputFile:
    filename: str
    content_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class TurnQuestion:
    """The turn cannot go on without a person."""

    text: str
    options: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class TurnFailure:
    """The turn ended without a result; `reason` is a status_reason of a failed execution."""

    reason: str
    message: str
    fatal: bool = False


@dataclass(frozen=True, slots=True)
class TurnResult:
    """How a turn ended, with its metered cost. At most one of question and failure is set."""

    text: str = ""
    data: dict[str, Any] | None = None
    files: Sequence[OutputFile] = ()
    question: TurnQuestion | None = None
    failure: TurnFailure | None = None
    cost_cents: Decimal = Decimal(0)
    input_tokens: int = 0
    output_tokens: int = 0


class TurnCanceled(Exception):
    """Raised by the observer when the turn must stop; the runner lets it through."""


class TurnObserver(Protocol):
    async def step(self, kind: str, title: str) -> None:
        """Record that a step begins (kind: tool, reading, writing, check) and let others see it.

        Raises:
            TurnCanceled: somebody canceled the execution or its time is over.
        """
        ...


class Runner(Protocol):
    async def run(self, turn: Turn, observer: TurnObserver) -> TurnResult:
        """Run one turn. Long computation stays off the event loop and calls `observer.step` often.

        Raises:
            TurnCanceled: the observer asked to stop.
        """
        ...
