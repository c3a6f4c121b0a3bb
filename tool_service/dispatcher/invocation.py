"""One call as it reaches the gate."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tool_service.domain.audit import Door
from tool_service.domain.caller import Identity
from tool_service.registry import Operation


@dataclass(frozen=True, slots=True)
class Invocation:
    """Who calls which operation with what.

    `needs_confirmation` is the face's rule: MCP asks a person before a destructive operation,
    REST is called by programs that decided already. `confirmation_id` says that one said yes, at the
    `door`. `seen_digest` is of the preview that they saw: the call runs only while it is still true.
    `idempotency_key` is as the client sent it; the gate refuses what is no key.
    """

    operation: Operation
    identity: Identity
    arguments: Mapping[str, Any]
    request_id: str
    accept_language: str = ""
    idempotency_key: object = None
    needs_confirmation: bool = False
    confirmation_id: str | None = None
    door: Door = Door.CHAT
    seen_digest: str | None = None
    trace_id: str | None = None

    @property
    def previews(self) -> bool:
        return self.operation.destructive and self.needs_confirmation and self.confirmation_id is None

    @property
    def is_confirmed(self) -> bool:
        return self.operation.destructive and self.confirmation_id is not None

    @property
    def repeat_keys(self) -> tuple[str, ...]:
        """What makes a repetition of this call the same call, each for itself: a yes counts once under whatever
        key it comes with, and a key of the client counts once however often somebody says yes.
        """
        keys: list[str] = []
        if self.is_confirmed:
            keys.append(f"confirmation:{self.confirmation_id}")
        # As the house says, a key on a delete changes nothing: deleting converges by itself.
        if self.idempotency_key is not None and self.operation.route.method != "DELETE":
            keys.append(f"key:{self.idempotency_key}")
        return tuple(keys)
