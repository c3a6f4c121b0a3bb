"""The person's side: they see at the link what waits for them, and say yes or no to exactly that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, auto
from typing import Any
from uuid import UUID

from tool_service.approvals.receipts import approved, declined, refused_to
from tool_service.approvals.runs import ApprovedRuns
from tool_service.approvals.stored_calls import NotRunnable, StoredCalls
from tool_service.authorization_server.recognition import Recognition
from tool_service.context import Environment
from tool_service.db.engine import Database
from tool_service.dispatcher import ConfirmationNeeded, Dispatcher, Refused
from tool_service.domain.approvals import Approval, ApprovalStatus, ended
from tool_service.domain.audit import AuditEvent
from tool_service.domain.caller import Subject
from tool_service.domain.identifiers import TOOL_PREFIX
from tool_service.domain.language import Language
from tool_service.domain.organizations import Member, NotAMember
from tool_service.domain.previews import Preview
from tool_service.repositories.approvals import ApprovalDirectory, ApprovalRepository
from tool_service.repositories.audit import AuditLog
from tool_service.repositories.members import MemberDirectory

LIST_LIMIT = 50


class NoSuchApproval(Exception):
    """Nothing with that id."""


class NotForYou(Exception):
    """It waits for somebody else, or for this person in an organization that they left. The attempt is on record."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Who stands before a page, in which request, reading which language."""

    subject: Subject
    request_id: str
    language: Language
    trace_id: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """One approval in the person's inbox."""

    approval: Approval
    organization_name: str


class Verdict(Enum):
    """What came of a decision."""

    DECIDED = auto()
    """The person's yes or no counts."""
    DECIDED_BEFORE = auto()
    """It had been decided, or had expired; the page shows how."""
    CHANGED = auto()
    """What would happen is no longer what the person saw; nothing is decided."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything that the page says of an approval."""

    approval: Approval
    status: ApprovalStatus
    tool_name: str
    member: Member
    arguments: Mapping[str, Any] | None
    """As the client sent them; None once they are no longer kept."""
    preview: Preview
    """While it is pending: as it is now."""
    problem: Refused | None
    """While it is pending: why a yes would come to nothing."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """Each method may also raise NotAMember (who asks is no active member) and DatabaseUnavailable."""

    dispatcher: Dispatcher
    database: Database
    environment: Environment
    calls: StoredCalls
    runs: ApprovedRuns
    recognition: Recognition

    async def show(self, visit: Visit, approval_id: UUID) -> Shown:
        """What the person decides on, or how it was decided. Changes nothing.

        Raises:
            NoSuchApproval, NotForYou: see there.
        """
        approval, member = await self._own(visit, approval_id)
        return await self._shown(visit, approval, member)

    async def approve(self, visit: Visit, approval_id: UUID, seen_digest: str) -> tuple[Verdict, Shown]:
        """Run the call, if what would happen is what they saw.

        Raises:
            NoSuchApproval, NotForYou: see there.
        """
        approval, member = await self._own(visit, approval_id)
        shown = await self._shown(visit, approval, member)
        if shown.status is not ApprovalStatus.PENDING:
            return Verdict.DECIDED_BEFORE, shown
        if shown.problem is not None or shown.preview.digest != seen_digest:
            return Verdict.CHANGED, shown
        now = self.environment.clock.now()
        running = replace(
            approval,
            status=ApprovalStatus.RUNNING,
            decided_at=now,
            seen_digest=seen_digest,
            claimed_at=now,
            attempt=1,
            updated_at=now,
        )
        event = approved(running, member, self.environment.ids.new(), now, visit.request_id, visit.trace_id)
        if not await self._decide(approval, running, event):
            return Verdict.DECIDED_BEFORE, await self.show(visit, approval_id)
        return Verdict.DECIDED, await self._shown(visit, await self.runs.run(running), member)

    async def decline(self, visit: Visit, approval_id: UUID) -> tuple[Verdict, Shown]:
        """Put the no on record; nothing runs.

        Raises:
            NoSuchApproval, NotForYou: see there.
        """
        approval, member = await self._own(visit, approval_id)
        now = self.environment.clock.now()
        if approval.status_at(now) is not ApprovalStatus.PENDING:
            return Verdict.DECIDED_BEFORE, await self._shown(visit, approval, member)
        refused = ended(approval, ApprovalStatus.DECLINED, now, decided_at=now)
        event = declined(refused, member, self.environment.ids.new(), now, visit.request_id, visit.trace_id)
        if not await self._decide(approval, refused, event):
            return Verdict.DECIDED_BEFORE, await self.show(visit, approval_id)
        return Verdict.DECIDED, await self._shown(visit, refused, member)

    async def inbox(self, visit: Visit) -> tuple[Member, Sequence[Listed]]:
        """The person's own of all their organizations, newest first, at most LIST_LIMIT; and who they are here."""
        member = await self.recognition.member(visit.subject, visit.request_id)
        async with self.database.begin(write=False) as connection:
            found = await ApprovalDirectory(connection).of_person(member.person_id, LIST_LIMIT)
        return member, [Listed(approval, organization_name) for approval, organization_name in found]

    def now(self) -> datetime:
        return self.environment.clock.now()

    async def _own(self, visit: Visit, approval_id: UUID) -> tuple[Approval, Member]:
        """The approval, and its person as a member of its organization."""
        visitor = await self.recognition.member(visit.subject, visit.request_id)
        async with self.database.begin(write=False) as connection:
            approval = await ApprovalDirectory(connection).find(approval_id)
            if approval is None:
                raise NoSuchApproval()
            member = None
            if approval.person_id == visitor.person_id:
                member = await MemberDirectory(connection).find_active(approval.organization_id, visitor.person_id)
        if member is None:
            await self._record_refusal(approval, visitor, visit)
            raise NotForYou()
        return approval, member

    async def _shown(self, visit: Visit, approval: Approval, member: Member) -> Shown:
        status = approval.status_at(self.environment.clock.now())
        preview, problem = approval.preview, None
        try:
            arguments = self.calls.arguments(approval)
            if status is ApprovalStatus.PENDING:
                preview, problem = await self._preview(visit, approval)
        except NotRunnable:
            arguments = None
            if status is ApprovalStatus.PENDING:
                problem = self.runs.not_runnable(approval, visit.language)
        tool_name = f"{TOOL_PREFIX}{approval.operation}"
        return Shown(approval, status, tool_name, member, arguments, preview, problem)

    async def _preview(self, visit: Visit, approval: Approval) -> tuple[Preview, Refused | None]:
        """What would happen now, or why nothing would."""
        try:
            now = await self.dispatcher.call(self.calls.preview(approval, visit.language.value))
        except NotAMember:
            # The person is there, as we know by now: it is the client's access that ended.
            return approval.preview, self.runs.access_ended(approval, visit.language)
        match now:
            case ConfirmationNeeded(preview=preview):
                return preview, None
            case Refused() as refused:
                return approval.preview, refused
            case _:
                # The same call ran under the client's own key meanwhile: a yes answers what it did.
                return approval.preview, None

    async def _decide(self, read: Approval, decided: Approval, event: AuditEvent) -> bool:
        async with self.database.begin(write=True) as connection:
            if not await ApprovalRepository(connection, read.organization_id).move(read, decided):
                return False
            await AuditLog(connection, read.organization_id).append(event)
        return True

    async def _record_refusal(self, approval: Approval, visitor: Member, visit: Visit) -> None:
        now = self.environment.clock.now()
        event = refused_to(visitor, approval, self.environment.ids.new(), now, visit.request_id, visit.trace_id)
        async with self.database.begin(write=True) as connection:
            await AuditLog(connection, approval.organization_id).append(event)
