"""Messages that are wrong, and the one table from an error code to an HTTP status.

Codes from -32768 to -32000 are JSON-RPC's and MCP's; ours lie outside.
Spec: basic/index.mdx of the newest revision (Error Codes).
"""

from collections.abc import Mapping, Sequence
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
# the 2025 era turn every other status into a broken connection.
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
STATUS_OF_HANDLER = 200


class ProtocolError(Exception):
    """The message is wrong; `message` is one short sentence for the client's author.

    `status` is a suggestion to whoever answers: the table's, unless an era has its own.
    """

    def __init__(
        self, code: int, message: str, data: Mapping[str, Any] | None = None, *, status: int | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.status = STATUS_BEFORE_HANDLER[code] if status is None else status


class HeaderMismatch(ProtocolError):
    """A routing header is missing, malformed, or says something else than the body."""

    def __init__(self, detail: str) -> None:
        super().__init__(HEADER_MISMATCH, f"Header mismatch: {detail}")


class UnsupportedVersion(ProtocolError):
    """The version that the message names is not served; the client may pick one of `served`."""

    def __init__(self, served: Sequence[str], requested: str) -> None:
        super().__init__(
            UNSUPPORTED_PROTOCOL_VERSION,
            "Unsupported protocol version",
            {"supported": list(served), "requested": requested},
        )


class InvalidEnvelope(ProtocolError):
    """What `params._meta` must say about the client is missing or of the wrong type: 400."""

    def __init__(self, message: str) -> None:
        super().__init__(INVALID_PARAMS, message)


class InvalidParams(ProtocolError):
    """The method's own params have the wrong shape: an answer like a handler's, so 200."""

    def __init__(self, message: str) -> None:
        super().__init__(INVALID_PARAMS, message, status=STATUS_OF_HANDLER)
