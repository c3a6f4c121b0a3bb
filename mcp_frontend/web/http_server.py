"""Hypercorn as we run it: its limits, and what it says where it refuses HTTP before any code of ours runs.

Over HTTP/1.1 that is a JSON-RPC body. Over HTTP/2 it ends the stream or the connection, as RFC 9113 asks:
what could not be read is no request, so there is nothing to answer.
"""

import logging

import h11
import hypercorn.protocol
from h2.errors import ErrorCodes
from h2.events import DataReceived, Event, RequestReceived
from hypercorn.config import Config
from hypercorn.protocol.h2 import H2Protocol
from hypercorn.protocol.h11 import H11Protocol

from mcp_frontend.protocol.errors import INVALID_REQUEST
from mcp_frontend.protocol.replies import reject
from mcp_frontend.web.admission import refuse

# A head of this size that is still incomplete is refused; the longest legitimate one holds an access token.
LIMIT_HEAD_BYTES = 16 * 1024
# A connection that asks nothing, or takes this long for its first head, is closed.
IDLE_SECONDS = 5

_REASONS = {
    414: "the target is too long",
    431: "the header section is too large",
    501: "this transfer coding is not supported",
}


def server_config(listen: str, grace_seconds: float) -> Config:
    """`listen` is host:port; the grace is what open requests get once the server is told to stop."""
    # Hypercorn has no setting for how it refuses, and looks these classes up by name.
    hypercorn.protocol.H11Protocol = RefusesInJsonRpc
    hypercorn.protocol.H2Protocol = OutlivesOddStreams
    config = Config()
    config.bind = [listen]
    config.graceful_timeout = grace_seconds
    config.keep_alive_timeout = IDLE_SECONDS
    config.h11_max_incomplete_size = LIMIT_HEAD_BYTES
    config.include_server_header = False
    config.errorlog = logging.getLogger("hypercorn.error")
    return config


class RefusesInJsonRpc(H11Protocol):
    """HTTP/1.1 whose own refusals a client of ours can read (field report D02); their cause follows from h11."""

    async def _send_error_response(self, status_code: int) -> None:
        reason = _REASONS.get(status_code, "the HTTP request is malformed")
        reply = reject(refuse(status_code, INVALID_REQUEST, f"Invalid request: {reason}"))
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(reply.body)),
            (b"cache-control", b"no-store"),
            (b"connection", b"close"),
            *self.config.response_headers("h11"),
        ]
        await self._send_h11_event(h11.Response(status_code=status_code, headers=headers))
        await self._send_h11_event(h11.Data(data=reply.body))
        await self._send_h11_event(h11.EndOfMessage())


class OutlivesOddStreams(H2Protocol):
    """HTTP/2 where one stream cannot end the others: Hypercorn fails on a path that is no text and on late data."""

    async def _handle_events(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, RequestReceived) and not _is_text(event):
                self.connection.reset_stream(event.stream_id, ErrorCodes.PROTOCOL_ERROR)
            elif isinstance(event, DataReceived) and event.stream_id not in self.streams:
                self.connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            else:
                await super()._handle_events([event])
        await self._flush()


def _is_text(request: RequestReceived) -> bool:
    return all(value.isascii() for name, value in request.headers if name in (b":path", b":method"))
