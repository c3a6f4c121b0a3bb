"""Approvals in SQL: every move is compared and set, so of two who decide at once one has decided."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.db.tables import approvals, members, organizations
from tool_service.domain.approvals import CLAIM_LASTS, CONTENT_KEPT, TRANSITIONS, Approval, ApprovalStatus, Outcome
from tool_service.domain.errors import NotFound
from tool_service.domain.language import Language
from tool_service.domain.organizations import MemberStatus
from tool_service.domain.paging import Key
from tool_service.domain.previews import read_preview, write_preview
from tool_service.repositories.scoped import ScopedRepository, newest_first

_OVER = tuple(each.value for each in ApprovalStatus if each.is_over)


class ApprovalRepository(ScopedRepository):
    """One organization's approvals."""

    async def add(self, approval: Approval) -> bool:
        """Keep a new one; False, and nothing done, when the same call waits already."""
        try:
            async with self._connection.begin_nested():
                await self._insert(approvals, _columns(approval))
        except IntegrityError:
            return False
        return True

    async def get(self, approval_id: UUID, person_id: UUID) -> Approval:
        """The person's own.

        Raises:
            NotFound: there is none, or it is somebody else's.
        """
        statement = self._select(approvals).where(approvals.c.id == approval_id, approvals.c.person_id == person_id)
        row = (await self._connection.execute(statement)).mappings().first()
        if row is None:
            raise NotFound(param="id")
        return _approval(row)

    async def page(
        self, person_id: UUID, statuses: Sequence[ApprovalStatus], now: datetime, after: Key | None, limit: int
    ) -> Sequence[Approval]:
        """The person's own, newest first, one more than the limit; of all states when none is named."""
        statement = self._select(approvals).where(approvals.c.person_id == person_id)
        if statuses:
            statement = statement.where(sa.or_(*(_is(each, now) for each in statuses)))
        rows = await self._connection.execute(newest_first(statement, approvals, after, limit))
        return [_approval(row) for row in rows.mappings()]

    async def suggest_ids(self, person_id: UUID, between: tuple[UUID, UUID], limit: int) -> Sequence[UUID]:
        """The person's own with an id between the two, newest first."""
        statement = self._select(approvals, approvals.c.id, approvals.c.created_at).where(
            approvals.c.person_id == person_id, approvals.c.id.between(*between)
        )
        statement = statement.order_by(approvals.c.created_at.desc(), approvals.c.id.desc()).limit(limit)
        return [row.id for row in await self._connection.execute(statement)]

    async def pending(self, person_id: UUID, now: datetime) -> int:
        """How many wait for the person."""
        statement = self._select(approvals, sa.func.count()).where(
            approvals.c.person_id == person_id, _is(ApprovalStatus.PENDING, now)
        )
        return int(await self._connection.scalar(statement) or 0)

    async def same_call(self, fingerprint: str) -> Sequence[Approval]:
        """Those of the same call of the same client, newest first."""
        statement = self._select(approvals).where(approvals.c.fingerprint == fingerprint)
        rows = await self._connection.execute(newest_first(statement, approvals, None, 10))
        return [_approval(row) for row in rows.mappings()]

    async def move(self, read: Approval, moved: Approval) -> bool:
        """Store the next state; False, and nothing done, when somebody else moved it since it was read.

        Raises:
            ValueError: no such transition.
        """
        if moved.status is not read.status and moved.status not in TRANSITIONS[read.status]:
            raise ValueError(f"{read.status} does not become {moved.status}")
        statement = self._update(approvals).where(
            approvals.c.id == read.id, approvals.c.status == read.status.value, approvals.c.attempt == read.attempt
        )
        values = {name: value for name, value in _columns(moved).items() if name != "id"}
        return (await self._connection.execute(statement.values(values))).rowcount == 1

    async def note_read(self, approval_id: UUID, now: datetime, request_id: str | None) -> bool:
        """Remember that a client has read the outcome; False when one did before.

        `request_id` names the request that was answered with it in place of a new link.
        """
        unread = self._update(approvals).where(approvals.c.id == approval_id, approvals.c.read_at.is_(None))
        return (await self._connection.execute(unread.values(read_at=now, told_in_request=request_id))).rowcount == 1


class ApprovalDirectory:
    """Not scoped, on purpose: for the person at the link, whose organization the approval itself names, and for the
    keeper, who serves every organization.
    """

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def find(self, approval_id: UUID) -> Approval | None:
        """Whoever's it is: who may see it is for the caller to say."""
        row = (await self._connection.execute(sa.select(approvals).where(approvals.c.id == approval_id))).mappings()
        found = row.first()
        return None if found is None else _approval(found)

    async def of_person(self, person_id: UUID, limit: int) -> Sequence[tuple[Approval, str]]:
        """The person's own, newest first, of every organization in which they are an active member; with its name."""
        statement = (
            sa.select(approvals, organizations.c.name.label("organization_name"))
            .join(members, members.c.id == approvals.c.member_id)
            .join(organizations, organizations.c.id == approvals.c.organization_id)
            .where(approvals.c.person_id == person_id, members.c.status == MemberStatus.ACTIVE)
            .order_by(approvals.c.created_at.desc(), approvals.c.id.desc())
            .limit(limit)
        )
        rows = (await self._connection.execute(statement)).mappings()
        return [(_approval(row), row["organization_name"]) for row in rows]

    async def late(self, now: datetime, limit: int) -> Sequence[Approval]:
        """Those that waited too long, oldest first."""
        return await self._oldest(
            sa.and_(approvals.c.status == ApprovalStatus.PENDING.value, approvals.c.expires_at <= now), limit
        )

    async def stalled(self, now: datetime, limit: int) -> Sequence[Approval]:
        """Those whose run shows no end, oldest first."""
        return await self._oldest(
            sa.and_(approvals.c.status == ApprovalStatus.RUNNING.value, approvals.c.claimed_at <= now - CLAIM_LASTS),
            limit,
        )

    async def remembers_too_long(self, now: datetime) -> bool:
        """Whether there is something for `forget_content`."""
        statement = sa.select(approvals.c.id).where(_past_keeping(now)).limit(1)
        return (await self._connection.execute(statement)).first() is not None

    async def forget_content(self, now: datetime) -> int:
        """Drop arguments and outcomes that were kept for long enough; of how many."""
        statement = sa.update(approvals).where(_past_keeping(now)).values(sealed_arguments=None, outcome_body=None)
        return (await self._connection.execute(statement)).rowcount

    async def _oldest(self, condition: sa.ColumnElement[bool], limit: int) -> Sequence[Approval]:
        statement = sa.select(approvals).where(condition).order_by(approvals.c.expires_at).limit(limit)
        return [_approval(row) for row in (await self._connection.execute(statement)).mappings()]


def _past_keeping(now: datetime) -> sa.ColumnElement[bool]:
    return sa.and_(
        # As ix_approvals_expires_at_with_content has it.
        sa.or_(approvals.c.sealed_arguments.is_not(None), approvals.c.outcome_body.is_not(None)),
        approvals.c.expires_at <= now - CONTENT_KEPT,
        approvals.c.status.in_(_OVER),
        sa.func.coalesce(approvals.c.finished_at, approvals.c.expires_at) <= now - CONTENT_KEPT,
    )


def _is(status: ApprovalStatus, now: datetime) -> sa.ColumnElement[bool]:
    """Approval.status_at as SQL."""
    stored = approvals.c.status == status.value
    match status:
        case ApprovalStatus.PENDING:
            return sa.and_(stored, approvals.c.expires_at > now)
        case ApprovalStatus.EXPIRED:
            pending = approvals.c.status == ApprovalStatus.PENDING.value
            return sa.or_(stored, sa.and_(pending, approvals.c.expires_at <= now))
        case _:
            return stored


_PLAIN = tuple(
    name
    for name in Approval.__dataclass_fields__
    if name not in {"organization_id", "scopes", "preview", "language", "status", "outcome"}
)


def _columns(approval: Approval) -> dict[str, Any]:
    outcome = approval.outcome
    return {
        **{name: getattr(approval, name) for name in _PLAIN},
        "scopes": sorted(approval.scopes),
        "preview": write_preview(approval.preview),
        "language": approval.language.value,
        "status": approval.status.value,
        "outcome": None
        if outcome is None
        else {
            "kind": outcome.kind,
            "status": outcome.status,
            "headers": dict(outcome.headers),
            "required_scopes": sorted(outcome.required_scopes),
        },
        "outcome_body": None if outcome is None else outcome.body,
    }


def _approval(row: sa.RowMapping) -> Approval:
    kept = row["outcome"]
    outcome = None
    if kept is not None:
        required = frozenset(kept["required_scopes"])
        outcome = Outcome(kept["kind"], kept["status"], row["outcome_body"], kept["headers"], required)
    values: dict[str, Any] = {name: row[name] for name in _PLAIN}
    return Approval(
        **values,
        organization_id=row["organization_id"],
        scopes=frozenset(row["scopes"]),
        preview=read_preview(row["preview"]),
        language=Language(row["language"]),
        status=ApprovalStatus(row["status"]),
        outcome=outcome,
    )
