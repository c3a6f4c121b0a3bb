"""Running what was approved, and keeping what came of it.

The state "running" is stored before the call begins, and the call keeps its own outcome in its own transaction, under
the approval's id. So whoever finds an approval running can simply run it again: either nothing had happened yet, or
the first outcome comes back.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import structlog

from tool_service.approvals.stored_calls import NotRunnable, StoredCalls
from tool_service.db.engine import Database
from tool_service.dispatcher import Answered, ConfirmationNeeded, Dispatcher, Invocation, Refused
from tool_service.dispatcher.bodies import refused
from tool_service.domain.approvals import ATTEMPT_LIMIT, Approval, ApprovalStatus, Outcome, ended
from tool_service.domain.errors import Conflict, OperationError, PermissionDenied
from tool_service.domain.language import Language
from tool_service.domain.organizations import NotAMember
from tool_service.ports import Clock
from tool_service.repositories.approvals import ApprovalDirectory, ApprovalRepository

_log = structlog.get_logger(__name__)

_ANSWERED = "Answered"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ApprovedRuns:
    dispatcher: Dispatcher
    database: Database
    clock: Clock
    calls: StoredCalls

    async def take_over(self, stalled: Approval) -> None:
        """Run an approval again whose run shows no end; several who try are one who runs.

        Raises:
            DatabaseUnavailable: it stays as it is, for the next time.
        """
        now = self.clock.now()
        claimed = replace(stalled, claimed_at=now, attempt=stalled.attempt + 1, updated_at=now)
        async with self.database.begin(write=True) as connection:
            if not await ApprovalRepository(connection, stalled.organization_id).move(stalled, claimed):
                return
        _log.warning("approval.taken_over", approval_id=str(stalled.id), attempt=claimed.attempt)
        await (self._give_up(claimed) if claimed.attempt > ATTEMPT_LIMIT else self.run(claimed))

    async def run(self, approval: Approval) -> Approval:
        """The approval as it stands once its call has ended, or still running where somebody else runs it.

        Raises:
            DatabaseUnavailable: it stays running, and is taken over.
        """
        return await self._end(approval, await self._attempt(approval, self.dispatcher.call))

    async def _give_up(self, approval: Approval) -> Approval:
        """It died too often: what it did, if it ever came to it, else that it failed."""
        done = await self._attempt(approval, self.dispatcher.recall)
        return await self._end(approval, _internal_error(approval) if done is None else done)

    async def _attempt(self, approval: Approval, how: Callable[[Invocation], Awaitable[T]]) -> T | Refused:
        try:
            return await how(self.calls.confirmed(approval))
        except NotAMember:
            # Shut out, or the client's access taken back, between the question and the answer.
            return _refused(approval, PermissionDenied("forbidden"))
        except NotRunnable as error:
            _log.error("approval.not_runnable", approval_id=str(approval.id), reason=str(error))
            return _internal_error(approval)

    async def _end(self, approval: Approval, outcome: Answered | Refused | ConfirmationNeeded) -> Approval:
        match outcome:
            case Refused(kind="InProgress"):
                return approval
            case ConfirmationNeeded():
                raise AssertionError("what was confirmed asks again")
            case Answered() | Refused():
                return await self._settle(approval, outcome)

    def access_ended(self, approval: Approval, language: Language) -> Refused:
        """What comes of a call whose client's access was taken back."""
        return refused(PermissionDenied("forbidden"), language, approval.request_id)

    def not_runnable(self, approval: Approval, language: Language) -> Refused:
        """What comes of a call that we can no longer read."""
        return refused(Conflict("internal_error"), language, approval.request_id)

    async def _settle(self, approval: Approval, outcome: Answered | Refused) -> Approval:
        is_good = isinstance(outcome, Answered)
        kept = Outcome(
            kind=_ANSWERED if isinstance(outcome, Answered) else outcome.kind,
            status=outcome.status,
            body=self.calls.operation(approval).body_to_keep(outcome.body) if is_good else outcome.body,
            headers=dict(outcome.headers),
            required_scopes=frozenset() if isinstance(outcome, Answered) else outcome.required_scopes,
        )
        status = ApprovalStatus.COMPLETED if is_good else ApprovalStatus.FAILED
        moved = ended(approval, status, self.clock.now(), outcome=kept)
        async with self.database.begin(write=True) as connection:
            if await ApprovalRepository(connection, approval.organization_id).move(approval, moved):
                return moved
            # Somebody else took it over and was faster; the outcome is the same.
            return await ApprovalDirectory(connection).find(approval.id) or moved


def _internal_error(approval: Approval) -> Refused:
    return _refused(approval, Conflict("internal_error"))


def _refused(approval: Approval, error: OperationError) -> Refused:
    return refused(error, approval.language, approval.request_id)
