"""Raw MCP messages of each era, as a client posts them, and their answers, as a client reads them.

Written from the specification with the standard library alone, so a fault of our own codec cannot hide
behind itself.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from mcp_frontend.protocol.headers import Headers
from mcp_frontend.protocol.model import Acknowledged, Exchange, Outcome, Rejected, Reply
from mcp_frontend.protocol.negotiation import negotiate
from mcp_frontend.protocol.replies import reject
from tests.support.official_types import assert_official_reply

STATELESS = "2026-07-28"
HANDSHAKE = "2025-06-18"
FIRST_HANDSHAKE = "2025-03-26"
SERVED = [STATELESS, HANDSHAKE, FIRST_HANDSHAKE]

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
CLIENT_KEY = "io.modelcontextprotocol/clientInfo"
SERVER_KEY = "io.modelcontextprotocol/serverInfo"

# A type checker knows no type for an empty literal.
EMPTY_OBJECT: dict[str, Any] = {}
EMPTY_ARRAY: list[Any] = []

ENVELOPE: dict[str, Any] = {
    VERSION_KEY: STATELESS,
    CAPABILITIES_KEY: {},
    CLIENT_KEY: {"name": "wire-client", "version": "0.1.0"},
}
SERVER_META: dict[str, Any] = {SERVER_KEY: {"name": "kadu", "title": "Kadu", "version": "1.0.0"}}


@dataclass(frozen=True)
class Post:
    """One HTTP request to the endpoint: header lines in order, complete body."""

    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    def with_header(self, name: str, value: str | bytes) -> "Post":
        """The same with this one line of that name."""
        return self.without_header(name).and_header(name, value)

    def and_header(self, name: str, value: str | bytes) -> "Post":
        """The same with one more line, also where the name is there already."""
        line = (name.encode(), value if isinstance(value, bytes) else value.encode())
        return replace(self, headers=(*self.headers, line))

    def without_header(self, name: str) -> "Post":
        return replace(self, headers=tuple(line for line in self.headers if line[0].lower() != name.lower().encode()))


@dataclass(frozen=True)
class Answer:
    """What a client sees; `headers` holds those that the protocol decides."""

    status: int
    headers: Mapping[str, str]
    body: Any


def post(message: Any, headers: Mapping[str, str] | None = None) -> Post:
    """Any JSON value as a body; bytes go as they are."""
    body = message if isinstance(message, bytes) else json.dumps(message, ensure_ascii=False).encode()
    return Post(tuple((name.encode(), value.encode()) for name, value in (headers or {}).items()), body)


def request(method: str, params: Mapping[str, Any] | None = None, request_id: Any = 1) -> dict[str, Any]:
    """The message alone, without the `params` member when there are none."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return message if params is None else {**message, "params": params}


def stateless(
    method: str,
    params: Mapping[str, Any] | None = None,
    *,
    request_id: Any = 1,
    meta: Mapping[str, Any] | None = None,
    version: str = STATELESS,
) -> Post:
    """A 2026 request with envelope and mirrored headers; `meta` replaces the whole envelope."""
    params = params or {}
    headers = {"MCP-Protocol-Version": version, "Mcp-Method": method}
    name = params.get("uri" if method == "resources/read" else "name")
    if isinstance(name, str):
        headers["Mcp-Name"] = name
    envelope = {**ENVELOPE, VERSION_KEY: version} if meta is None else meta
    return post(request(method, {**params, "_meta": envelope}, request_id), headers)


def handshake(
    method: str, params: Mapping[str, Any] | None = None, *, request_id: Any = 1, version: str | None = HANDSHAKE
) -> Post:
    """A 2025 request; without the version header when `version` is None."""
    headers = {} if version is None else {"MCP-Protocol-Version": version}
    return post(request(method, params, request_id), headers)


def notification(method: str, params: Mapping[str, Any] | None = None, *, version: str | None = None) -> Post:
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    headers = {} if version is None else {"MCP-Protocol-Version": version}
    return post(message if params is None else {**message, "params": params}, headers)


def negotiated(message: Post) -> Exchange | Acknowledged | Rejected:
    return negotiate(Headers(message.headers), message.body)


def exchanged(message: Post) -> Exchange:
    """The exchange that a good message opens."""
    exchange = negotiated(message)
    assert isinstance(exchange, Exchange), exchange
    return exchange


def answered(message: Post, outcome: Outcome | None = None) -> Answer:
    """What the protocol answers when the handler, if one is reached, comes to this outcome.

    Every answer is held against the official types of its revision.
    """
    match negotiated(message):
        case Acknowledged():
            return Answer(202, {}, None)
        case Rejected() as rejected:
            return _judged(message, reject(rejected))
        case Exchange() as exchange:
            assert outcome is not None, exchange
            return _judged(message, exchange.era.render(exchange, outcome))


def _judged(message: Post, reply: Reply) -> Answer:
    assert_official_reply(message.body, reply.headers.get("MCP-Protocol-Version"), reply.body)
    return read_reply(reply)


def read_reply(reply: Reply) -> Answer:
    return Answer(reply.status, dict(reply.headers), json.loads(reply.body.decode("utf-8")))


def error_body(request_id: Any, code: int, message: str, data: Any = None) -> dict[str, Any]:
    """A JSON-RPC error, with `data` only where there is some."""
    error: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return {"jsonrpc": "2.0", "id": request_id, "error": error}
