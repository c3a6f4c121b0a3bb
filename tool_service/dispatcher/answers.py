"""How a call ended, as bytes and facts that either face can carry."""

from dataclasses import dataclass, field
from enum import Enum, auto

from tool_service.domain.language import Language
from tool_service.domain.previews import Preview


class Decision(Enum):
    """How a person said no."""

    DECLINED = auto()
    CANCELED = auto()


@dataclass(frozen=True, slots=True)
class Answered:
    """The operation answered; the body is what both faces show, empty with 204."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """The caller can act on this. `kind` is the name of the OperationError class."""

    kind: str
    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    retry_after_seconds: int | None = None
    required_scopes: frozenset[str] = frozenset()
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class ConfirmationNeeded:
    """Every check passed and nothing ran: a person has to say yes to this.

    `page_only`: a yes in the chat is not enough.
    """

    title: str
    preview: Preview
    language: Language
    page_only: bool = False
