"""Messages of the contract to the words of dispatch.ports and back, field by field."""

import json

from mcp_frontend.dispatch.ports import ConfirmationRequired, FailureKind, Refusal, ToolFailure, ToolResult
from mcp_frontend.protocol.model import ToolDescription
from protos.tool_service.v1 import tool_service_pb2 as pb

_KINDS = {
    pb.FAILURE_KIND_UNKNOWN_TOOL: FailureKind.UNKNOWN_TOOL,
    pb.FAILURE_KIND_INSUFFICIENT_SCOPE: FailureKind.INSUFFICIENT_SCOPE,
    pb.FAILURE_KIND_LIMIT_EXCEEDED: FailureKind.LIMIT_EXCEEDED,
    pb.FAILURE_KIND_INTERNAL: FailureKind.INTERNAL,
}
_REFUSALS = {
    Refusal.DECLINED: pb.REFUSAL_DECLINED,
    Refusal.CANCELED: pb.REFUSAL_CANCELED,
}


class ContractBroken(Exception):
    """The tool service answered something that the contract does not know."""


def read_tool(tool: pb.Tool) -> ToolDescription:
    return ToolDescription(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=json.loads(tool.input_schema_json),
        read_only=tool.read_only,
        destructive=tool.destructive,
        idempotent=tool.idempotent,
    )


def read_answer(response: pb.CallToolResponse) -> ToolResult | ToolFailure | ConfirmationRequired:
    """How the call ended.

    Raises:
        ContractBroken: no outcome is set.
    """
    match response.WhichOneof("outcome"):
        case "result":
            return _read_result(response.result)
        case "failure":
            return read_failure(response.failure)
        case "confirmation_required":
            required = response.confirmation_required
            return ConfirmationRequired(required.title, required.summary, required.language)
        case _:
            raise ContractBroken("CallToolResponse without an outcome")


def read_decline(response: pb.DeclineToolResponse) -> ToolResult | ToolFailure:
    """What to tell the client.

    Raises:
        ContractBroken: no outcome is set.
    """
    match response.WhichOneof("outcome"):
        case "failure":
            return read_failure(response.failure)
        case "result":
            return _read_result(response.result)
        case _:
            raise ContractBroken("DeclineToolResponse without an outcome")


def write_refusal(refusal: Refusal) -> "pb.Refusal.ValueType":
    return _REFUSALS[refusal]


def _read_result(result: pb.ToolResult) -> ToolResult:
    return ToolResult(body=result.body_json, status=result.status, replayed=result.replayed)


def read_failure(failure: pb.ToolFailure) -> ToolFailure:
    return ToolFailure(
        kind=_KINDS.get(failure.kind, FailureKind.OTHER),
        body=failure.body_json,
        status=failure.status,
        retry_after_seconds=failure.retry_after_seconds or None,
        required_scopes=frozenset(failure.required_scopes),
    )
