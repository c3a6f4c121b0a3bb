"""The stateless revision: an envelope in every request, mirrored headers, `server/discover`, questions in the chat.

The body is the truth and the headers may only agree with it, so that whoever routes by them routes what runs.
Spec: docs/specification/2026-07-28/.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

from mcp_frontend.protocol import envelope, jsonrpc
from mcp_frontend.protocol import headers as routing
from mcp_frontend.protocol.encoded_lists import EncodedLists
from mcp_frontend.protocol.errors import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    InvalidEnvelope,
    ProtocolError,
    UnsupportedVersion,
)
from mcp_frontend.protocol.headers import Headers
from mcp_frontend.protocol.jsonrpc import RequestMessage
from mcp_frontend.protocol.library import (
    completion_members,
    prompt_members,
    prompt_objects,
    read_complete,
    read_get_prompt,
    read_list_prompts,
    read_list_resource_templates,
    read_list_resources,
    read_members,
    read_read_resource,
    resource_objects,
)
from mcp_frontend.protocol.model import (
    CallTool,
    Completed,
    Discover,
    Discovered,
    Exchange,
    Failed,
    Initialized,
    Outcome,
    Pong,
    PromptFilled,
    PromptsListed,
    QuestionAsked,
    Reply,
    Request,
    ResourceMissing,
    ResourceRead,
    ResourcesListed,
    ResourceTemplatesListed,
    ScopeMissing,
    ToolAnswered,
    ToolDescription,
    ToolsListed,
)
from mcp_frontend.protocol.params import Params, object_if_present, optional_text
from mcp_frontend.protocol.replies import failed_reply, result_reply, scope_missing_reply
from mcp_frontend.protocol.server_description import INSTRUCTIONS, SERVER_INFO
from mcp_frontend.protocol.tools import answer_members, read_call_tool, read_list_tools, tool_objects
from mcp_frontend.protocol.trace import trace_parent

_CAPABILITIES: dict[str, Any] = {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}

# What comes back is filtered by the caller's permissions: neither kept nor shared.
_CACHING: dict[str, Any] = {"ttlMs": 0, "cacheScope": "private"}
_META: dict[str, Any] = {"_meta": {"io.modelcontextprotocol/serverInfo": SERVER_INFO}}

# The member that Mcp-Name repeats, and whether the header must be there. The official text demands it on
# all three; ours only on calls, and elsewhere holds it to the truth when it is sent.
_NAMED_BY: dict[str, tuple[str, bool]] = {
    "tools/call": ("name", True),
    "prompts/get": ("name", False),
    "resources/read": ("uri", False),
}


class Era2026:
    """See model.Era."""

    versions: tuple[str, ...] = ("2026-07-28",)

    def __init__(self, served_versions: Sequence[str]) -> None:
        """Discovery and refusals tell of every version that the endpoint serves, other eras' included."""
        self._served_versions = served_versions
        self._tool_lists = EncodedLists()
        self._discovered = _encode_complete(
            {
                "supportedVersions": list(served_versions),
                "capabilities": _CAPABILITIES,
                "instructions": INSTRUCTIONS,
                **_CACHING,
            }
        )

    def claim(self, message: RequestMessage, headers: Headers) -> str | None:
        """Ours by the envelope in the body; a header alone asks for what the body does not give."""
        meta = envelope.meta_of(message.params)
        if envelope.PROTOCOL_VERSION not in meta:
            # Silently falling back would give this client other semantics than it asked for.
            if headers.routing_value(routing.PROTOCOL_VERSION) in self.versions:
                raise InvalidEnvelope(f"params._meta must hold {envelope.PROTOCOL_VERSION}")
            return None
        version = meta[envelope.PROTOCOL_VERSION]
        if not isinstance(version, str):
            raise InvalidEnvelope(f"{envelope.PROTOCOL_VERSION} must be a string")
        # Before "unsupported": a message that contradicts itself asks for no version at all.
        routing.require_equal(headers, routing.PROTOCOL_VERSION, version, f"{envelope.PROTOCOL_VERSION} in the body")
        if version not in self.versions:
            raise UnsupportedVersion(self._served_versions, version)
        return version

    def read(self, message: RequestMessage, headers: Headers, version: str) -> Exchange:
        """See model.Era. Headers are held against the body before the method is looked up."""
        meta = envelope.meta_of(message.params)
        client = envelope.read_envelope(meta)
        routing.require_equal(headers, routing.METHOD, message.method, "method in the body")
        _check_name(message, headers)
        reader = _READERS.get(message.method)
        if reader is None:
            raise ProtocolError(METHOD_NOT_FOUND, "Method not found")
        request = reader(message.params)
        return Exchange(
            self,
            version,
            message.id,
            request,
            can_ask_in_chat=client.can_ask_in_chat,
            client=client.info,
            trace_parent=trace_parent(meta, headers),
        )

    def render(self, exchange: Exchange, outcome: Outcome) -> Reply:
        """See model.Era. Every result says its type and who answered."""
        match outcome:
            case ToolAnswered():
                return result_reply(exchange, _encode_complete(answer_members(outcome)))
            case ToolsListed(tools):
                return result_reply(exchange, self._tool_lists.bytes_of(tools, _encode_tools))
            case QuestionAsked():
                return result_reply(exchange, jsonrpc.encode(_input_required_result(outcome)))
            case Discovered():
                return result_reply(exchange, self._discovered)
            case ResourcesListed(resources):
                return _cached_reply(exchange, {"resources": resource_objects(resources, "uri")})
            case ResourceTemplatesListed(templates):
                return _cached_reply(exchange, {"resourceTemplates": resource_objects(templates, "uriTemplate")})
            case ResourceRead():
                return _cached_reply(exchange, read_members(outcome))
            case ResourceMissing(uri):
                return failed_reply(exchange, Failed(INVALID_PARAMS, "Resource not found", {"uri": uri}))
            case PromptsListed(prompts):
                return _cached_reply(exchange, {"prompts": prompt_objects(prompts)})
            case PromptFilled():
                return result_reply(exchange, _encode_complete(prompt_members(outcome)))
            case Completed():
                return result_reply(exchange, _encode_complete(completion_members(outcome)))
            case Failed():
                return failed_reply(exchange, outcome)
            case ScopeMissing():
                return scope_missing_reply(exchange, outcome)
            case Initialized() | Pong():
                raise TypeError(f"{type(outcome).__name__} answers no request of this era")
            case _:
                assert_never(outcome)


def _check_name(message: RequestMessage, headers: Headers) -> None:
    if message.method not in _NAMED_BY:
        return
    member, required = _NAMED_BY[message.method]
    value = message.params.get(member)
    # Where the body lacks the member, the body is the defect and reading it says so.
    if isinstance(value, str):
        routing.check_name(headers, value, f"params.{member}", required=required)


def _read_discover(params: Params) -> Discover:
    return Discover()


def _read_call_tool(params: Params) -> CallTool:
    call = read_call_tool(params)
    answers = object_if_present(params, "inputResponses")
    return CallTool(call.name, call.arguments, answers, optional_text(params, "requestState"))


def _encode_complete(members: Mapping[str, Any]) -> bytes:
    return jsonrpc.encode({"resultType": "complete", **members, **_META})


def _cached_reply(exchange: Exchange, members: Mapping[str, Any]) -> Reply:
    return result_reply(exchange, _encode_complete({**members, **_CACHING}))


def _encode_tools(tools: Sequence[ToolDescription]) -> bytes:
    return _encode_complete({"tools": tool_objects(tools), **_CACHING})


def _input_required_result(question: QuestionAsked) -> dict[str, Any]:
    confirmation: dict[str, Any] = {"type": "boolean", "title": question.field_title}
    if question.field_description:
        confirmation["description"] = question.field_description
    confirmation["default"] = False
    form = {
        "mode": "form",
        "message": question.message,
        "requestedSchema": {
            "type": "object",
            "properties": {question.key: confirmation},
            "required": [question.key],
        },
    }
    return {
        "resultType": "input_required",
        "inputRequests": {question.key: {"method": "elicitation/create", "params": form}},
        "requestState": question.state,
        **_META,
    }


_READERS: dict[str, Callable[[Params], Request]] = {
    "server/discover": _read_discover,
    "tools/list": read_list_tools,
    "tools/call": _read_call_tool,
    "resources/list": read_list_resources,
    "resources/templates/list": read_list_resource_templates,
    "resources/read": read_read_resource,
    "prompts/list": read_list_prompts,
    "prompts/get": read_get_prompt,
    "completion/complete": read_complete,
}
