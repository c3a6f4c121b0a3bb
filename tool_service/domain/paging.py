"""Cursor paging: newest first by (created_at, id), resumed from a sealed key."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, Protocol, TypeVar
from uuid import UUID

from pydantic import MISSING, Field

from tool_service.domain.errors import OperationError
from tool_service.domain.schema import Arguments

CURSOR_LIFETIME = timedelta(hours=24)
_PURPOSE = "cursor"

R = TypeVar("R")


class InvalidCursor(OperationError):
    """The cursor is not ours, is for another list or filter, or is older than a day."""

    def __init__(self) -> None:
        super().__init__("invalid_cursor", param="cursor")


class ListArguments(Arguments):
    """What every list takes."""

    limit: Annotated[int, Field(ge=1, le=100, description="How many items at most, 1 to 100.")] = 25
    cursor: (
        Annotated[
            str,
            Field(
                min_length=1, max_length=1024, description="meta.next_cursor of the page before; omit for the first."
            ),
        ]
        | MISSING
    ) = MISSING

    def filters(self) -> dict[str, Any]:
        """The arguments that choose the items, as JSON values: the cursor is bound to them."""
        return self.model_dump(mode="json", exclude={"limit", "cursor"})


@dataclass(frozen=True, slots=True)
class Key:
    """Where a page ended: the sort key of its last item."""

    created_at: datetime
    id: UUID


class _Sealer(Protocol):
    def seal(self, purpose: str, data: bytes) -> str: ...

    def open(self, purpose: str, sealed: str) -> bytes | None: ...


class _Clock(Protocol):
    def now(self) -> datetime: ...


@dataclass(frozen=True, slots=True)
class Cursors:
    """Seals and opens cursors; they are bound to list, filter and organization, and live a day."""

    sealer: _Sealer
    clock: _Clock

    def after(self, arguments: ListArguments, list_name: str, organization_id: UUID) -> Key | None:
        """The key to continue from; None on the first page.

        Raises:
            InvalidCursor: it does not belong here, or is too old.
        """
        cursor = arguments.cursor
        if cursor is MISSING:
            return None
        opened = self.sealer.open(_PURPOSE, cursor)
        if opened is None:
            raise InvalidCursor()
        claims = json.loads(opened)
        bound = _binding(list_name, organization_id, arguments.filters())
        if claims["b"] != bound or datetime.fromisoformat(claims["x"]) < self.clock.now():
            raise InvalidCursor()
        return Key(datetime.fromisoformat(claims["t"]), UUID(claims["i"]))

    def before_next(
        self,
        rows: Sequence[R],
        key: Callable[[R], Key],
        arguments: ListArguments,
        list_name: str,
        organization_id: UUID,
    ) -> tuple[Sequence[R], str | None]:
        """Cut the rows, fetched with one more than the limit, to a page and the cursor of the next one."""
        if len(rows) <= arguments.limit:
            return rows, None
        page = rows[: arguments.limit]
        last = key(page[-1])
        claims = {
            "b": _binding(list_name, organization_id, arguments.filters()),
            "x": (self.clock.now() + CURSOR_LIFETIME).isoformat(),
            "t": last.created_at.isoformat(),
            "i": str(last.id),
        }
        return page, self.sealer.seal(_PURPOSE, json.dumps(claims, separators=(",", ":")).encode())


def _binding(list_name: str, organization_id: UUID, filters: Mapping[str, Any]) -> str:
    text = json.dumps([list_name, str(organization_id), filters], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
