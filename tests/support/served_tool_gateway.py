"""A tool service of the test on a loopback port: the fake behind real gRPC, and faults that only a wire has.

It judges what arrives as the contract says it: the assertion in the metadata, and no more than that.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
from joserfc import jwt
from joserfc.jwk import ECKey

from mcp_frontend.adapters.tool_service_calls import NOT_A_MEMBER
from mcp_frontend.caller import Caller, Subject
from mcp_frontend.dispatch.ports import (
    CallDetails,
    ConfirmationRequired,
    FailureKind,
    Refusal,
    ToolFailure,
    ToolResult,
)
from mcp_frontend.oauth.ports import MembersUnavailable
from protos.tool_service.v1 import tool_service_pb2 as pb
from tests.support.fake_tool_gateway import FakeToolGateway
from tests.support.issuer import FakeMembers

Context = grpc.aio.ServicerContext[Any, Any]

_MEMBERS = pb.DESCRIPTOR.services_by_name["MemberService"].full_name
_SERVICE = pb.DESCRIPTOR.services_by_name["ToolService"].full_name
_REFUSALS = {pb.REFUSAL_DECLINED: Refusal.DECLINED, pb.REFUSAL_CANCELED: Refusal.CANCELED}
_KINDS = {
    FailureKind.UNKNOWN_TOOL: pb.FAILURE_KIND_UNKNOWN_TOOL,
    FailureKind.INSUFFICIENT_SCOPE: pb.FAILURE_KIND_INSUFFICIENT_SCOPE,
    FailureKind.LIMIT_EXCEEDED: pb.FAILURE_KIND_LIMIT_EXCEEDED,
    FailureKind.INTERNAL: pb.FAILURE_KIND_INTERNAL,
    FailureKind.OTHER: pb.FAILURE_KIND_CONFLICT,
}


@dataclass(slots=True)
class ServedToolGateway:
    """Answers as `tools` does, after the faults that the test has set up."""

    tools: FakeToolGateway
    assertion_key: ECKey
    aborts: list[tuple[grpc.StatusCode, str]] = field(default_factory=list)
    """Taken one per call, in order, in place of an answer."""
    members: FakeMembers = field(default_factory=FakeMembers)
    answers: asyncio.Event = field(default_factory=asyncio.Event)
    """While it is clear, calls wait."""
    calls: int = 0
    called: asyncio.Event = field(default_factory=asyncio.Event)
    metadata: list[dict[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.answers.set()

    def handlers(self) -> "dict[str, grpc.RpcMethodHandler[Any, Any]]":
        """The RPCs that ToolGateway needs; any other is UNIMPLEMENTED."""
        behaviors: dict[str, Any] = {
            "ListTools": self.list_tools,
            "CallTool": self.call_tool,
            "DeclineTool": self.decline_tool,
        }
        return {
            name: grpc.unary_unary_rpc_method_handler(
                behavior,
                request_deserializer=getattr(pb, f"{name}Request").FromString,
                response_serializer=getattr(pb, f"{name}Response").SerializeToString,
            )
            for name, behavior in behaviors.items()
        }

    async def list_tools(self, request: pb.ListToolsRequest, context: Context) -> pb.ListToolsResponse:
        caller, details = await self._admit(context, "", "")
        tools = await self.tools.list_tools(caller, details)
        return pb.ListToolsResponse(
            tools=[
                pb.Tool(
                    name=tool.name,
                    title=tool.title,
                    description=tool.description,
                    input_schema_json=json.dumps(tool.input_schema).encode(),
                    read_only=tool.read_only,
                    destructive=tool.destructive,
                    idempotent=tool.idempotent,
                )
                for tool in tools
            ]
        )

    async def call_tool(self, request: pb.CallToolRequest, context: Context) -> pb.CallToolResponse:
        caller, details = await self._admit(context, request.accept_language, request.client_name)
        arguments = json.loads(request.arguments_json)
        confirmation_id = request.confirmation_id or None
        answered = await self.tools.call_tool(
            caller,
            request.name,
            arguments,
            details,
            confirmation_id=confirmation_id,
            open_approval=request.open_approval,
        )
        match answered:
            case ToolResult() as result:
                return pb.CallToolResponse(result=_result(result))
            case ToolFailure() as failure:
                return pb.CallToolResponse(failure=write_failure(failure))
            case ConfirmationRequired(title, summary, language):
                required = pb.ConfirmationRequired(title=title, summary=summary, language=language)
                return pb.CallToolResponse(confirmation_required=required)

    async def decline_tool(self, request: pb.DeclineToolRequest, context: Context) -> pb.DeclineToolResponse:
        caller, details = await self._admit(context, request.accept_language, request.client_name)
        arguments = json.loads(request.arguments_json)
        refusal = _REFUSALS[request.refusal]
        match await self.tools.decline_tool(caller, request.name, arguments, request.confirmation_id, refusal, details):
            case ToolResult() as result:
                return pb.DeclineToolResponse(result=_result(result))
            case ToolFailure() as failure:
                return pb.DeclineToolResponse(failure=write_failure(failure))

    async def recognize(self, request: pb.RecognizeRequest, context: Context) -> pb.RecognizeResponse:
        """As `members` does."""
        metadata = {key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)}
        claims = jwt.decode(metadata["subject-assertion"], self.assertion_key, algorithms=["ES256"]).claims
        try:
            person = await self.members.recognize(_subject(claims))
        except MembersUnavailable:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the database does not answer")
        if person is None:
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, NOT_A_MEMBER)
        return pb.RecognizeResponse(
            organization_id=person.organization_id,
            person_id=person.person_id,
            name=person.name,
            role=person.role,
            organization_name=person.organization_name,
            language=person.language,
        )

    async def _admit(self, context: Context, accept_language: str, client_name: str) -> tuple[Caller, CallDetails]:
        self.calls += 1
        self.called.set()
        await self.answers.wait()
        if self.aborts:
            await context.abort(*self.aborts.pop(0))
        metadata = {key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)}
        self.metadata.append(metadata)
        claims = jwt.decode(metadata["caller-assertion"], self.assertion_key, algorithms=["ES256"]).claims
        trace_parent = metadata.get("traceparent")
        return _caller(claims), CallDetails(metadata["request-id"], accept_language, trace_parent, client_name or None)


@asynccontextmanager
async def serve(served: ServedToolGateway, address: str = "127.0.0.1:0") -> AsyncGenerator[str]:
    """The address on which it answers."""
    server = grpc.aio.server()
    behavior: Any = served.recognize
    recognize = grpc.unary_unary_rpc_method_handler(
        behavior,
        request_deserializer=pb.RecognizeRequest.FromString,
        response_serializer=pb.RecognizeResponse.SerializeToString,
    )
    server.add_generic_rpc_handlers(
        (
            grpc.method_handlers_generic_handler(_SERVICE, served.handlers()),
            grpc.method_handlers_generic_handler(_MEMBERS, {"Recognize": recognize}),
        )
    )
    port = server.add_insecure_port(address)
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)


def _subject(claims: Mapping[str, Any]) -> Subject:
    return Subject(
        issuer=claims["idp"],
        subject=claims["sub"],
        organization_id=claims.get("org"),
        grant_id=claims.get("grant"),
        email=claims.get("email"),
        email_verified=claims.get("email_verified") is True,
    )


def _caller(claims: Mapping[str, Any]) -> Caller:
    # What does not cross (issuer, expiry of the token) is empty.
    return Caller(
        issuer="",
        subject=claims["sub"],
        organization_id=claims["org"],
        client_id=claims["client_id"],
        client_name=claims["client_name"],
        scopes=frozenset(claims["scope"].split()),
        token_id=claims["tid"],
        expires_at=0,
    )


def _result(result: ToolResult) -> pb.ToolResult:
    return pb.ToolResult(body_json=result.body, status=result.status, replayed=result.replayed)


def write_failure(failure: ToolFailure) -> pb.ToolFailure:
    return pb.ToolFailure(
        kind=_KINDS[failure.kind],
        body_json=failure.body,
        status=failure.status,
        retry_after_seconds=failure.retry_after_seconds or 0,
        required_scopes=sorted(failure.required_scopes),
    )
