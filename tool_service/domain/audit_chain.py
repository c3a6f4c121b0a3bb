"""The hash chain of an organization's audit: each event seals all that came before it.

Whoever changes, removes or inserts an event without making every later digest anew is found out by `verify`; whoever
makes them anew is found out by the newest digest, which operators keep elsewhere.
"""

import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from tool_service.domain.audit import AuditEvent, Change
from tool_service.domain.json_text import canonical_json

GENESIS = "0" * 64


@dataclass(frozen=True, slots=True)
class Link:
    """One event in its place; `digest` is the hex SHA-256 of itself and of what came before."""

    sequence: int
    previous_digest: str
    digest: str
    event: AuditEvent


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a chain holds. `fault` is None when all of it does."""

    events: int
    last_sequence: int
    last_digest: str
    fault: str | None = None


def link(organization_id: UUID, sequence: int, previous_digest: str, event: AuditEvent) -> Link:
    """The event as the next one of the chain."""
    return Link(sequence, previous_digest, _digest(organization_id, sequence, previous_digest, event), event)


async def verify(organization_id: UUID, links: AsyncIterator[Link], sequence: int, digest: str) -> Verdict:
    """Walk the chain, oldest first, up to its head, which `sequence` and `digest` name.

    It may begin late: what is older than the retention is gone, and the first event vouches for it.
    """
    events = 0
    last: Link | None = None
    async for each in links:
        fault = _fault(organization_id, last, each)
        if fault is not None:
            before = last or Link(0, GENESIS, GENESIS, each.event)
            return Verdict(events, before.sequence, before.digest, fault)
        last, events = each, events + 1
    reached = (0, GENESIS) if last is None else (last.sequence, last.digest)
    fault = None if reached == (sequence, digest) else f"the newest events after {reached[0]} are missing or changed"
    return Verdict(events, *reached, fault)


def _fault(organization_id: UUID, last: Link | None, each: Link) -> str | None:
    if last is not None and each.sequence != last.sequence + 1:
        return f"between {last.sequence} and {each.sequence} events are missing"
    if last is not None and each.previous_digest != last.digest:
        return f"event {each.sequence} does not follow event {last.sequence}"
    if each.digest != _digest(organization_id, each.sequence, each.previous_digest, each.event):
        return f"event {each.sequence} was changed"
    return None


def _digest(organization_id: UUID, sequence: int, previous_digest: str, event: AuditEvent) -> str:
    told = {each.name: _plain(getattr(event, each.name)) for each in fields(event)}
    said = {"organization_id": str(organization_id), "sequence": sequence, "previous": previous_digest, "event": told}
    return hashlib.sha256(canonical_json(said)).hexdigest()


def _plain(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat(timespec="microseconds")
        case UUID():
            return str(value)
        case tuple():
            return [_plain(each) for each in value]
        case Change(field=field, before=before, after=after):
            return [field, before, after]
        case _:
            return value
