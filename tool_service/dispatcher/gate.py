"""The dispatcher: from an invocation to an answer, in one transaction.

Order of a call: member, role, scope, arguments; then inside the transaction the repeat key, the
handler within a savepoint, the audit row and the stored outcome. What the caller can act on rolls
the handler back and keeps the rest; what is our fault rolls back everything.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.context import Context, Environment, open_context
from tool_service.db.engine import Database
from tool_service.dispatcher.answers import Answered, ConfirmationNeeded, Decision, Refused
from tool_service.dispatcher.audit import audit_event
from tool_service.dispatcher.bodies import answered, refused
from tool_service.dispatcher.invocation import Invocation
from tool_service.dispatcher.membership import Members
from tool_service.dispatcher.repeats import Repeats, check_idempotency_key
from tool_service.domain.audit import AuditResult, Change, Door
from tool_service.domain.caller import Caller, Identity
from tool_service.domain.errors import Conflict, Declined, InsufficientScope, OperationError, PermissionDenied
from tool_service.domain.schema import Arguments
from tool_service.domain.violations import parse_arguments
from tool_service.registry import Operation, Registry
from tool_service.repositories.audit import AuditLog

_log = structlog.get_logger(__name__)


class Hidden(PermissionDenied):
    """The role does not allow the operation: the tool does not exist for this person."""


class PreviewChanged(Conflict):
    """What a person said yes to is no longer what would happen."""

    def __init__(self) -> None:
        super().__init__("confirmation_outdated", param="id")


class Dispatcher:
    """The one gate. Both faces hold it; nothing else calls a handler."""

    def __init__(
        self,
        registry: Registry,
        database: Database,
        environment: Environment,
        members: Members,
        page_only_tools: frozenset[str] = frozenset(),
    ) -> None:
        """`page_only_tools` are those for which operators want every yes at the approval link."""
        self.registry = registry
        self.page_only_tools = page_only_tools
        self._database = database
        self._environment = environment
        self._members = members

    async def operations_for(self, identity: Identity) -> list[Operation]:
        """What the caller may run, in catalogue order; the same rule as `call`.

        Raises:
            NotAMember: the person is no active member of the organization.
        """
        caller = await self.caller(identity, "")
        return [each for each in self.registry.operations if self.permits(each, caller)]

    async def caller(self, identity: Identity, accept_language: str) -> Caller:
        """Who asks, as the database knows them now.

        Raises:
            NotAMember: the person is no active member of the organization.
        """
        return await self._members.caller(identity, accept_language)

    def permits(self, operation: Operation, caller: Caller) -> bool:
        """Whether `call` would let the caller run the operation."""
        return _refusal(operation, caller) is None

    def now(self) -> datetime:
        return self._environment.clock.now()

    @asynccontextmanager
    async def reading(self, caller: Caller, request_id: str) -> AsyncGenerator[Context]:
        """A context that can only read, for what is no operation of its own."""
        async with self._database.begin(write=False) as connection:
            yield open_context(self._environment, connection, caller, request_id)

    async def call(self, invocation: Invocation) -> Answered | Refused | ConfirmationNeeded:
        """Run the operation, or preview it where a person has to confirm first.

        Raises:
            NotAMember: the person is no active member of the organization.
            DatabaseUnavailable: nothing ran.
        """
        caller = await self._members.caller(invocation.identity, invocation.accept_language)
        try:
            if (refusal := _refusal(invocation.operation, caller)) is not None:
                raise refusal
            check_idempotency_key(invocation.idempotency_key)
            arguments = parse_arguments(invocation.operation.arguments, invocation.arguments)
            page_only = self._is_page_only(invocation.operation, arguments)
            if invocation.previews or (invocation.is_confirmed and page_only and invocation.door is Door.CHAT):
                return await self._preview(invocation, caller, arguments, page_only=page_only)
            if invocation.operation.audited:
                return await self._write(invocation, caller, arguments)
            return await self._read(invocation, caller, arguments)
        except OperationError as error:
            if isinstance(error, PermissionDenied):
                await self._record_denial(invocation, caller, error)
            return refused(error, caller.language, invocation.request_id)

    async def recall(self, invocation: Invocation) -> Answered | Refused | None:
        """What the call answered when it ran before, under any of its keys; None when it never did. Runs nothing.

        Raises:
            NotAMember: the person is no active member of the organization.
        """
        caller = await self._members.caller(invocation.identity, invocation.accept_language)
        try:
            arguments = parse_arguments(invocation.operation.arguments, invocation.arguments)
            async with self._database.begin(write=True) as connection:
                return await Repeats(connection, invocation, caller, arguments, self._environment.clock).find()
        except OperationError as error:
            return refused(error, caller.language, invocation.request_id)

    async def decline(self, invocation: Invocation, decision: Decision) -> Answered | Refused:
        """Put on record that the person said no to the confirmation of the invocation.

        A confirmation that was answered before keeps its first outcome, which is returned.

        Raises:
            NotAMember: the person is no active member of the organization.
        """
        caller = await self._members.caller(invocation.identity, invocation.accept_language)
        declined_code = "confirmation_declined"
        try:
            arguments = parse_arguments(invocation.operation.arguments, invocation.arguments)
            async with self._database.begin(write=True) as connection:
                # A no says nothing of the client's key: that counts once somebody says yes.
                asked = replace(invocation, idempotency_key=None)
                repeats = Repeats(connection, asked, caller, arguments, self._environment.clock)
                if (stored := await repeats.find()) is not None:
                    return stored
                declined = refused(Declined(declined_code), caller.language, invocation.request_id)
                await repeats.keep(declined)
                said = Change("confirmation", None, decision.name.lower())
                await self._audit(connection, invocation, caller, AuditResult.DENIED, declined_code, (said,), arguments)
                return declined
        except OperationError as error:
            return refused(error, caller.language, invocation.request_id)

    def _is_page_only(self, operation: Operation, arguments: Arguments) -> bool:
        return operation.destructive and (operation.tool_name in self.page_only_tools or operation.page_only(arguments))

    async def _read(self, invocation: Invocation, caller: Caller, arguments: Arguments) -> Answered:
        async with self._database.begin(write=invocation.operation.notes_reads) as connection:
            context = open_context(self._environment, connection, caller, invocation.request_id)
            return answered(await invocation.operation.handler(context, arguments))

    async def _write(self, invocation: Invocation, caller: Caller, arguments: Arguments) -> Answered | Refused:
        operation = invocation.operation
        async with self._database.begin(write=True) as connection:
            repeats = Repeats(connection, invocation, caller, arguments, self._environment.clock)
            if (stored := await repeats.find()) is not None:
                return stored
            context = open_context(self._environment, connection, caller, invocation.request_id)
            outcome: Answered | Refused
            try:
                async with connection.begin_nested():
                    if invocation.seen_digest is not None:
                        await _check_seen(invocation, context, arguments)
                    outcome = answered(await operation.handler(context, arguments))
            except PermissionDenied:
                # Recorded as a denial by the caller of this method; a key is not worth keeping for it.
                raise
            except OperationError as error:
                outcome = refused(error, caller.language, invocation.request_id)
                result, code, changes = AuditResult.ERROR, error.code, ()
            else:
                result, code, changes = AuditResult.OK, None, tuple(context.changes)
            await repeats.keep(outcome)
            await self._audit(connection, invocation, caller, result, code, changes, arguments)
            return outcome

    async def _preview(
        self, invocation: Invocation, caller: Caller, arguments: Arguments, *, page_only: bool
    ) -> ConfirmationNeeded | Answered | Refused:
        """The run itself, rolled back: so the preview makes every check that the run will make.

        What ran before under the client's own key is answered again: that has no effect to be confirmed.
        """
        operation = invocation.operation
        assert operation.preview is not None
        async with self._database.begin(write=True) as connection:
            unconfirmed = replace(invocation, confirmation_id=None)
            repeats = Repeats(connection, unconfirmed, caller, arguments, self._environment.clock)
            if (stored := await repeats.find()) is not None:
                return stored
            context = open_context(self._environment, connection, caller, invocation.request_id)
            savepoint = await connection.begin_nested()
            try:
                preview = await operation.preview(context, arguments)
                await operation.handler(context, arguments)
            finally:
                await savepoint.rollback()
        return ConfirmationNeeded(operation.title, preview, caller.language, page_only)

    async def _record_denial(self, invocation: Invocation, caller: Caller, error: OperationError) -> None:
        async with self._database.begin(write=True) as connection:
            await self._audit(connection, invocation, caller, AuditResult.DENIED, error.code)

    async def _audit(
        self,
        connection: AsyncConnection,
        invocation: Invocation,
        caller: Caller,
        result: AuditResult,
        code: str | None = None,
        changes: tuple[Change, ...] = (),
        arguments: Arguments | None = None,
    ) -> None:
        event = audit_event(self._environment, invocation, caller, result, code, changes, arguments)
        await AuditLog(connection, caller.organization_id).append(event)
        _log.info(
            "operation", operation=invocation.operation.name, result=result, code=code, request_id=invocation.request_id
        )


async def _check_seen(invocation: Invocation, context: Context, arguments: Arguments) -> None:
    """Raises: PreviewChanged."""
    assert invocation.operation.preview is not None
    preview = await invocation.operation.preview(context, arguments)
    if preview.digest != invocation.seen_digest:
        raise PreviewChanged()


def _refusal(operation: Operation, caller: Caller) -> PermissionDenied | None:
    """Why the caller may not run the operation. The role comes first: no scope helps where it forbids."""
    if not caller.role.includes(operation.role):
        return Hidden("forbidden")
    if operation.scope not in caller.identity.scopes:
        return InsufficientScope(required=frozenset({operation.scope}), missing=frozenset({operation.scope}))
    return None
