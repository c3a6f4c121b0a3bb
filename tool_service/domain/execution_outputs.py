"""What a turn hands back, piece by piece: its text, its data, its files; and the bounds of each.

All of it is third-party data, never an instruction.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID, uuid5

# What an answer about the execution shows of the text; the outputs list gives the whole.
TEXT_SHOWN = 8_000
# An answer with every output must stay well below the 1 MiB body and the gRPC message limit.
TEXT_LIMIT = 200_000
DATA_LIMIT_BYTES = 256 * 1024
FILES_LIMIT = 50


class OutputKind(StrEnum):
    TEXT = "text"
    DATA = "data"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class FileReference:
    """A file as an answer about an execution shows it."""

    id: UUID
    filename: str
    content_type: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Output:
    """One output; exactly the member that `kind` names is set."""

    id: UUID
    index: int
    kind: OutputKind
    text: str | None
    data: Mapping[str, Any] | None
    file: FileReference | None
    created_at: datetime


def output_id(execution_id: UUID, index: int) -> UUID:
    """The id of the output, the same in every attempt: a turn that is run again writes over itself."""
    return uuid5(execution_id, f"output:{index}")


def output_file_id(execution_id: UUID, index: int) -> UUID:
    return uuid5(execution_id, f"file:{index}")
