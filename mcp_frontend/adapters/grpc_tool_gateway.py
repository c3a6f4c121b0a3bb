"""The tool service over gRPC unary calls: the ToolGateway of production.

Caller and arguments go out, the access token never does. Every call has a deadline, the
request id and the trace. What may run twice without harm is tried once more when the
connection broke; of anything else nobody can say whether it ran.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import grpc

from mcp_frontend.adapters.caller_assertion import CallerAssertions
from mcp_frontend.adapters.tool_messages import read_answer, read_decline, read_tool, write_refusal
from mcp_frontend.caller import Caller
from mcp_frontend.dispatch.ports import (
    CallDetails,
    CallerRefused,
    ConfirmationRequired,
    GatewayUnavailable,
    Refusal,
    ToolFailure,
    ToolResult,
)
from mcp_frontend.protocol.model import ToolDescription
from protos.tool_service.v1 import tool_service_pb2 as pb
from protos.tool_service.v1 import tool_service_pb2_grpc as pb_grpc

# The tool service's own limit: results are paged or cut below it (cases/reports.md D42).
MESSAGE_LIMIT_BYTES = 4 * 1024 * 1024

CHANNEL_OPTIONS: Sequence[tuple[str, int]] = (
    ("grpc.max_send_message_length", MESSAGE_LIMIT_BYTES),
    ("grpc.max_receive_message_length", MESSAGE_LIMIT_BYTES),
    # No pings on an idle connection, and with a call open one in five minutes: what any
    # Python server allows by default. A faster one is answered by GOAWAY (D40).
    ("grpc.keepalive_time_ms", 5 * 60 * 1000),
    ("grpc.keepalive_timeout_ms", 20 * 1000),
    ("grpc.keepalive_permit_without_calls", 0),
    # After an outage the next attempt comes soon: the tool service restarts in seconds.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
)

LIMIT_CATALOGUES = 64

_NOT_ANSWERED = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
# The details of UNAUTHENTICATED that speak of the person; the others speak of our own assertion.
_NOT_A_MEMBER = "NotAMember"

Response = TypeVar("Response")


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds that one try may take, and that the second may wait for a connection."""

    call: float = 30.0
    reconnect: float = 1.0


class GrpcToolGateway:
    """Must be made inside the serving loop; the channel is the caller's to close."""

    def __init__(self, channel: grpc.aio.Channel, assertions: CallerAssertions, deadlines: Deadlines) -> None:
        self._channel = channel
        self._stub = pb_grpc.ToolServiceStub(channel)
        self._assertions = assertions
        self._deadlines = deadlines
        # By the bytes of the answer: one for each set of permissions that is in use.
        self._catalogues: OrderedDict[bytes, tuple[ToolDescription, ...]] = OrderedDict()
        # Reads, and calls that are only previewed. Learnt from every catalogue that passes by:
        # these facts of a tool are the same for everybody.
        self._harmless_unconfirmed: frozenset[str] = frozenset()

    async def list_tools(self, caller: Caller, details: CallDetails) -> Sequence[ToolDescription]:
        response = await self._call(self._stub.ListTools, pb.ListToolsRequest(), caller, details, repeatable=True)
        return self._catalogue(response)

    async def call_tool(
        self, caller: Caller, name: str, arguments: Mapping[str, Any], confirmation_id: str | None, details: CallDetails
    ) -> ToolResult | ToolFailure | ConfirmationRequired:
        request = pb.CallToolRequest(
            name=name,
            arguments_json=_encode(arguments),
            confirmation_id=confirmation_id or "",
            accept_language=details.accept_language,
            client_name=details.client_name or "",
        )
        repeatable = bool(confirmation_id or name in self._harmless_unconfirmed or arguments.get("idempotency_key"))
        return read_answer(await self._call(self._stub.CallTool, request, caller, details, repeatable=repeatable))

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
        return read_decline(await self._call(self._stub.DeclineTool, request, caller, details, repeatable=True))

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

    async def _call(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[Any, Response],
        request: Any,
        caller: Caller,
        details: CallDetails,
        *,
        repeatable: bool,
    ) -> Response:
        metadata = self._metadata(caller, details)
        try:
            return await method(request, timeout=self._deadlines.call, metadata=metadata)
        except grpc.aio.AioRpcError as error:
            if not repeatable or error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise _translated(error) from error
        try:
            async with asyncio.timeout(self._deadlines.reconnect):
                await self._channel.channel_ready()
            return await method(request, timeout=self._deadlines.call, metadata=metadata)
        except TimeoutError as error:
            raise GatewayUnavailable from error
        except grpc.aio.AioRpcError as error:
            raise _translated(error) from error

    def _metadata(self, caller: Caller, details: CallDetails) -> tuple[tuple[str, str], ...]:
        metadata = (
            ("caller-assertion", self._assertions.assertion_for(caller)),
            ("request-id", details.request_id),
        )
        return metadata if details.trace_parent is None else (*metadata, ("traceparent", details.trace_parent))


class CallFailed(Exception):
    """The call itself failed, in a way that neither a wait nor another caller mends. The cause tells more."""


def _translated(error: grpc.aio.AioRpcError) -> Exception:
    if error.code() in _NOT_ANSWERED:
        return GatewayUnavailable()
    if error.code() is grpc.StatusCode.UNAUTHENTICATED and error.details() == _NOT_A_MEMBER:
        return CallerRefused()
    return CallFailed(f"{error.code().name}: {error.details()}")


def _encode(arguments: Mapping[str, Any]) -> bytes:
    """The arguments as JSON bytes, integers exact."""
    return json.dumps(arguments, ensure_ascii=False, separators=(",", ":")).encode()
