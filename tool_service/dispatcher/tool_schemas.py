"""The input schema of every tool as bytes: the arguments of the operation, and the repeat key of a write."""

import json
from typing import Any

from tool_service.dispatcher.repeats import IDEMPOTENCY_KEY_LIMIT, IDEMPOTENCY_KEY_PATTERN
from tool_service.domain.schema import json_schema
from tool_service.registry import Operation, Registry

_IDEMPOTENCY_KEY: dict[str, Any] = {
    "type": "string",
    "minLength": 1,
    "maxLength": IDEMPOTENCY_KEY_LIMIT,
    "pattern": IDEMPOTENCY_KEY_PATTERN,
    "description": "Any text of visible ASCII; reuse it only to retry this same call, which then runs once.",
}


def tool_schema(operation: Operation) -> dict[str, Any]:
    """JSON Schema 2020-12 of what `tools/call` takes."""
    schema = json_schema(operation.arguments)
    if operation.accepts_idempotency_key:
        schema["properties"]["idempotency_key"] = _IDEMPOTENCY_KEY
    return schema


class ToolSchemas:
    """The schemas of a registry, made once."""

    def __init__(self, registry: Registry) -> None:
        self._texts = {
            each.name: json.dumps(tool_schema(each), ensure_ascii=False, separators=(",", ":")).encode()
            for each in registry.operations
        }

    def of(self, operation: Operation) -> bytes:
        return self._texts[operation.name]
