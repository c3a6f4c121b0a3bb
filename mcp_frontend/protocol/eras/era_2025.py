"""The revisions with a handshake: `initialize`, `ping`, bare results, unknown methods inside a 200.

No server state stands behind the handshake: any request is served at any time. What these revisions
lack of the later ones (envelope, Mcp headers, questions in the chat) is absent, not emulated.
Spec: docs/specification/2025-06-18/ and docs/specification/2025-03-26/.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

from mcp_frontend.protocol import headers as routing
from mcp_frontend.protocol import jsonrpc
from mcp_frontend.protocol.encoded_lists import EncodedLists
from mcp_frontend.protocol.envelope import meta_of
from mcp_frontend.protocol.errors import METHOD_NOT_FOUND, RESOURCE_NOT_FOUND_2025, STATUS_OF_HANDLER, ProtocolError
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
    Completed,
    Discovered,
    Exchange,
    Failed,
    Initialize,
    Initialized,
    Outcome,
    Ping,
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
from mcp_frontend.protocol.params import Params, optional_object, required_text
from mcp_frontend.protocol.replies import failed_reply, result_reply, scope_missing_reply
from mcp_frontend.protocol.server_description import INSTRUCTIONS, SERVER_INFO
from mcp_frontend.protocol.tools import answer_members, read_call_tool, read_list_tools, tool_objects
from mcp_frontend.protocol.trace import trace_parent

_LATEST_VERSION = "2025-06-18"
# This revision defines no version header, so a message without one is its own.
_ASSUMED_VERSION = "2025-03-26"
_VERSIONS = (_LATEST_VERSION, _ASSUMED_VERSION)

# Clients put their newest version into the header of `initialize` as well; there the body negotiates
# (https://github.com/xpzouying/xiaohongshu-mcp/issues/697). Every other method must name one that is served.
_HANDSHAKE_HEADERS = frozenset({*_VERSIONS, "2025-11-25"})

_CAPABILITIES: dict[str, Any] = {
    "tools": {"listChanged": False},
    "resources": {"subscribe": False, "listChanged": False},
    "prompts": {"listChanged": False},
    "completions": {},
}

_INITIALIZE = "initialize"


class Era2025:
    """See model.Era."""

    versions: tuple[str, ...] = _VERSIONS

    def __init__(self) -> None:
        self._tool_lists = EncodedLists()

    def claim(self, message: RequestMessage, headers: Headers) -> str | None:
        """Ours by the header, or by its absence; for `initialize` the version that the body negotiates."""
        header = headers.routing_value(routing.PROTOCOL_VERSION)
        if message.method == _INITIALIZE and (header is None or header in _HANDSHAKE_HEADERS):
            return _negotiated_version(message.params)
        if header is None:
            return _ASSUMED_VERSION
        return header if header in _VERSIONS else None

    def read(self, message: RequestMessage, headers: Headers, version: str) -> Exchange:
        """See model.Era. An unknown method is an error inside a 200."""
        reader = _READERS.get(message.method)
        if reader is None:
            raise ProtocolError(METHOD_NOT_FOUND, "Method not found", status=STATUS_OF_HANDLER)
        optional_object(message.params, "_meta")
        request = reader(message.params)
        trace = trace_parent(meta_of(message.params), headers)
        return Exchange(self, version, message.id, request, trace_parent=trace)

    def render(self, exchange: Exchange, outcome: Outcome) -> Reply:
        """See model.Era. Results carry no member that these revisions do not define."""
        match outcome:
            case ToolAnswered():
                return _reply(exchange, answer_members(outcome))
            case ToolsListed(tools):
                return result_reply(exchange, self._tool_lists.bytes_of(tools, _encode_tools))
            case Initialized(version):
                return _reply(exchange, _initialize_result(version))
            case Pong():
                return result_reply(exchange, b"{}")
            case ResourcesListed(resources):
                return _reply(exchange, {"resources": resource_objects(resources, "uri")})
            case ResourceTemplatesListed(templates):
                return _reply(exchange, {"resourceTemplates": resource_objects(templates, "uriTemplate")})
            case ResourceRead():
                return _reply(exchange, read_members(outcome))
            case ResourceMissing(uri):
                return failed_reply(exchange, Failed(RESOURCE_NOT_FOUND_2025, "Resource not found", {"uri": uri}))
            case PromptsListed(prompts):
                return _reply(exchange, {"prompts": prompt_objects(prompts)})
            case PromptFilled():
                return _reply(exchange, prompt_members(outcome))
            case Completed():
                return _reply(exchange, completion_members(outcome))
            case Failed():
                return failed_reply(exchange, outcome)
            case ScopeMissing():
                return scope_missing_reply(exchange, outcome)
            case Discovered() | QuestionAsked():
                raise TypeError(f"{type(outcome).__name__} answers no request of this era")
            case _:
                assert_never(outcome)


def _negotiated_version(params: Params) -> str:
    # Whatever else is asked for gets the latest with a handshake, never an error: the client decides.
    asked = params.get("protocolVersion")
    return asked if asked in _VERSIONS else _LATEST_VERSION


def _read_initialize(params: Params) -> Initialize:
    # capabilities and clientInfo are required by the schema and missing in the wild; we use neither.
    required_text(params, "protocolVersion")
    return Initialize(_negotiated_version(params))


def _read_ping(params: Params) -> Ping:
    return Ping()


def _initialize_result(version: str) -> dict[str, Any]:
    return {
        "protocolVersion": version,
        "capabilities": _CAPABILITIES,
        "serverInfo": SERVER_INFO,
        "instructions": INSTRUCTIONS,
    }


def _reply(exchange: Exchange, members: Mapping[str, Any]) -> Reply:
    return result_reply(exchange, jsonrpc.encode(members))


def _encode_tools(tools: Sequence[ToolDescription]) -> bytes:
    return jsonrpc.encode({"tools": tool_objects(tools)})


_READERS: dict[str, Callable[[Params], Request]] = {
    _INITIALIZE: _read_initialize,
    "ping": _read_ping,
    "tools/list": read_list_tools,
    "tools/call": read_call_tool,
    "resources/list": read_list_resources,
    "resources/templates/list": read_list_resource_templates,
    "resources/read": read_read_resource,
    "prompts/list": read_list_prompts,
    "prompts/get": read_get_prompt,
    "completion/complete": read_complete,
}
