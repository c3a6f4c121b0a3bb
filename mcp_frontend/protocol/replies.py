"""HTTP answers round JSON-RPC, as far as all eras say the same: results, failures, rejections.

A Reply carries the headers that the protocol decides (MCP-Protocol-Version, Retry-After). Content-Type,
Cache-Control, CORS, Allow and the OAuth challenge are the web room's.
"""

from collections.abc import Mapping
from typing import Any

from mcp_frontend.protocol import headers, jsonrpc
from mcp_frontend.protocol.errors import INSUFFICIENT_SCOPE, STATUS_BEFORE_HANDLER, STATUS_OF_HANDLER
from mcp_frontend.protocol.model import Exchange, Failed, Rejected, Reply, ScopeMissing


def result_reply(exchange: Exchange, result: bytes) -> Reply:
    """200 with a result object that is JSON already."""
    return Reply(
        STATUS_OF_HANDLER, jsonrpc.frame_result(exchange.id, result), {headers.PROTOCOL_VERSION: exchange.version}
    )


def failed_reply(exchange: Exchange, failed: Failed) -> Reply:
    """A handler's error, on 200 unless it was decided before the handler."""
    status = STATUS_BEFORE_HANDLER.get(failed.code, 400) if failed.before_handler else STATUS_OF_HANDLER
    return reject(
        Rejected(
            failed.code,
            failed.message,
            exchange.id,
            failed.data,
            status,
            exchange.version,
            failed.retry_after_seconds,
        )
    )


def scope_missing_reply(exchange: Exchange, missing: ScopeMissing) -> Reply:
    """403 that names the scopes; the web room adds the challenge, since it knows where the metadata is."""
    return reject(
        Rejected(
            INSUFFICIENT_SCOPE,
            "Insufficient scope",
            exchange.id,
            {"requiredScopes": sorted(missing.required_scopes)},
            STATUS_BEFORE_HANDLER[INSUFFICIENT_SCOPE],
            exchange.version,
        )
    )


def reject(rejected: Rejected) -> Reply:
    """The one way to say no, for messages and for whole HTTP requests.

    Whatever the status, the body is a JSON-RPC error, so a client that probes for an era understands it.
    """
    data: Mapping[str, Any] | None = rejected.data
    reply_headers: dict[str, str] = {}
    if rejected.version is not None:
        reply_headers[headers.PROTOCOL_VERSION] = rejected.version
    if rejected.retry_after_seconds is not None:
        reply_headers["Retry-After"] = str(rejected.retry_after_seconds)
        data = {**(data or {}), "retryAfter": rejected.retry_after_seconds}
    body = jsonrpc.frame_error(rejected.id, rejected.code, rejected.message, data)
    return Reply(rejected.status, body, reply_headers)
