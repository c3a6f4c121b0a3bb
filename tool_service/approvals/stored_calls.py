"""The call that an approval keeps: sealed with its arguments, and opened to be shown or run."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tool_service.dispatcher import Invocation
from tool_service.domain.approvals import Approval
from tool_service.domain.audit import Door
from tool_service.domain.caller import Channel, Identity
from tool_service.ports import Sealer
from tool_service.registry import Operation, Registry

_KEY = "idempotency_key"


class NotRunnable(Exception):
    """The arguments are no longer kept, or no key of the ring opens them; or the operation is gone."""


@dataclass(frozen=True, slots=True)
class StoredCalls:
    registry: Registry
    sealer: Sealer

    def seal(self, approval_id: object, arguments: Mapping[str, Any], idempotency_key: object) -> str:
        said = json.dumps({"arguments": arguments, _KEY: idempotency_key}, ensure_ascii=False)
        return self.sealer.seal(_purpose(approval_id), said.encode())

    def arguments(self, approval: Approval) -> dict[str, Any]:
        """As the client sent them.

        Raises:
            NotRunnable: see there.
        """
        arguments, key = self._open(approval)
        return arguments if key is None else {**arguments, _KEY: key}

    def operation(self, approval: Approval) -> Operation:
        """Raises: NotRunnable."""
        operation = self.registry.by_name(approval.operation)
        if operation is None:
            raise NotRunnable(f"no operation {approval.operation}")
        return operation

    def preview(self, approval: Approval, accept_language: str) -> Invocation:
        """What shows how the call would go now.

        Raises:
            NotRunnable: see there.
        """
        arguments, key = self._open(approval)
        return Invocation(
            operation=self.operation(approval),
            identity=_identity(approval),
            arguments=arguments,
            request_id=approval.request_id,
            accept_language=accept_language,
            idempotency_key=key,
            needs_confirmation=True,
            door=Door.PAGE,
            trace_id=approval.trace_id,
        )

    def confirmed(self, approval: Approval) -> Invocation:
        """What runs it, at most once however often it is tried.

        Raises:
            NotRunnable: see there.
        """
        return replace(
            self.preview(approval, approval.language.value),
            confirmation_id=str(approval.id),
            seen_digest=approval.seen_digest,
        )

    def _open(self, approval: Approval) -> tuple[dict[str, Any], object]:
        sealed = approval.sealed_arguments
        opened = None if sealed is None else self.sealer.open(_purpose(approval.id), sealed)
        if opened is None:
            raise NotRunnable("the arguments cannot be read")
        said = json.loads(opened)
        return said["arguments"], said[_KEY]


def _purpose(approval_id: object) -> str:
    return f"approval:{approval_id}"


def _identity(approval: Approval) -> Identity:
    """Of the client that called, with what its token allowed; what the person may do is read anew."""
    return Identity(
        organization_id=approval.organization_id,
        person_id=approval.person_id,
        scopes=approval.scopes,
        channel=Channel.MCP,
        client_id=approval.client_id,
        client_name=approval.client_name,
        token_id=approval.token_id,
        grant_id=approval.grant_id,
    )
