"""One unary call of the tool service: deadline, assertion, request id, trace, and one more try where that is safe.

Caller and request go out, the access token never does. What may run twice without harm is tried once
more when the connection broke; of anything else nobody can say whether it ran.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import grpc

from mcp_frontend.adapters.caller_assertion import CallerAssertions
from mcp_frontend.caller import Caller
from mcp_frontend.dispatch.ports import CallDetails, CallerRefused, GatewayUnavailable

# The tool service's own limit: results are paged or cut below it (field report D42).
MESSAGE_LIMIT_BYTES = 4 * 1024 * 1024

CHANNEL_OPTIONS: Sequence[tuple[str, int]] = (
    ("grpc.max_send_message_length", MESSAGE_LIMIT_BYTES),
    ("grpc.max_receive_message_length", MESSAGE_LIMIT_BYTES),
    # No pings on an idle connection, and with a call open one in five minutes: what any
    # Python server allows by default. A faster one is answered by GOAWAY (field report D40).
    ("grpc.keepalive_time_ms", 5 * 60 * 1000),
    ("grpc.keepalive_timeout_ms", 20 * 1000),
    ("grpc.keepalive_permit_without_calls", 0),
    # After an outage the next attempt comes soon: the tool service restarts in seconds.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
)

NOT_ANSWERED = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
# The details of UNAUTHENTICATED that speak of the person; the others speak of our own assertion.
NOT_A_MEMBER = "NotAMember"

Response = TypeVar("Response")


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds that one try may take, and that the second may wait for a connection."""

    call: float = 30.0
    reconnect: float = 1.0


async def send(
    channel: grpc.aio.Channel,
    method: grpc.aio.UnaryUnaryMultiCallable[Any, Response],
    request: Any,
    metadata: Sequence[tuple[str, str]],
    deadlines: Deadlines,
    *,
    repeatable: bool,
) -> Response:
    """The answer of one try, or of a second one where the connection broke and repeating does no harm.

    Raises:
        grpc.aio.AioRpcError: the last try failed.
        TimeoutError: there is no connection for a second one.
    """
    try:
        return await method(request, timeout=deadlines.call, metadata=metadata)
    except grpc.aio.AioRpcError as error:
        if not repeatable or error.code() is not grpc.StatusCode.UNAVAILABLE:
            raise
    async with asyncio.timeout(deadlines.reconnect):
        await channel.channel_ready()
    return await method(request, timeout=deadlines.call, metadata=metadata)


class ToolServiceCalls:
    """Must be made inside the serving loop; the channel is the caller's to close."""

    def __init__(self, channel: grpc.aio.Channel, assertions: CallerAssertions, deadlines: Deadlines) -> None:
        self._channel = channel
        self._assertions = assertions
        self._deadlines = deadlines

    async def call(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[Any, Response],
        request: Any,
        caller: Caller,
        details: CallDetails,
        *,
        repeatable: bool,
    ) -> Response:
        metadata = self._metadata(caller, details)
        try:
            return await send(self._channel, method, request, metadata, self._deadlines, repeatable=repeatable)
        except TimeoutError as error:
            raise GatewayUnavailable from error
        except grpc.aio.AioRpcError as error:
            raise _translated(error) from error

    def _metadata(self, caller: Caller, details: CallDetails) -> tuple[tuple[str, str], ...]:
        metadata = (
            ("caller-assertion", self._assertions.assertion_for(caller)),
            ("request-id", details.request_id),
        )
        return metadata if details.trace_parent is None else (*metadata, ("traceparent", details.trace_parent))


class CallFailed(Exception):
    """The call itself failed, in a way that neither a wait nor another caller mends. The cause tells more."""


def _translated(error: grpc.aio.AioRpcError) -> Exception:
    if error.code() in NOT_ANSWERED:
        return GatewayUnavailable()
    if error.code() is grpc.StatusCode.UNAUTHENTICATED and error.details() == NOT_A_MEMBER:
        return CallerRefused()
    return CallFailed(f"{error.code().name}: {error.details()}")
