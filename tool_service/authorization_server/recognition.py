"""From the subject of a token to the member behind it: by our own ids, or by what bound it at the first sign-in."""

from dataclasses import dataclass
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.authorization_server.accounts import normalized_email
from tool_service.authorization_server.member_audit import member_bound
from tool_service.db.account_tables import bound_subjects
from tool_service.db.engine import Database
from tool_service.db.tables import members, people
from tool_service.domain.caller import Subject
from tool_service.domain.organizations import Member, MemberStatus, NotAMember
from tool_service.ports import Clock, Ids
from tool_service.repositories.audit import AuditLog
from tool_service.repositories.members import MemberDirectory


@dataclass(frozen=True, slots=True)
class Recognition:
    database: Database
    clock: Clock
    ids: Ids
    own_issuer: str
    issuer: str
    """The company's own, at which people sign in in place of ours; empty when there is none."""

    async def member(self, subject: Subject, request_id: str) -> Member:
        """The active member behind the subject, who is bound to it now if an invitation waits for their e-mail.

        Raises:
            NotAMember: nobody is known by it, the member is disabled, or the access was taken back.
        """
        if subject.issuer == self.own_issuer:
            return await self._own(subject)
        if not self.issuer or subject.issuer.rstrip("/") != self.issuer.rstrip("/"):
            raise NotAMember()
        async with self.database.begin(write=False) as connection:
            member_id = await self._bound_to(connection, subject)
            if member_id is not None:
                return await _active(connection, member_id)
        async with self.database.begin(write=True) as connection:
            return await _active(connection, await self._bind(connection, subject, request_id))

    async def _own(self, subject: Subject) -> Member:
        try:
            person_id = UUID(subject.subject)
        except ValueError:
            raise NotAMember() from None
        if subject.organization_id is None:
            raise NotAMember()
        async with self.database.begin(write=False) as connection:
            directory = MemberDirectory(connection)
            member = await directory.find_active(subject.organization_id, person_id)
            ended = subject.grant_id is not None and not await directory.is_good(subject.grant_id, self.clock.now())
        if member is None or ended:
            raise NotAMember()
        return member

    async def _bound_to(self, connection: AsyncConnection, subject: Subject) -> UUID | None:
        statement = sa.select(bound_subjects.c.member_id).where(
            bound_subjects.c.issuer == self.issuer, bound_subjects.c.subject == subject.subject
        )
        return (await connection.execute(statement)).scalar()

    async def _bind(self, connection: AsyncConnection, subject: Subject, request_id: str) -> UUID:
        """The member whose verified e-mail it is. From now on the subject alone counts: an e-mail may change hands."""
        if subject.verified_email is None:
            raise NotAMember()
        already = sa.select(bound_subjects.c.member_id).where(bound_subjects.c.issuer == self.issuer)
        statement = (
            sa.select(members.c.id, members.c.organization_id, members.c.person_id, members.c.status)
            .join(people, people.c.id == members.c.person_id)
            .where(
                people.c.email == normalized_email(subject.verified_email),
                people.c.kind == "person",
                members.c.status.in_((MemberStatus.INVITED, MemberStatus.ACTIVE)),
                members.c.id.not_in(already),
            )
            .order_by(members.c.created_at, members.c.id)
            .limit(1)
            .with_for_update(of=members)
        )
        row = (await connection.execute(statement)).mappings().first()
        # Read again behind the lock: two first requests of one person arrive together.
        member_id = await self._bound_to(connection, subject)
        if member_id is not None:
            return member_id
        if row is None:
            raise NotAMember()
        now = self.clock.now()
        await connection.execute(
            sa.insert(bound_subjects).values(
                issuer=self.issuer, subject=subject.subject, member_id=row["id"], created_at=now
            )
        )
        activated = sa.update(members).where(members.c.id == row["id"])
        await connection.execute(activated.values(status=MemberStatus.ACTIVE, updated_at=now))
        member = await _active(connection, row["id"])
        event = member_bound(member, self.issuer, row["status"], self.ids.new(), now, request_id)
        await AuditLog(connection, member.organization_id).append(event)
        return row["id"]


async def _active(connection: AsyncConnection, member_id: UUID) -> Member:
    row = (
        await connection.execute(
            sa.select(members.c.organization_id, members.c.person_id).where(members.c.id == member_id)
        )
    ).one()
    member = await MemberDirectory(connection).find_active(row[0], row[1])
    if member is None:
        raise NotAMember()
    return member
