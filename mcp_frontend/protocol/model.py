"""Era-neutral words of the protocol: what came in, what came of it, and what goes out.

`negotiate` turns headers and bytes into an Exchange, `perform` turns its request into an
Outcome, and the era of the exchange renders that as a Reply.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mcp_frontend.protocol.headers import Headers
from mcp_frontend.protocol.jsonrpc import RequestId, RequestMessage


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """What the program says of itself; shown to people as its own claim, never trusted."""

    name: str
    version: str


# Requests: one class per thing that a client can ask.


@dataclass(frozen=True, slots=True)
class Discover:
    pass


@dataclass(frozen=True, slots=True)
class Initialize:
    negotiated_version: str


@dataclass(frozen=True, slots=True)
class Ping:
    pass


@dataclass(frozen=True, slots=True)
class ListTools:
    pass


@dataclass(frozen=True, slots=True)
class CallTool:
    name: str
    arguments: Mapping[str, Any]
    answers: Mapping[str, Any] | None = None
    """inputResponses as sent, by key; None when the member is absent."""
    request_state: str | None = None


@dataclass(frozen=True, slots=True)
class ListResources:
    pass


@dataclass(frozen=True, slots=True)
class ListResourceTemplates:
    pass


@dataclass(frozen=True, slots=True)
class ReadResource:
    uri: str


@dataclass(frozen=True, slots=True)
class ListPrompts:
    pass


@dataclass(frozen=True, slots=True)
class GetPrompt:
    name: str
    arguments: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PromptReference:
    name: str


@dataclass(frozen=True, slots=True)
class ResourceReference:
    uri_template: str


@dataclass(frozen=True, slots=True)
class Complete:
    """Suggest values for one argument; `filled` holds those that were given before."""

    reference: PromptReference | ResourceReference
    argument: str
    value: str
    filled: Mapping[str, str]


LibraryRequest = ListResources | ListResourceTemplates | ReadResource | ListPrompts | GetPrompt | Complete
Request = Discover | Initialize | Ping | ListTools | CallTool | LibraryRequest


# Outcomes: what an effect produced, in no era's shape.


@dataclass(frozen=True, slots=True)
class Discovered:
    pass


@dataclass(frozen=True, slots=True)
class Initialized:
    version: str


@dataclass(frozen=True, slots=True)
class Pong:
    pass


@dataclass(frozen=True, slots=True)
class ToolDescription:
    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    read_only: bool
    destructive: bool
    idempotent: bool


@dataclass(frozen=True, slots=True)
class ToolsListed:
    tools: Sequence[ToolDescription]


@dataclass(frozen=True, slots=True)
class ToolAnswered:
    """The JSON body of the mirrored route, as text; with `is_error` its error body."""

    text: str
    is_error: bool


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """A person has to say yes in the chat; `state` is sealed and comes back with the answer."""

    key: str
    """Names the question in inputResponses and, in its form, the one boolean field."""
    message: str
    field_title: str
    field_description: str
    state: str


@dataclass(frozen=True, slots=True)
class Failed:
    """A JSON-RPC error. `before_handler` decides the status (errors.STATUS_BEFORE_HANDLER, else 200)."""

    code: int
    message: str
    data: Mapping[str, Any] | None = None
    before_handler: bool = False
    retry_after_seconds: int | None = None


@dataclass(frozen=True, slots=True)
class ScopeMissing:
    """403 with a challenge that names every scope the call needs beside those already granted."""

    required_scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class ResourceDescription:
    """A document of a fixed URI or, as a template, a family of them."""

    uri: str
    name: str
    title: str
    description: str
    mime_type: str


@dataclass(frozen=True, slots=True)
class ResourcesListed:
    resources: Sequence[ResourceDescription]


@dataclass(frozen=True, slots=True)
class ResourceTemplatesListed:
    templates: Sequence[ResourceDescription]


@dataclass(frozen=True, slots=True)
class ResourceRead:
    """The text of one document under the URI that was asked for."""

    uri: str
    mime_type: str
    text: str


@dataclass(frozen=True, slots=True)
class ResourceMissing:
    """No such document for this caller; each era has a code of its own for that."""

    uri: str


@dataclass(frozen=True, slots=True)
class PromptArgument:
    name: str
    title: str
    description: str
    required: bool


@dataclass(frozen=True, slots=True)
class PromptDescription:
    name: str
    title: str
    description: str
    arguments: Sequence[PromptArgument]


@dataclass(frozen=True, slots=True)
class PromptsListed:
    prompts: Sequence[PromptDescription]


@dataclass(frozen=True, slots=True)
class PromptMessage:
    role: str
    """user or assistant"""
    text: str


@dataclass(frozen=True, slots=True)
class PromptFilled:
    description: str
    messages: Sequence[PromptMessage]


@dataclass(frozen=True, slots=True)
class Completed:
    """Suggestions, best first, at most 100; `total` is None where nobody counted."""

    values: Sequence[str]
    total: int | None
    has_more: bool


LibraryOutcome = (
    ResourcesListed
    | ResourceTemplatesListed
    | ResourceRead
    | ResourceMissing
    | PromptsListed
    | PromptFilled
    | Completed
)
Outcome = (
    Discovered
    | Initialized
    | Pong
    | ToolsListed
    | ToolAnswered
    | QuestionAsked
    | LibraryOutcome
    | Failed
    | ScopeMissing
)


@dataclass(frozen=True, slots=True)
class Reply:
    """One HTTP answer of the endpoint, with the headers that the protocol decides.

    The web room adds Content-Type, Cache-Control, CORS, Allow and challenges.
    """

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


class Era(Protocol):
    """A family of protocol versions: what it serves, how it reads requests, how it writes outcomes."""

    versions: tuple[str, ...]
    """Newest first."""

    def claim(self, message: RequestMessage, headers: Headers) -> str | None:
        """The revision in which this era answers the message; None when it belongs to another era.

        Raises:
            ProtocolError: the message is this era's and contradicts itself about its version.
        """
        ...

    def read(self, message: RequestMessage, headers: Headers, version: str) -> "Exchange":
        """What a claimed message asks for, in the version of the claim.

        Raises:
            ProtocolError: it cannot be asked like that; `status` is the one to answer with.
        """
        ...

    def render(self, exchange: "Exchange", outcome: Outcome) -> Reply:
        """The reply to one exchange. Pure.

        Raises:
            TypeError: no request of this era has such an outcome; a bug of ours.
        """
        ...


@dataclass(frozen=True, slots=True)
class Exchange:
    """One classified request. After negotiation nothing asks which version it speaks."""

    era: Era
    version: str
    """The revision in use; answered in MCP-Protocol-Version."""
    id: RequestId
    request: Request
    can_ask_in_chat: bool = False
    client: ClientInfo | None = None
    trace_parent: str | None = None


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A notification: 202 and nothing more."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A message that no handler sees. `id` is None where it could not be read."""

    code: int
    message: str
    id: RequestId | None = None
    data: Mapping[str, Any] | None = None
    status: int = 400
    version: str | None = None
    """The revision in use where it is known by then; answered in MCP-Protocol-Version."""
    retry_after_seconds: int | None = None
    """Answered in Retry-After and, for readers of the body alone, as data.retryAfter."""
