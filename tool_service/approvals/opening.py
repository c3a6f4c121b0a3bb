"""The client's side: a call that needs a yes, from a client that cannot ask for it, becomes an approval."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.approvals.receipts import expire
from tool_service.approvals.stored_calls import StoredCalls
from tool_service.context import Environment
from tool_service.db.engine import Database
from tool_service.dispatcher import Answered, ConfirmationNeeded, Dispatcher, Invocation, Refused
from tool_service.dispatcher.bodies import refused
from tool_service.domain.approval_views import opened_body
from tool_service.domain.approvals import (
    LIFETIME,
    PENDING_LIMIT,
    TOLD_WITHIN,
    Approval,
    ApprovalStatus,
    fingerprint,
)
from tool_service.domain.caller import Caller
from tool_service.domain.errors import Declined, LimitExceeded
from tool_service.repositories.approvals import ApprovalRepository


@dataclass(frozen=True, slots=True)
class Approvals:
    """What stands before the gate for clients of MCP."""

    dispatcher: Dispatcher
    database: Database
    environment: Environment
    calls: StoredCalls

    async def call(self, invocation: Invocation, *, can_ask: bool) -> Answered | Refused | ConfirmationNeeded:
        """Run the call, or say what its person has to be asked.

        Where the client cannot ask (or a yes in the chat is not enough) the answer is that of an open approval, with
        status 202; or, once, the outcome of the same call when its person decided a moment ago and no client knows.

        Raises:
            NotAMember: the person is no active member of the organization.
            DatabaseUnavailable: nothing ran.
        """
        waits = invocation.operation.destructive and invocation.confirmation_id is None
        if waits and not can_ask and (told := await self._told_once(invocation)) is not None:
            return told
        outcome = await self.dispatcher.call(invocation)
        if not isinstance(outcome, ConfirmationNeeded) or (can_ask and not outcome.page_only):
            return outcome
        if can_ask and (told := await self._told_once(invocation)) is not None:
            return told
        return await self._open(invocation, outcome)

    async def _told_once(self, invocation: Invocation) -> Answered | Refused | None:
        """What became of the same call a moment ago, if no client has read it.

        Models often repeat a call when the person says that it is done, instead of reading its outcome.
        """
        caller = await self.dispatcher.caller(invocation.identity, invocation.accept_language)
        if not self.dispatcher.permits(invocation.operation, caller):
            return None
        now = self.environment.clock.now()
        async with self.database.begin(write=False) as connection:
            same = await ApprovalRepository(connection, caller.organization_id).same_call(_fingerprint(invocation))
        for earlier in same:
            # The same request again is the front end's own repetition: its first answer was lost.
            is_news = earlier.read_at is None or earlier.told_in_request == invocation.request_id
            if not is_news or earlier.finished_at is None or now >= earlier.finished_at + TOLD_WITHIN:
                continue
            told = _outcome(earlier, caller, invocation)
            if told is not None and await self._note_told(earlier, now, invocation.request_id):
                return told
        return None

    async def _note_told(self, approval: Approval, now: datetime, request_id: str) -> bool:
        if approval.told_in_request == request_id:
            return True
        async with self.database.begin(write=True) as connection:
            repository = ApprovalRepository(connection, approval.organization_id)
            return await repository.note_read(approval.id, now, request_id)

    async def _open(self, invocation: Invocation, needed: ConfirmationNeeded) -> Answered | Refused:
        caller = await self.dispatcher.caller(invocation.identity, invocation.accept_language)
        now = self.environment.clock.now()
        async with self.database.begin(write=True) as connection:
            try:
                approval = await self._pending(connection, invocation, needed, caller, now)
            except LimitExceeded as error:
                return refused(error, caller.language, invocation.request_id)
        return Answered(202, opened_body(approval, self.environment.pages_url, now))

    async def _pending(
        self,
        connection: AsyncConnection,
        invocation: Invocation,
        needed: ConfirmationNeeded,
        caller: Caller,
        now: datetime,
    ) -> Approval:
        """The approval of this call that is pending, or a new one.

        Raises:
            LimitExceeded: too many wait for the person.
        """
        repository = ApprovalRepository(connection, caller.organization_id)
        while True:
            for earlier in await repository.same_call(_fingerprint(invocation)):
                if earlier.status_at(now) in {ApprovalStatus.PENDING, ApprovalStatus.RUNNING}:
                    return earlier
                if earlier.status is ApprovalStatus.PENDING:
                    # Its time is over and nobody has come by to say so.
                    await expire(connection, earlier, self.environment.ids, now)
            if await repository.pending(caller.person_id, now) >= PENDING_LIMIT:
                raise LimitExceeded("too_many_pending_approvals")
            approval = self._new(invocation, needed, caller, now)
            if await repository.add(approval):
                return approval

    def _new(self, invocation: Invocation, needed: ConfirmationNeeded, caller: Caller, now: datetime) -> Approval:
        approval_id: UUID = self.environment.ids.new()
        identity = invocation.identity
        return Approval(
            id=approval_id,
            organization_id=caller.organization_id,
            person_id=caller.person_id,
            member_id=caller.member_id,
            client_id=identity.client_id,
            client_name=identity.client_name,
            token_id=identity.token_id,
            grant_id=identity.grant_id,
            scopes=identity.scopes,
            operation=invocation.operation.name,
            title=needed.title,
            fingerprint=_fingerprint(invocation),
            sealed_arguments=self.calls.seal(approval_id, invocation.arguments, invocation.idempotency_key),
            preview=needed.preview,
            language=caller.language,
            status=ApprovalStatus.PENDING,
            request_id=invocation.request_id,
            trace_id=invocation.trace_id,
            expires_at=now + LIFETIME,
            created_at=now,
            updated_at=now,
        )


def _fingerprint(invocation: Invocation) -> str:
    return fingerprint(
        invocation.identity.person_id,
        invocation.identity.client_id,
        invocation.operation.name,
        invocation.arguments,
        invocation.idempotency_key,
    )


def _outcome(approval: Approval, caller: Caller, invocation: Invocation) -> Answered | Refused | None:
    if approval.status is ApprovalStatus.DECLINED:
        return refused(Declined("confirmation_declined"), caller.language, invocation.request_id)
    kept = approval.outcome
    if kept is None or kept.body is None:
        return None
    if approval.status is ApprovalStatus.COMPLETED:
        return Answered(kept.status, kept.body, dict(kept.headers), replayed=True)
    return Refused(
        kept.kind, kept.status, kept.body, dict(kept.headers), required_scopes=kept.required_scopes, replayed=True
    )
