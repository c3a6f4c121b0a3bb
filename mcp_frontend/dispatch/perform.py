"""Turn one request into its outcome: match on what is asked, call a port, say what came of it.

Knows no tool by name and no era. A call that needs a person's yes is decided by
approvals.policy; the tool service has the last word on whether it needs one.
"""

from dataclasses import dataclass

import structlog

from mcp_frontend.approvals.policy import AskInChat, Decline, OfferLink, Proceed, RejectState, decide
from mcp_frontend.approvals.request_state import Question, RequestStates
from mcp_frontend.caller import Caller
from mcp_frontend.dispatch.library import perform_library_request
from mcp_frontend.dispatch.ports import (
    CallDetails,
    ConfirmationRequired,
    FailureKind,
    GatewayUnavailable,
    LibraryGateway,
    Refusal,
    ToolFailure,
    ToolGateway,
    ToolResult,
)
from mcp_frontend.dispatch.question import KEY, ask
from mcp_frontend.protocol.errors import INVALID_PARAMS, SERVICE_UNAVAILABLE
from mcp_frontend.protocol.model import (
    CallTool,
    Discover,
    Discovered,
    Exchange,
    Failed,
    Initialize,
    Initialized,
    ListTools,
    Outcome,
    Ping,
    Pong,
    ScopeMissing,
    ToolAnswered,
    ToolsListed,
)

# Where the mirrored route answers 204 the text still has to be JSON.
EMPTY_BODY = '{"data":null}'
# No tool has a longer name; whatever else a client calls one is not echoed at length.
LIMIT_NAME_CHARACTERS = 128

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Effects:
    """The ports through which a request has effects, and the codec of what the client carries for us."""

    tools: ToolGateway
    library: LibraryGateway
    request_states: RequestStates


async def perform(exchange: Exchange, caller: Caller, details: CallDetails, effects: Effects) -> Outcome:
    """What comes of one request. Faults of ours are raised, all else is an outcome.

    Raises:
        CallerRefused: the tool service does not know the person.
    """
    try:
        match exchange.request:
            case Discover():
                return Discovered()
            case Initialize(version):
                return Initialized(version)
            case Ping():
                return Pong()
            case ListTools():
                return ToolsListed(await effects.tools.list_tools(caller, details))
            case CallTool() as call:
                return await _call_tool(call, exchange, caller, details, effects)
            case _:
                return await perform_library_request(exchange.request, caller, details, effects.library)
    except GatewayUnavailable as unavailable:
        return Failed(
            SERVICE_UNAVAILABLE,
            "Service unavailable",
            before_handler=True,
            retry_after_seconds=unavailable.retry_after_seconds,
        )


async def _call_tool(
    call: CallTool, exchange: Exchange, caller: Caller, details: CallDetails, effects: Effects
) -> Outcome:
    question = Question(caller, "tools/call", call.name, call.arguments)
    state = call.request_state
    opened = None if state is None else effects.request_states.open(state, question)
    match decide(opened, call.answers, can_ask_in_chat=exchange.can_ask_in_chat):
        case RejectState(reason):
            _log.warning("request_state.rejected", reason=reason, request_id=details.request_id)
            return Failed(INVALID_PARAMS, "Invalid or expired requestState")
        case Decline(confirmation_id, canceled):
            refusal = Refusal.CANCELED if canceled else Refusal.DECLINED
            declined = await effects.tools.decline_tool(
                caller, call.name, call.arguments, confirmation_id, refusal, details
            )
            return _answer(declined, call.name)
        case Proceed(confirmation_id):
            ran = await effects.tools.call_tool(
                caller, call.name, call.arguments, details, confirmation_id=confirmation_id
            )
            if isinstance(ran, ConfirmationRequired):
                raise RuntimeError(f"{call.name} asks for a confirmation that it was given")
            return _answer(ran, call.name)
        case AskInChat(attempt):
            answered = await effects.tools.call_tool(caller, call.name, call.arguments, details)
            if not isinstance(answered, ConfirmationRequired):
                return _answer(answered, call.name)
            return ask(answered, effects.request_states.seal(question, key=KEY, attempt=attempt))
        case OfferLink():
            answered = await effects.tools.call_tool(caller, call.name, call.arguments, details, open_approval=True)
            if isinstance(answered, ConfirmationRequired):
                raise RuntimeError(f"{call.name} opens no approval")
            return _answer(answered, call.name)


def _answer(answered: ToolResult | ToolFailure, name: str) -> Outcome:
    match answered:
        case ToolResult(body=body):
            return ToolAnswered(body.decode() or EMPTY_BODY, is_error=False)
        case ToolFailure(kind=FailureKind.UNKNOWN_TOOL):
            return Failed(INVALID_PARAMS, f"Unknown tool: {name[:LIMIT_NAME_CHARACTERS]}")
        case ToolFailure(kind=FailureKind.INSUFFICIENT_SCOPE, required_scopes=required):
            return ScopeMissing(required)
        case ToolFailure(body=body):
            return ToolAnswered(body.decode(), is_error=True)
