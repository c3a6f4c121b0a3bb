"""What comes of the requests for documents, prompts and suggestions: one port, and what its refusals mean."""

from typing import assert_never

from mcp_frontend.caller import Caller
from mcp_frontend.dispatch.ports import CallDetails, FailureKind, LibraryGateway, NoSuchReference, ToolFailure
from mcp_frontend.protocol.errors import INTERNAL_ERROR, INVALID_PARAMS, RATE_LIMITED
from mcp_frontend.protocol.model import (
    Complete,
    Failed,
    GetPrompt,
    LibraryRequest,
    ListPrompts,
    ListResources,
    ListResourceTemplates,
    Outcome,
    PromptsListed,
    ReadResource,
    ResourceMissing,
    ResourcesListed,
    ResourceTemplatesListed,
    ScopeMissing,
)


async def perform_library_request(
    request: LibraryRequest, caller: Caller, details: CallDetails, library: LibraryGateway
) -> Outcome:
    """See dispatch.perform; the same is raised.

    Raises:
        GatewayUnavailable: the tool service cannot be reached.
    """
    match request:
        case ListResources():
            return ResourcesListed(await library.list_resources(caller, details))
        case ListResourceTemplates():
            return ResourceTemplatesListed(await library.list_resource_templates(caller, details))
        case ReadResource(uri):
            read = await library.read_resource(caller, uri, details)
            return _unreadable(read, uri, details) if isinstance(read, ToolFailure) else read
        case ListPrompts():
            return PromptsListed(await library.list_prompts(caller, details))
        case GetPrompt(name, arguments):
            return _known(await library.get_prompt(caller, name, arguments, details))
        case Complete():
            return _known(await library.complete(caller, request, details))
        case _:
            assert_never(request)


def _unreadable(failure: ToolFailure, uri: str, details: CallDetails) -> Outcome:
    match failure.kind:
        case FailureKind.INSUFFICIENT_SCOPE:
            return ScopeMissing(failure.required_scopes)
        case FailureKind.LIMIT_EXCEEDED:
            wait = failure.retry_after_seconds
            return Failed(RATE_LIMITED, "Rate limit exceeded", before_handler=True, retry_after_seconds=wait)
        case FailureKind.INTERNAL:
            return Failed(INTERNAL_ERROR, "Internal error", {"requestId": details.request_id})
        case _:
            # Missing, hidden and malformed look the same: the difference would tell what exists.
            return ResourceMissing(uri)


def _known(answered: Outcome | NoSuchReference) -> Outcome:
    return Failed(INVALID_PARAMS, answered.message) if isinstance(answered, NoSuchReference) else answered
