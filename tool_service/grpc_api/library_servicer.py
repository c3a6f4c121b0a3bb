"""The RPCs of resources, prompts and completions: wire to the library and back."""

from typing import Any

import grpc

from protos.tool_service.v1 import tool_service_pb2 as pb
from protos.tool_service.v1 import tool_service_pb2_grpc as pb_grpc
from tool_service.dispatcher import Contents, Library, Reader, Refused
from tool_service.domain.references import ReferenceRefused
from tool_service.grpc_api.interceptors import MalformedRequest, current_call
from tool_service.grpc_api.messages import write_failure

Context = grpc.aio.ServicerContext[Any, Any]


class LibraryServicer(pb_grpc.ToolServiceServicer):
    """The half of ToolService that only reads; `ToolServicer` is the other."""

    def __init__(self, library: Library) -> None:
        self._library = library

    async def ListResources(self, request: pb.ListResourcesRequest, context: Context) -> pb.ListResourcesResponse:
        resources = [
            pb.Resource(
                uri=each.uri,
                name=each.name,
                title=each.title,
                description=each.description,
                mime_type=each.mime_type,
            )
            for each in await self._library.resources.fixed(_reader(request.accept_language))
        ]
        return pb.ListResourcesResponse(resources=resources)

    async def ListResourceTemplates(
        self, request: pb.ListResourceTemplatesRequest, context: Context
    ) -> pb.ListResourceTemplatesResponse:
        templates = [
            pb.ResourceTemplate(
                uri_template=each.uri,
                name=each.name,
                title=each.title,
                description=each.description,
                mime_type=each.mime_type,
            )
            for each in await self._library.resources.templates(_reader(request.accept_language))
        ]
        return pb.ListResourceTemplatesResponse(resource_templates=templates)

    async def ReadResource(self, request: pb.ReadResourceRequest, context: Context) -> pb.ReadResourceResponse:
        reader = _reader(request.accept_language, request.client_name)
        match await self._library.resources.read(reader, request.uri):
            case Contents(uri=uri, mime_type=mime_type, text=text):
                return pb.ReadResourceResponse(contents=pb.ResourceContents(uri=uri, mime_type=mime_type, text=text))
            case Refused() as refused:
                return pb.ReadResourceResponse(failure=write_failure(refused))

    async def ListPrompts(self, request: pb.ListPromptsRequest, context: Context) -> pb.ListPromptsResponse:
        found, language = await self._library.prompts(_reader(request.accept_language))
        prompts = [
            pb.Prompt(
                name=each.public_name,
                title=each.title.in_(language),
                description=each.description.in_(language),
                arguments=[
                    pb.PromptArgument(
                        name=argument.name,
                        title=argument.title.in_(language),
                        description=argument.description.in_(language),
                        required=argument.required,
                    )
                    for argument in each.arguments
                ],
            )
            for each in found
        ]
        return pb.ListPromptsResponse(prompts=prompts)

    async def GetPrompt(self, request: pb.GetPromptRequest, context: Context) -> pb.GetPromptResponse:
        reader = _reader(request.accept_language)
        try:
            prompt, language, text = await self._library.fill(reader, request.name, dict(request.arguments))
        except ReferenceRefused as error:
            return pb.GetPromptResponse(failure=pb.ReferenceFailure(message=str(error)))
        messages = [pb.PromptMessage(role="user", text=text)]
        filled = pb.FilledPrompt(description=prompt.description.in_(language), messages=messages)
        return pb.GetPromptResponse(prompt=filled)

    async def Complete(self, request: pb.CompleteRequest, context: Context) -> pb.CompleteResponse:
        reader, filled = _reader(request.accept_language), dict(request.context)
        complete = {"prompt": self._library.complete_prompt, "uri_template": self._library.complete_template}
        reference = request.WhichOneof("reference")
        if reference is None:
            raise MalformedRequest("reference is not set")
        try:
            found = await complete[reference](
                reader, getattr(request, reference), request.argument, request.value, filled
            )
        except ReferenceRefused as error:
            return pb.CompleteResponse(failure=pb.ReferenceFailure(message=str(error)))
        completion = pb.Completion(values=found.values, total=found.total or 0, has_more=found.has_more)
        return pb.CompleteResponse(completion=completion)


def _reader(accept_language: str, client_name: str = "") -> Reader:
    call = current_call()
    return Reader(call.identity.named(client_name or None), call.request_id, accept_language)
