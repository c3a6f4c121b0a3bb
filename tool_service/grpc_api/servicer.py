"""ToolService: every RPC builds an invocation, sends it through the gate, and translates the answer."""

from typing import Any

import grpc
import jiter

from protos.tool_service.v1 import tool_service_pb2 as pb
from tool_service.approvals.opening import Approvals
from tool_service.dispatcher import Answered, ConfirmationNeeded, Decision, Dispatcher, Invocation, Library, Refused
from tool_service.dispatcher.tool_schemas import ToolSchemas
from tool_service.grpc_api.interceptors import MalformedRequest, current_call
from tool_service.grpc_api.library_servicer import LibraryServicer
from tool_service.grpc_api.messages import write_failure, write_result
from tool_service.registry import Operation

_DECISIONS = {pb.REFUSAL_DECLINED: Decision.DECLINED, pb.REFUSAL_CANCELED: Decision.CANCELED}


class ToolServicer(LibraryServicer):
    def __init__(self, dispatcher: Dispatcher, approvals: Approvals, library: Library) -> None:
        super().__init__(library)
        self._dispatcher = dispatcher
        self._approvals = approvals
        self._schemas = ToolSchemas(dispatcher.registry)

    async def ListTools(
        self, request: pb.ListToolsRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> pb.ListToolsResponse:
        operations = await self._dispatcher.operations_for(current_call().identity)
        return pb.ListToolsResponse(tools=[self._tool(each) for each in operations])

    async def CallTool(
        self, request: pb.CallToolRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> pb.CallToolResponse:
        operation = self._dispatcher.registry.by_tool_name(request.name)
        if operation is None:
            return pb.CallToolResponse(failure=pb.ToolFailure(kind=pb.FAILURE_KIND_UNKNOWN_TOOL, status=404))
        invocation = _invocation(operation, request)
        match await self._approvals.call(invocation, can_ask=not request.open_approval):
            case Answered() as answered:
                return pb.CallToolResponse(result=write_result(answered))
            case Refused() as refused:
                return pb.CallToolResponse(failure=write_failure(refused))
            case ConfirmationNeeded(title=title, preview=preview, language=language):
                summary = preview.summary.in_(language)
                needed = pb.ConfirmationRequired(title=title, summary=summary, language=language.value)
                return pb.CallToolResponse(confirmation_required=needed)

    async def DeclineTool(
        self, request: pb.DeclineToolRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> pb.DeclineToolResponse:
        operation = self._dispatcher.registry.by_tool_name(request.name)
        if operation is None or not operation.destructive or not request.confirmation_id:
            raise MalformedRequest("only a confirmation of a destructive tool can be declined")
        decision = _DECISIONS.get(request.refusal)
        if decision is None:
            raise MalformedRequest("refusal is not set")
        match await self._dispatcher.decline(_invocation(operation, request), decision):
            case Answered() as answered:
                return pb.DeclineToolResponse(result=write_result(answered))
            case Refused() as refused:
                return pb.DeclineToolResponse(failure=write_failure(refused))

    def _tool(self, operation: Operation) -> pb.Tool:
        return pb.Tool(
            name=operation.tool_name,
            title=operation.title,
            description=operation.description,
            input_schema_json=self._schemas.of(operation),
            read_only=operation.read_only,
            destructive=operation.destructive,
            idempotent=operation.idempotent,
        )


def _invocation(operation: Operation, request: pb.CallToolRequest | pb.DeclineToolRequest) -> Invocation:
    call = current_call()
    arguments = _object(request.arguments_json)
    key = arguments.pop("idempotency_key", None) if operation.accepts_idempotency_key else None
    return Invocation(
        operation=operation,
        identity=call.identity.named(request.client_name or None),
        arguments=arguments,
        request_id=call.request_id,
        accept_language=request.accept_language,
        idempotency_key=key,
        needs_confirmation=True,
        confirmation_id=request.confirmation_id or None,
        trace_id=call.trace_id,
    )


def _object(text: bytes) -> dict[str, Any]:
    try:
        value = jiter.from_json(text, allow_inf_nan=False, catch_duplicate_keys=True)
    except ValueError as error:
        raise MalformedRequest("arguments_json is not JSON") from error
    if not isinstance(value, dict):
        raise MalformedRequest("arguments_json is not an object")
    return value
