"""Answers of the gate as messages of the contract."""

from protos.tool_service.v1 import tool_service_pb2 as pb
from tool_service.dispatcher import Answered, Refused
from tool_service.grpc_api.status import FAILURE_KINDS


def write_result(answered: Answered) -> pb.ToolResult:
    return pb.ToolResult(body_json=answered.body, status=answered.status, replayed=answered.replayed)


def write_failure(refused: Refused) -> pb.ToolFailure:
    return pb.ToolFailure(
        kind=FAILURE_KINDS[refused.kind],
        body_json=refused.body,
        status=refused.status,
        retry_after_seconds=refused.retry_after_seconds or 0,
        required_scopes=sorted(refused.required_scopes),
    )
