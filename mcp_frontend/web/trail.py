"""How far one request has come: what the log line tells of it, and the answer when something breaks on the way."""

import time
from dataclasses import dataclass, field

import structlog

from mcp_frontend.caller import Caller
from mcp_frontend.protocol.errors import INTERNAL_ERROR, STATUS_OF_HANDLER
from mcp_frontend.protocol.headers import Headers
from mcp_frontend.protocol.model import CallTool, Exchange, Outcome, Rejected, Reply
from mcp_frontend.protocol.replies import reject

_LIMIT_LOGGED_NAME = 128
_LIMIT_LOGGED_REASON = 256

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Trail:
    """Filled in on the way; what is None was not reached."""

    request_id: str
    method: str
    headers: Headers
    cors: dict[str, str] = field(default_factory=dict)
    caller: Caller | None = None
    exchange: Exchange | None = None
    outcome: Outcome | None = None
    rejected: Rejected | None = None
    started: float = field(default_factory=time.perf_counter)

    def reject(self, rejected: Rejected) -> Reply:
        """The request ends here, and its log line says why."""
        self.rejected = rejected
        return reject(rejected)

    def log(self, reply: Reply) -> None:
        """One line per request: who asked for what and how it ended; no token, argument, state or answer."""
        exchange, caller = self.exchange, self.caller
        called = exchange.request if exchange else None
        _log.info(
            "request",
            request_id=self.request_id,
            method=self.method,
            status=reply.status,
            milliseconds=round((time.perf_counter() - self.started) * 1000, 1),
            asked=type(called).__name__ if called else None,
            tool=called.name[:_LIMIT_LOGGED_NAME] if isinstance(called, CallTool) else None,
            version=exchange.version if exchange else None,
            rejected=self.rejected.message[:_LIMIT_LOGGED_REASON] if self.rejected else None,
            outcome=type(self.outcome).__name__ if self.outcome else None,
            client_id=caller.client_id if caller else None,
            organization_id=caller.organization_id if caller else None,
        )

    def broken(self) -> Reply:
        """The answer to a request that we failed: its id to ask us about, never the cause.

        A handler's fault rides on 200 like every handler's error; without an exchange there was no handler.
        """
        message_id, version = (self.exchange.id, self.exchange.version) if self.exchange else (None, None)
        status = STATUS_OF_HANDLER if self.exchange else 500
        data = {"requestId": self.request_id}
        return self.reject(Rejected(INTERNAL_ERROR, "Internal error", message_id, data, status, version))
