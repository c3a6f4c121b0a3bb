"""Documents, prompts and suggestions over gRPC: the LibraryGateway of production. All of it only reads."""

from collections.abc import Mapping, Sequence

import grpc

from mcp_frontend.adapters.caller_assertion import CallerAssertions
from mcp_frontend.adapters.library_messages import (
    read_completion,
    read_document,
    read_filled_prompt,
    read_prompt,
    read_resources,
    read_templates,
    write_completion_request,
)
from mcp_frontend.adapters.tool_service_calls import Deadlines, ToolServiceCalls
from mcp_frontend.caller import Caller
from mcp_frontend.dispatch.ports import CallDetails, NoSuchReference, ToolFailure
from mcp_frontend.protocol.model import (
    Complete,
    Completed,
    PromptDescription,
    PromptFilled,
    ResourceDescription,
    ResourceRead,
)
from protos.tool_service.v1 import tool_service_pb2 as pb
from protos.tool_service.v1 import tool_service_pb2_grpc as pb_grpc


class GrpcLibraryGateway:
    """Must be made inside the serving loop; the channel is the caller's to close."""

    def __init__(self, channel: grpc.aio.Channel, assertions: CallerAssertions, deadlines: Deadlines) -> None:
        self._stub = pb_grpc.ToolServiceStub(channel)
        self._calls = ToolServiceCalls(channel, assertions, deadlines)

    async def list_resources(self, caller: Caller, details: CallDetails) -> Sequence[ResourceDescription]:
        request = pb.ListResourcesRequest(accept_language=details.accept_language)
        response = await self._calls.call(self._stub.ListResources, request, caller, details, repeatable=True)
        return read_resources(response.resources)

    async def list_resource_templates(self, caller: Caller, details: CallDetails) -> Sequence[ResourceDescription]:
        request = pb.ListResourceTemplatesRequest(accept_language=details.accept_language)
        response = await self._calls.call(self._stub.ListResourceTemplates, request, caller, details, repeatable=True)
        return read_templates(response.resource_templates)

    async def read_resource(self, caller: Caller, uri: str, details: CallDetails) -> ResourceRead | ToolFailure:
        request = pb.ReadResourceRequest(
            uri=uri, accept_language=details.accept_language, client_name=details.client_name or ""
        )
        return read_document(await self._calls.call(self._stub.ReadResource, request, caller, details, repeatable=True))

    async def list_prompts(self, caller: Caller, details: CallDetails) -> Sequence[PromptDescription]:
        request = pb.ListPromptsRequest(accept_language=details.accept_language)
        response = await self._calls.call(self._stub.ListPrompts, request, caller, details, repeatable=True)
        return tuple(read_prompt(each) for each in response.prompts)

    async def get_prompt(
        self, caller: Caller, name: str, arguments: Mapping[str, str], details: CallDetails
    ) -> PromptFilled | NoSuchReference:
        request = pb.GetPromptRequest(name=name, arguments=dict(arguments), accept_language=details.accept_language)
        return read_filled_prompt(
            await self._calls.call(self._stub.GetPrompt, request, caller, details, repeatable=True)
        )

    async def complete(self, caller: Caller, wanted: Complete, details: CallDetails) -> Completed | NoSuchReference:
        request = write_completion_request(wanted, details)
        return read_completion(await self._calls.call(self._stub.Complete, request, caller, details, repeatable=True))
