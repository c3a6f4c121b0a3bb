"""Tools over gRPC: the ToolGateway of production."""

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import grpc

from mcp_frontend.adapters.caller_assertion import CallerAssertions
from mcp_frontend.adapters.tool_messages import read_answer, read_decline, read_tool, write_refusal
from mcp_frontend.adapters.tool_service_calls import Deadlines, ToolServiceCalls
from mcp_frontend.caller import Caller
from mcp_frontend.dispatch.ports import CallDetails, ConfirmationRequired, Refusal, ToolFailure, ToolResult
from mcp_frontend.protocol.model import ToolDescription
from protos.tool_service.v1 import tool_service_pb2 as pb
from protos.tool_service.v1 import tool_service_pb2_grpc as pb_grpc

LIMIT_CATALOGUES = 64


class GrpcToolGateway:
    """Must be made inside the serving loop; the channel is the caller's to close."""

    def __init__(self, channel: grpc.aio.Channel, assertions: CallerAssertions, deadlines: Deadlines) -> None:
        self._stub = pb_grpc.ToolServiceStub(channel)
        self._calls = ToolServiceCalls(channel, assertions, deadlines)
        # By the bytes of the answer: one for each set of permissions that is in use.
        self._catalogues: OrderedDict[bytes, tuple[ToolDescription, ...]] = OrderedDict()
        # Reads, and calls that are only previewed. Learnt from every catalogue that passes by:
        # these facts of a tool are the same for everybody.
        self._harmless_unconfirmed: frozenset[str] = frozenset()

    async def list_tools(self, caller: Caller, details: CallDetails) -> Sequence[ToolDescription]:
        response = await self._calls.call(self._stub.ListTools, pb.ListToolsRequest(), caller, details, repeatable=True)
        return self._catalogue(response)

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
        request = pb.CallToolRequest(
            name=name,
            arguments_json=_encode(arguments),
            confirmation_id=confirmation_id or "",
            accept_language=details.accept_language,
            client_name=details.client_name or "",
            open_approval=open_approval,
        )
        repeatable = bool(confirmation_id or name in self._harmless_unconfirmed or arguments.get("idempotency_key"))
        return read_answer(await self._calls.call(self._stub.CallTool, request, caller, details, repeatable=repeatable))

    async def decline_tool(
        self,
        caller: Caller,
        name: str,
        arguments: Mapping[str, Any],
        confirmation_id: str,
        refusal: Refusal,
        details: CallDetails,
    ) -> ToolResult | ToolFailure:
        request = pb.DeclineToolRequest(
            name=name,
            arguments_json=_encode(arguments),
            confirmation_id=confirmation_id,
            refusal=write_refusal(refusal),
            accept_language=details.accept_language,
            client_name=details.client_name or "",
        )
        return read_decline(await self._calls.call(self._stub.DeclineTool, request, caller, details, repeatable=True))

    def _catalogue(self, response: pb.ListToolsResponse) -> tuple[ToolDescription, ...]:
        """The tools as the very same tuple whenever the catalogue is the same, so that its rendering is remembered."""
        key = response.SerializeToString(deterministic=True)
        tools = self._catalogues.get(key)
        if tools is None:
            tools = tuple(read_tool(tool) for tool in response.tools)
            self._catalogues[key] = tools
            self._harmless_unconfirmed |= {tool.name for tool in tools if tool.read_only or tool.destructive}
            if len(self._catalogues) > LIMIT_CATALOGUES:
                self._catalogues.popitem(last=False)
        self._catalogues.move_to_end(key)
        return tools


def _encode(arguments: Mapping[str, Any]) -> bytes:
    """The arguments as JSON bytes, integers exact."""
    return json.dumps(arguments, ensure_ascii=False, separators=(",", ":")).encode()
