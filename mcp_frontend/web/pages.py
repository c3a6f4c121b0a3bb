"""The Quart app beside the endpoint: health for probes, the metadata document, and a plain 404 for the rest.

Health looks at neither Host nor token: probes come by address and have none.
"""

from collections.abc import Awaitable, Callable

from quart import Quart, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from mcp_frontend.oauth.metadata import WELL_KNOWN_PATH
from mcp_frontend.protocol.errors import INVALID_REQUEST
from mcp_frontend.protocol.replies import reject
from mcp_frontend.web.admission import refuse

_NO_STORE = {"Cache-Control": "no-store"}

# Clients send MCP-Protocol-Version along, so a browser asks first.
_OPEN_TO_ALL = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, OPTIONS",
    "Access-Control-Allow-Headers": "Accept, Authorization, Content-Type, MCP-Protocol-Version",
}

IsReady = Callable[[], Awaitable[bool]]


def create_pages(*, metadata_document: bytes, metadata_path: str, is_ready: IsReady) -> Quart:
    """Every route that is not the MCP endpoint."""
    pages = Quart(__name__)

    @pages.get("/livez")
    async def livez() -> Response:
        return _json(b'{"status":"ok"}')

    @pages.get("/readyz")
    async def readyz() -> Response:
        if await is_ready():
            return _json(b'{"status":"ok"}')
        return _json(b'{"status":"the tool service does not answer"}', 503)

    async def protected_resource_metadata() -> Response:
        response = Response(b"", 204) if request.method == "OPTIONS" else _json(metadata_document)
        response.headers.update(_OPEN_TO_ALL)
        return response

    # Every form: some clients look below the well-known path, some only at the root.
    for path in sorted({WELL_KNOWN_PATH, f"{WELL_KNOWN_PATH}/", metadata_path}):
        pages.add_url_rule(path, "metadata", protected_resource_metadata, methods=["GET", "OPTIONS"])

    @pages.errorhandler(404)
    @pages.errorhandler(405)
    async def nothing_here(error: HTTPException) -> Response:
        # JSON-RPC too: a client that was given a wrong URL probes with messages (field report D02).
        refusal = reject(
            refuse(error.code or 404, INVALID_REQUEST, "There is nothing here. The MCP endpoint is POST /")
        )
        response = _json(refusal.body, refusal.status)
        if isinstance(error, MethodNotAllowed) and error.valid_methods:
            response.headers["Allow"] = ", ".join(sorted(error.valid_methods))
        return response

    return pages


def _json(body: bytes, status: int = 200) -> Response:
    return Response(body, status, _NO_STORE, content_type="application/json")
