"""The fake library behind real gRPC, for the suite that holds fake and adapter to one behaviour."""

from dataclasses import dataclass
from typing import Any

import grpc

from mcp_frontend.dispatch.ports import NoSuchReference, ToolFailure
from mcp_frontend.protocol.model import Complete, PromptReference, ResourceReference
from protos.tool_service.v1 import tool_service_pb2 as pb
from tests.support.fake_library_gateway import FakeLibraryGateway
from tests.support.served_tool_gateway import Context, ServedToolGateway, write_failure


@dataclass(slots=True)
class ServedLibraryGateway(ServedToolGateway):
    """Answers as `library` does, with the admission and the faults of its sibling."""

    library: FakeLibraryGateway | None = None

    def handlers(self) -> "dict[str, grpc.RpcMethodHandler[Any, Any]]":
        behaviors: dict[str, Any] = {
            "ListResources": self.list_resources,
            "ListResourceTemplates": self.list_resource_templates,
            "ReadResource": self.read_resource,
            "ListPrompts": self.list_prompts,
            "GetPrompt": self.get_prompt,
            "Complete": self.complete,
        }
        return {
            name: grpc.unary_unary_rpc_method_handler(
                behavior,
                request_deserializer=getattr(pb, f"{name}Request").FromString,
                response_serializer=getattr(pb, f"{name}Response").SerializeToString,
            )
            for name, behavior in behaviors.items()
        }

    async def list_resources(self, request: pb.ListResourcesRequest, context: Context) -> pb.ListResourcesResponse:
        listed = await self._fake.list_resources(*await self._admit(context, request.accept_language, ""))
        resources = [
            pb.Resource(
                uri=each.uri,
                name=each.name,
                title=each.title,
                description=each.description,
                mime_type=each.mime_type,
            )
            for each in listed
        ]
        return pb.ListResourcesResponse(resources=resources)

    async def list_resource_templates(
        self, request: pb.ListResourceTemplatesRequest, context: Context
    ) -> pb.ListResourceTemplatesResponse:
        listed = await self._fake.list_resource_templates(*await self._admit(context, request.accept_language, ""))
        templates = [
            pb.ResourceTemplate(
                uri_template=each.uri,
                name=each.name,
                title=each.title,
                description=each.description,
                mime_type=each.mime_type,
            )
            for each in listed
        ]
        return pb.ListResourceTemplatesResponse(resource_templates=templates)

    async def read_resource(self, request: pb.ReadResourceRequest, context: Context) -> pb.ReadResourceResponse:
        caller, details = await self._admit(context, request.accept_language, request.client_name)
        read = await self._fake.read_resource(caller, request.uri, details)
        if isinstance(read, ToolFailure):
            return pb.ReadResourceResponse(failure=write_failure(read))
        contents = pb.ResourceContents(uri=read.uri, mime_type=read.mime_type, text=read.text)
        return pb.ReadResourceResponse(contents=contents)

    async def list_prompts(self, request: pb.ListPromptsRequest, context: Context) -> pb.ListPromptsResponse:
        listed = await self._fake.list_prompts(*await self._admit(context, request.accept_language, ""))
        prompts = [
            pb.Prompt(
                name=each.name,
                title=each.title,
                description=each.description,
                arguments=[
                    pb.PromptArgument(
                        name=argument.name,
                        title=argument.title,
                        description=argument.description,
                        required=argument.required,
                    )
                    for argument in each.arguments
                ],
            )
            for each in listed
        ]
        return pb.ListPromptsResponse(prompts=prompts)

    async def get_prompt(self, request: pb.GetPromptRequest, context: Context) -> pb.GetPromptResponse:
        caller, details = await self._admit(context, request.accept_language, "")
        filled = await self._fake.get_prompt(caller, request.name, dict(request.arguments), details)
        if isinstance(filled, NoSuchReference):
            return pb.GetPromptResponse(failure=pb.ReferenceFailure(message=filled.message))
        messages = [pb.PromptMessage(role=each.role, text=each.text) for each in filled.messages]
        return pb.GetPromptResponse(prompt=pb.FilledPrompt(description=filled.description, messages=messages))

    async def complete(self, request: pb.CompleteRequest, context: Context) -> pb.CompleteResponse:
        caller, details = await self._admit(context, request.accept_language, "")
        by_prompt = request.WhichOneof("reference") == "prompt"
        reference = PromptReference(request.prompt) if by_prompt else ResourceReference(request.uri_template)
        wanted = Complete(reference, request.argument, request.value, dict(request.context))
        found = await self._fake.complete(caller, wanted, details)
        if isinstance(found, NoSuchReference):
            return pb.CompleteResponse(failure=pb.ReferenceFailure(message=found.message))
        completion = pb.Completion(values=found.values, total=found.total or 0, has_more=found.has_more)
        return pb.CompleteResponse(completion=completion)

    @property
    def _fake(self) -> FakeLibraryGateway:
        assert self.library is not None
        return self.library
