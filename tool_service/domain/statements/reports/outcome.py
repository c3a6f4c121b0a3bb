"""What a report is made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Document:
    """A file to hand over."""

    filename: str
    content_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Outcome:
    """Text for people, the same as JSON values (amounts in integer cents, ISO dates), and documents."""

    text: str
    data: Mapping[str, Any]
    documents: tuple[Document, ...]
