"""Documents, prompts and suggestions of the contract, in the words of protocol.model and dispatch.ports."""

from collections.abc import Iterable

from mcp_frontend.adapters.tool_messages import ContractBroken, read_failure
from mcp_frontend.dispatch.ports import CallDetails, NoSuchReference, ToolFailure
from mcp_frontend.protocol.model import (
    Complete,
    Completed,
    PromptArgument,
    PromptDescription,
    PromptFilled,
    PromptMessage,
    PromptReference,
    ResourceDescription,
    ResourceRead,
)
from protos.tool_service.v1 import tool_service_pb2 as pb


def read_resources(resources: Iterable[pb.Resource]) -> tuple[ResourceDescription, ...]:
    return tuple(
        ResourceDescription(each.uri, each.name, each.title, each.description, each.mime_type) for each in resources
    )


def read_templates(templates: Iterable[pb.ResourceTemplate]) -> tuple[ResourceDescription, ...]:
    return tuple(
        ResourceDescription(each.uri_template, each.name, each.title, each.description, each.mime_type)
        for each in templates
    )


def read_document(response: pb.ReadResourceResponse) -> ResourceRead | ToolFailure:
    """Raises: ContractBroken when no outcome is set."""
    match response.WhichOneof("outcome"):
        case "contents":
            contents = response.contents
            return ResourceRead(contents.uri, contents.mime_type, contents.text)
        case "failure":
            return read_failure(response.failure)
        case _:
            raise ContractBroken("ReadResourceResponse without an outcome")


def read_prompt(prompt: pb.Prompt) -> PromptDescription:
    arguments = tuple(
        PromptArgument(each.name, each.title, each.description, each.required) for each in prompt.arguments
    )
    return PromptDescription(prompt.name, prompt.title, prompt.description, arguments)


def read_filled_prompt(response: pb.GetPromptResponse) -> PromptFilled | NoSuchReference:
    """Raises: ContractBroken when no outcome is set."""
    match response.WhichOneof("outcome"):
        case "prompt":
            messages = tuple(PromptMessage(each.role, each.text) for each in response.prompt.messages)
            return PromptFilled(response.prompt.description, messages)
        case "failure":
            return NoSuchReference(response.failure.message)
        case _:
            raise ContractBroken("GetPromptResponse without an outcome")


def write_completion_request(wanted: Complete, details: CallDetails) -> pb.CompleteRequest:
    request = pb.CompleteRequest(
        argument=wanted.argument,
        value=wanted.value,
        context=dict(wanted.filled),
        accept_language=details.accept_language,
    )
    if isinstance(wanted.reference, PromptReference):
        request.prompt = wanted.reference.name
    else:
        request.uri_template = wanted.reference.uri_template
    return request


def read_completion(response: pb.CompleteResponse) -> Completed | NoSuchReference:
    """Raises: ContractBroken when no outcome is set."""
    match response.WhichOneof("outcome"):
        case "completion":
            found = response.completion
            # Zero of many is "not counted"; zero of none is a count.
            total = found.total if found.total or not found.values else None
            return Completed(tuple(found.values), total, found.has_more)
        case "failure":
            return NoSuchReference(response.failure.message)
        case _:
            raise ContractBroken("CompleteResponse without an outcome")
