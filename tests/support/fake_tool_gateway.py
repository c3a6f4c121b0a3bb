"""The tool service's twin in memory: four tools, the gate before them, and a record of all that was asked.

It earns its trust in tests/contract/ports/test_tool_gateway.py, where the real gateway has to behave alike.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mcp_frontend.caller import Caller
from mcp_frontend.dispatch.ports import (
    CallDetails,
    ConfirmationRequired,
    FailureKind,
    Refusal,
    ToolFailure,
    ToolResult,
)
from mcp_frontend.protocol.model import ToolDescription

_SCHEMA: Mapping[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}

LIST = ToolDescription("kadu_tasks_list", "List tasks", "Lists tasks.", _SCHEMA, True, False, True)
CREATE = ToolDescription("kadu_tasks_create", "Create task", "Creates a task.", _SCHEMA, False, False, True)
DELETE = ToolDescription("kadu_tasks_delete", "Delete task", "Deletes a task.", _SCHEMA, False, True, True)
UPLOAD = ToolDescription("kadu_files_create", "Create file", "Creates a file.", _SCHEMA, False, False, True)
TOOLS = (LIST, CREATE, DELETE, UPLOAD)

EMPTY_LIST = b'{"data":[],"meta":{"next_cursor":null,"limit":25}}'
SUMMARIES = {"pt-BR": "Excluir a tarefa «Conciliação»", "en": "Delete the task «Conciliação»"}
OPENED = b'{"data":{"type":"approval","id":"a1","status":"pending"},"next":"Show approval_url to the person."}'
SCOPE_OF_UPLOAD = "kadu.files.write"


@dataclass(frozen=True, slots=True)
class Asked:
    """One call as it reached the tool service."""

    caller: Caller
    name: str
    arguments: Mapping[str, Any]
    confirmation_id: str | None
    details: CallDetails


@dataclass(slots=True)
class FakeToolGateway:
    """dispatch.ports.ToolGateway. The only task has the id "t1"."""

    fault: Exception | None = None
    """Raised in place of an answer."""
    asks_always: bool = False
    """Breaks the contract: asks for a confirmation that it was given."""
    asked: list[Asked] = field(default_factory=list)
    declined: list[tuple[str, Refusal]] = field(default_factory=list)
    runs: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    """What had an effect, in order."""
    _outcomes: dict[str, ToolResult] = field(default_factory=dict)

    async def list_tools(self, caller: Caller, details: CallDetails) -> Sequence[ToolDescription]:
        self._fail()
        return TOOLS

    async def call_tool(
        self,
        caller: Caller,
        name: str,
        arguments: Mapping[str, Any],
        details: CallDetails,
        *,
        confirmation_id: str | None = None,
        open_approval: bool = False,
    ) -> ToolResult | ToolFailure | ConfirmationRequired:
        self.asked.append(Asked(caller, name, arguments, confirmation_id, details))
        self._fail()
        match name:
            case LIST.name:
                return ToolResult(EMPTY_LIST, 200)
            case CREATE.name:
                self.runs.append((name, arguments))
                return ToolResult(json.dumps({"data": arguments}, ensure_ascii=False).encode(), 201)
            case UPLOAD.name:
                return self._create_file(caller)
            case DELETE.name:
                return self._delete_task(arguments, confirmation_id, details, open_approval=open_approval)
            case _:
                return failure("not_found", 404, FailureKind.UNKNOWN_TOOL)

    async def decline_tool(
        self,
        caller: Caller,
        name: str,
        arguments: Mapping[str, Any],
        confirmation_id: str,
        refusal: Refusal,
        details: CallDetails,
    ) -> ToolResult | ToolFailure:
        self.asked.append(Asked(caller, name, arguments, confirmation_id, details))
        self._fail()
        if confirmation_id in self._outcomes:
            return self._stored(confirmation_id)
        self.declined.append((confirmation_id, refusal))
        return failure("confirmation_declined", 409)

    def _create_file(self, caller: Caller) -> ToolResult | ToolFailure:
        if SCOPE_OF_UPLOAD not in caller.scopes:
            scopes = frozenset({SCOPE_OF_UPLOAD})
            return failure("insufficient_scope", 403, FailureKind.INSUFFICIENT_SCOPE, required_scopes=scopes)
        return failure("rate_limited", 429, retry_after_seconds=7)

    def _delete_task(
        self, arguments: Mapping[str, Any], confirmation_id: str | None, details: CallDetails, *, open_approval: bool
    ) -> ToolResult | ToolFailure | ConfirmationRequired:
        if arguments.get("id") != "t1":
            return failure("not_found", 404)
        if confirmation_id is None or self.asks_always:
            if open_approval and not self.asks_always:
                return ToolResult(OPENED, 202)
            language = "en" if details.accept_language.startswith("en") else "pt-BR"
            return ConfirmationRequired(DELETE.title, SUMMARIES[language], language)
        if confirmation_id in self._outcomes:
            return self._stored(confirmation_id)
        self.runs.append((DELETE.name, arguments))
        self._outcomes[confirmation_id] = ToolResult(b"", 204)
        return self._outcomes[confirmation_id]

    def _stored(self, confirmation_id: str) -> ToolResult:
        outcome = self._outcomes[confirmation_id]
        return ToolResult(outcome.body, outcome.status, replayed=True)

    def _fail(self) -> None:
        if self.fault is not None:
            raise self.fault


def failure(
    code: str,
    status: int,
    kind: FailureKind = FailureKind.OTHER,
    *,
    retry_after_seconds: int | None = None,
    required_scopes: frozenset[str] = frozenset(),
) -> ToolFailure:
    body = json.dumps({"status": status, "errors": [{"code": code}]}).encode()
    return ToolFailure(kind, body, status, retry_after_seconds, required_scopes)
