"""CORS of the endpoint: what lets a browser on an allowed origin in. Pure.

No credentials flag: the bearer token is the only credential, and no cookie counts here.
"""

from mcp_frontend.protocol.headers import Headers
from mcp_frontend.web.admission import ALLOWED_METHODS

_ALLOWED_HEADERS = (
    "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID"
)
_EXPOSED_HEADERS = "WWW-Authenticate, MCP-Protocol-Version, Retry-After, Request-Id"
_PREFLIGHT_SECONDS = 10 * 60


def cors_headers(headers: Headers) -> dict[str, str]:
    """For every reply to a request whose origin was admitted; empty when it named none."""
    origins = headers.values("origin")
    if len(origins) != 1:
        return {}
    return {
        "Access-Control-Allow-Origin": origins[0],
        "Access-Control-Expose-Headers": _EXPOSED_HEADERS,
        "Vary": "Origin",
    }


def preflight_headers() -> dict[str, str]:
    """For the answer to OPTIONS, beside those above."""
    return {
        "Allow": ALLOWED_METHODS,
        "Access-Control-Allow-Methods": ALLOWED_METHODS,
        "Access-Control-Allow-Headers": _ALLOWED_HEADERS,
        "Access-Control-Max-Age": str(_PREFLIGHT_SECONDS),
    }
