"""Resources, prompts and completions on the wire, as far as all eras say the same.

Optional members are left out where there is nothing to say: the schema has no null for them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from mcp_frontend.protocol.errors import InvalidParams
from mcp_frontend.protocol.model import (
    Complete,
    Completed,
    GetPrompt,
    ListPrompts,
    ListResources,
    ListResourceTemplates,
    PromptDescription,
    PromptFilled,
    PromptReference,
    ReadResource,
    ResourceDescription,
    ResourceRead,
    ResourceReference,
)
from mcp_frontend.protocol.params import Params, optional_object, refuse_cursor, required_object, required_text

# The official limit of one completion.
VALUES_LIMIT = 100


def read_list_resources(params: Params) -> ListResources:
    """Raises InvalidParams when a cursor is given."""
    refuse_cursor(params)
    return ListResources()


def read_list_resource_templates(params: Params) -> ListResourceTemplates:
    """Raises InvalidParams when a cursor is given."""
    refuse_cursor(params)
    return ListResourceTemplates()


def read_list_prompts(params: Params) -> ListPrompts:
    """Raises InvalidParams when a cursor is given."""
    refuse_cursor(params)
    return ListPrompts()


def read_read_resource(params: Params) -> ReadResource:
    """Raises InvalidParams when `uri` is no string."""
    return ReadResource(required_text(params, "uri"))


def read_get_prompt(params: Params) -> GetPrompt:
    """Raises InvalidParams when `name` is no string, or `arguments` no object of strings."""
    return GetPrompt(required_text(params, "name"), _texts(params, "arguments"))


def read_complete(params: Params) -> Complete:
    """Raises InvalidParams when `ref`, `argument` or `context` is not what the schema says."""
    reference = required_object(params, "ref")
    argument = required_object(params, "argument")
    context = optional_object(params, "context") or {}
    return Complete(
        _reference(reference),
        required_text(argument, "name"),
        required_text(argument, "value"),
        _texts(context, "arguments"),
    )


def resource_objects(resources: Sequence[ResourceDescription], uri_member: str) -> list[dict[str, Any]]:
    """The members of a list, in the order given; `uri_member` is "uri" or "uriTemplate"."""
    return [
        {
            uri_member: each.uri,
            "name": each.name,
            "title": each.title,
            "description": each.description,
            "mimeType": each.mime_type,
        }
        for each in resources
    ]


def read_members(read: ResourceRead) -> dict[str, Any]:
    return {"contents": [{"uri": read.uri, "mimeType": read.mime_type, "text": read.text}]}


def prompt_objects(prompts: Sequence[PromptDescription]) -> list[dict[str, Any]]:
    """The `prompts` member of a list, in the order given."""
    return [
        {
            "name": each.name,
            "title": each.title,
            "description": each.description,
            "arguments": [
                {
                    "name": argument.name,
                    "title": argument.title,
                    "description": argument.description,
                    "required": argument.required,
                }
                for argument in each.arguments
            ],
        }
        for each in prompts
    ]


def prompt_members(filled: PromptFilled) -> dict[str, Any]:
    messages = [{"role": each.role, "content": {"type": "text", "text": each.text}} for each in filled.messages]
    return {"description": filled.description, "messages": messages}


def completion_members(completed: Completed) -> dict[str, Any]:
    completion: dict[str, Any] = {"values": list(completed.values[:VALUES_LIMIT])}
    if completed.total is not None:
        completion["total"] = completed.total
    completion["hasMore"] = completed.has_more or len(completed.values) > VALUES_LIMIT
    return {"completion": completion}


def _reference(reference: Mapping[str, Any]) -> PromptReference | ResourceReference:
    match reference.get("type"):
        case "ref/prompt":
            return PromptReference(required_text(reference, "name"))
        case "ref/resource":
            return ResourceReference(required_text(reference, "uri"))
        case _:
            raise InvalidParams("Invalid params: ref.type must be ref/prompt or ref/resource")


def _texts(params: Mapping[str, Any], name: str) -> Mapping[str, str]:
    texts = optional_object(params, name) or {}
    if not all(isinstance(value, str) for value in texts.values()):
        raise InvalidParams(f"Invalid params: every value of {name} must be a string")
    return texts
