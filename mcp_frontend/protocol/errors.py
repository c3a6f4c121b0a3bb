"""Messages that are wrong, and the one table from an error code to an HTTP status.

Codes from -32768 to -32000 are JSON-RPC's and MCP's; ours lie outside (protocol.md 0.2, 1.9).
"""

from typing import Any

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND_2025 = -32002
HEADER_MISMATCH = -32020
UNSUPPORTED_PROTOCOL_VERSION = -32022
RATE_LIMITED = -31000
SERVICE_UNAVAILABLE = -31001
UNAUTHENTICATED = -31002
INSUFFICIENT_SCOPE = -31003
ORIGIN_REFUSED = -31004

# Of errors decided before a handler runs. A handler's own ride on 200, because clients of
# the 2025 era turn every other status into a broken connection (protocol.md 1.9).
STATUS_BEFORE_HANDLER: dict[int, int] = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    INVALID_PARAMS: 400,
    METHOD_NOT_FOUND: 404,
    HEADER_MISMATCH: 400,
    UNSUPPORTED_PROTOCOL_VERSION: 400,
    UNAUTHENTICATED: 401,
    INSUFFICIENT_SCOPE: 403,
    ORIGIN_REFUSED: 403,
    RATE_LIMITED: 429,
    SERVICE_UNAVAILABLE: 503,
    INTERNAL_ERROR: 500,
}


class ProtocolError(Exception):
    """The message is wrong; `message` is one short sentence for the client's author."""

    def __init__(self, code: int, message: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
