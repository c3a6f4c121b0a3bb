"""The MCP endpoint: one JSON-RPC message in by POST, one JSON answer out.

A plain ASGI callable, because this is the hot path. It climbs the HTTP ladder
rung by rung, then negotiates, performs and renders; each of the three
lives in a room of its own.
"""

from collections.abc import Callable, Sequence

import structlog

from mcp_frontend.caller import Caller
from mcp_frontend.dispatch.perform import Effects, perform
from mcp_frontend.dispatch.ports import CallerRefused
from mcp_frontend.oauth.bearer import Authenticator
from mcp_frontend.oauth.challenge import NOT_RECOGNIZED, Challenge, insufficient_scope
from mcp_frontend.oauth.ports import IssuerUnavailable, MembersUnavailable
from mcp_frontend.protocol.errors import (
    INVALID_REQUEST,
    SERVICE_UNAVAILABLE,
    UNAUTHENTICATED,
)
from mcp_frontend.protocol.headers import Headers
from mcp_frontend.protocol.model import (
    Acknowledged,
    Era,
    Exchange,
    Rejected,
    Reply,
    RequestId,
    ScopeMissing,
)
from mcp_frontend.protocol.negotiation import negotiate
from mcp_frontend.web.admission import (
    ALLOWED_METHODS,
    LIMIT_BODY_BYTES,
    check_declared_length,
    check_media_type,
    check_method,
    check_origin_and_host,
    refuse,
    too_large,
)
from mcp_frontend.web.asgi import (
    Body,
    BodyTooLarge,
    BodyTooSlow,
    ClientGone,
    Receive,
    Scope,
    Send,
    finish,
    send_reply,
)
from mcp_frontend.web.call_details import details_of
from mcp_frontend.web.cors import cors_headers, preflight_headers
from mcp_frontend.web.origins import OwnPlaces
from mcp_frontend.web.trail import Trail

# How much of a body we go on taking in after the answer to it, and for how long. Closing on bytes that nobody
# read resets the connection, and a client that first sends all of its body never hears why it was refused.
LINGER_BYTES = 16 * 1024 * 1024
LINGER_SECONDS = 5.0

_log = structlog.get_logger(__name__)


class McpEndpoint:
    def __init__(
        self,
        *,
        places: OwnPlaces,
        authenticator: Authenticator,
        effects: Effects,
        metadata_url: str,
        new_request_id: Callable[[], str],
        body_deadline_seconds: float,
        eras: Sequence[Era],
    ) -> None:
        self._places = places
        self._authenticator = authenticator
        self._effects = effects
        self._metadata_url = metadata_url
        self._new_request_id = new_request_id
        self._body_deadline_seconds = body_deadline_seconds
        self._eras = eras

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        trail = Trail(self._new_request_id(), scope["method"], Headers(scope["headers"]))
        body = Body(receive)
        try:
            reply = await self._answer(trail, body)
        except ClientGone:
            return
        except Exception:
            # The rim: the cause goes to the log, the client gets the id to ask us about.
            _log.exception("request failed", request_id=trail.request_id)
            reply = trail.broken()
        trail.log(reply)
        content = b"" if trail.method == "HEAD" else reply.body
        # Whoever is too slow already is not waited for.
        lingers = not body.is_over and reply.status != 408
        try:
            await send_reply(send, reply.status, self._headers(scope, trail, reply).items(), content, more=lingers)
            if lingers:
                await body.discard(limit_bytes=LINGER_BYTES, deadline_seconds=LINGER_SECONDS)
                await finish(send)
        except OSError:
            # Nobody listens any more. What was done stays done, and its outcome is kept for a repeat.
            _log.info("client gone", request_id=trail.request_id)

    async def _answer(self, trail: Trail, body: Body) -> Reply:
        headers = trail.headers
        if (refused := check_origin_and_host(headers, self._places)) is not None:
            return trail.reject(refused)
        trail.cors = cors_headers(headers)
        if trail.method == "OPTIONS":
            return Reply(204, b"", preflight_headers())
        if (refused := check_method(trail.method)) is not None:
            return trail.reject(refused)
        try:
            caller = await self._authenticator.authenticate(headers.values("authorization"))
        except (IssuerUnavailable, MembersUnavailable) as unavailable:
            wait = unavailable.retry_after_seconds
            return trail.reject(
                Rejected(SERVICE_UNAVAILABLE, "Service unavailable", status=503, retry_after_seconds=wait)
            )
        if isinstance(caller, Challenge):
            return self._unauthenticated(trail, caller)
        trail.caller = caller
        if (refused := check_declared_length(headers) or check_media_type(headers)) is not None:
            return trail.reject(refused)
        try:
            content = await body.read(limit_bytes=LIMIT_BODY_BYTES, deadline_seconds=self._body_deadline_seconds)
        except BodyTooLarge:
            return trail.reject(too_large())
        except BodyTooSlow:
            return trail.reject(refuse(408, INVALID_REQUEST, "Request body did not arrive in time"))
        match negotiate(headers, content, self._eras):
            case Acknowledged():
                return Reply(202, b"")
            case Rejected() as rejected:
                return trail.reject(rejected)
            case Exchange() as exchange:
                trail.exchange = exchange
                return await self._exchange(exchange, caller, trail)

    async def _exchange(self, exchange: Exchange, caller: Caller, trail: Trail) -> Reply:
        details = details_of(exchange, trail.headers, trail.request_id)
        try:
            outcome = await perform(exchange, caller, details, self._effects)
        except CallerRefused:
            return self._unauthenticated(trail, NOT_RECOGNIZED, exchange.id)
        trail.outcome = outcome
        reply = exchange.era.render(exchange, outcome)
        if isinstance(outcome, ScopeMissing):
            return self._challenged(reply, insufficient_scope(outcome.required_scopes, caller.scopes))
        return reply

    def _unauthenticated(self, trail: Trail, challenge: Challenge, message_id: RequestId | None = None) -> Reply:
        message = challenge.description or "Authentication required"
        return self._challenged(trail.reject(Rejected(UNAUTHENTICATED, message, message_id, status=401)), challenge)

    def _challenged(self, reply: Reply, challenge: Challenge) -> Reply:
        challenge_header = {"WWW-Authenticate": challenge.header(self._metadata_url)}
        return Reply(reply.status, reply.body, {**reply.headers, **challenge_header})

    def _headers(self, scope: Scope, trail: Trail, reply: Reply) -> dict[str, str]:
        headers = {"Cache-Control": "no-store", "Request-Id": trail.request_id, **trail.cors, **reply.headers}
        if reply.body:
            headers["Content-Type"] = "application/json"
        if reply.status == 405:
            headers["Allow"] = ALLOWED_METHODS
        # The rest of such a body was not read. HTTP/2 has no such header: it ends the stream alone.
        if reply.status in (408, 413) and scope.get("http_version", "1.1").startswith("1"):
            headers["Connection"] = "close"
        return headers
