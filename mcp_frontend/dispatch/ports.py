"""What the front end asks of the tool service."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Protocol

from mcp_frontend.caller import Caller
from mcp_frontend.protocol.model import (
    Complete,
    Completed,
    PromptDescription,
    PromptFilled,
    ResourceDescription,
    ResourceRead,
    ToolDescription,
)


class FailureKind(Enum):
    """Of failures that a caller can act on; the body says exactly which."""

    UNKNOWN_TOOL = auto()
    INSUFFICIENT_SCOPE = auto()
    LIMIT_EXCEEDED = auto()
    """The same call makes sense again, later."""
    INTERNAL = auto()
    """The tool service failed; its log says why, under the request id."""
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The body that the mirrored route answers with; empty where it answers 204."""

    body: bytes
    status: int
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class ToolFailure:
    kind: FailureKind
    body: bytes
    status: int
    retry_after_seconds: int | None = None
    required_scopes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ConfirmationRequired:
    """Nothing ran; `summary` says to a person what would happen to which object."""

    title: str
    summary: str
    language: str


class Refusal(Enum):
    DECLINED = auto()
    CANCELED = auto()


@dataclass(frozen=True, slots=True)
class CallDetails:
    """What travels with every call beside the caller and the arguments."""

    request_id: str
    accept_language: str = ""
    trace_parent: str | None = None
    client_name: str | None = None
    """clientInfo.name as the program claims it; for audit and display only."""


class GatewayUnavailable(Exception):
    """The tool service cannot be reached or did not answer in time."""

    def __init__(self, retry_after_seconds: int = 1) -> None:
        super().__init__(f"tool service unavailable, retry after {retry_after_seconds} s")
        self.retry_after_seconds = retry_after_seconds


class CallerRefused(Exception):
    """The tool service does not know the person, or not in that organization any more: the token is worth nothing."""


class ToolGateway(Protocol):
    """Every method may also raise CallerRefused."""

    async def list_tools(self, caller: Caller, details: CallDetails) -> Sequence[ToolDescription]:
        """The tools that the caller may run, in catalogue order.

        Raises:
            GatewayUnavailable: see there.
        """
        ...

    async def call_tool(
        self,
        caller: Caller,
        name: str,
        arguments: Mapping[str, Any],
        details: CallDetails,
        *,
        confirmation_id: str | None = None,
        open_approval: bool = False,
    ) -> ToolResult | ToolFailure | ConfirmationRequired:
        """Run one tool; a destructive one without a confirmation is only previewed.

        With `open_approval`, and where a yes in the chat is not enough, no confirmation is required: the result is
        then the link at which the person decides, with status 202.

        Raises:
            GatewayUnavailable: see there. A write without an idempotency key may have run.
        """
        ...

    async def decline_tool(
        self,
        caller: Caller,
        name: str,
        arguments: Mapping[str, Any],
        confirmation_id: str,
        refusal: Refusal,
        details: CallDetails,
    ) -> ToolResult | ToolFailure:
        """Put the refusal on record. The result of the call, if it had run before.

        Raises:
            GatewayUnavailable: see there.
        """
        ...


@dataclass(frozen=True, slots=True)
class NoSuchReference:
    """What the client refers to is not there for this caller, or was filled in wrongly; one English sentence."""

    message: str


class LibraryGateway(Protocol):
    """Documents, prompts and suggestions. Every method may also raise GatewayUnavailable and CallerRefused."""

    async def list_resources(self, caller: Caller, details: CallDetails) -> Sequence[ResourceDescription]:
        """The documents of a fixed URI that the caller may read, in catalogue order."""
        ...

    async def list_resource_templates(self, caller: Caller, details: CallDetails) -> Sequence[ResourceDescription]:
        """The families of documents that the caller may read, in catalogue order."""
        ...

    async def read_resource(self, caller: Caller, uri: str, details: CallDetails) -> ResourceRead | ToolFailure:
        """One document. Whatever the caller cannot see is a failure of kind OTHER."""
        ...

    async def list_prompts(self, caller: Caller, details: CallDetails) -> Sequence[PromptDescription]:
        """The prompts whose every tool the caller may run, in catalogue order."""
        ...

    async def get_prompt(
        self, caller: Caller, name: str, arguments: Mapping[str, str], details: CallDetails
    ) -> PromptFilled | NoSuchReference:
        """The prompt with its arguments quoted in it."""
        ...

    async def complete(self, caller: Caller, wanted: Complete, details: CallDetails) -> Completed | NoSuchReference:
        """Values that the caller may see."""
        ...
