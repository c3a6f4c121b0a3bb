"""The Quart app beside the endpoint: health for probes, the metadata documents, people's pages, and a 404 for the rest.

Health looks at neither Host nor token: probes come by address and have none.
"""

from collections.abc import Awaitable, Callable, Sequence

from quart import Blueprint, Quart, Response, has_request_context, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from mcp_frontend.oauth.metadata import WELL_KNOWN_PATH
from mcp_frontend.oauth.ports import IssuerSource, IssuerUnavailable
from mcp_frontend.protocol.errors import INVALID_REQUEST
from mcp_frontend.protocol.replies import reject
from mcp_frontend.web.admission import refuse
from mcp_frontend.web.html import page
from mcp_frontend.web.routing import is_browser

_NO_STORE = {"Cache-Control": "no-store"}

# Clients send MCP-Protocol-Version along, so a browser asks first.
_OPEN_TO_ALL = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, OPTIONS",
    "Access-Control-Allow-Headers": "Accept, Authorization, Content-Type, MCP-Protocol-Version",
}

IsReady = Callable[[], Awaitable[bool]]

# Clients of the oldest revision, and some younger ones, look for the issuer's metadata at the resource's own origin.
_ISSUER_METADATA_PATHS = ("/.well-known/oauth-authorization-server", "/.well-known/openid-configuration")


def create_pages(
    *,
    metadata_document: bytes,
    metadata_path: str,
    issuer: IssuerSource,
    is_ready: IsReady,
    blueprints: Sequence[Blueprint],
) -> Quart:
    """Every route that is not the MCP endpoint; the blueprints are what people see."""
    pages = Quart(__name__, static_folder=None)
    for blueprint in blueprints:
        pages.register_blueprint(blueprint)

    @pages.get("/livez")
    async def livez() -> Response:
        return _json(b'{"status":"ok"}')

    @pages.get("/readyz")
    async def readyz() -> Response:
        if await is_ready():
            return _json(b'{"status":"ok"}')
        return _json(b'{"status":"the tool service does not answer"}', 503)

    async def protected_resource_metadata() -> Response:
        return _open_to_all(_json(metadata_document))

    async def issuer_metadata() -> Response:
        try:
            return _open_to_all(_json((await issuer.metadata()).document))
        except IssuerUnavailable as unavailable:
            response = _open_to_all(_json(b'{"error":"temporarily_unavailable"}', 503))
            response.headers["Retry-After"] = str(unavailable.retry_after_seconds)
            return response

    async def preflight() -> Response:
        return _open_to_all(Response(b"", 204))

    # Every form: some clients look below the well-known path, some only at the root.
    places = dict.fromkeys((WELL_KNOWN_PATH, f"{WELL_KNOWN_PATH}/", metadata_path), protected_resource_metadata)
    places |= dict.fromkeys(_ISSUER_METADATA_PATHS, issuer_metadata)
    for path, view in places.items():
        pages.add_url_rule(path, view.__name__, view, methods=["GET"], provide_automatic_options=False)
        pages.add_url_rule(path, "preflight", preflight, methods=["OPTIONS"], provide_automatic_options=False)

    @pages.errorhandler(404)
    @pages.errorhandler(405)
    async def nothing_here(error: HTTPException) -> Response:
        # A web socket comes here as well, and has no request.
        if has_request_context() and is_browser(request.headers.get("Accept", "")):
            return _with_allow(
                page("message.html", error.code or 404, title="nothing_here", lead="nothing_here_lead"), error
            )
        # JSON-RPC too: a client that was given a wrong URL probes with messages (field report D02).
        refusal = reject(
            refuse(error.code or 404, INVALID_REQUEST, "There is nothing here. The MCP endpoint is POST /")
        )
        return _with_allow(_json(refusal.body, refusal.status), error)

    @pages.errorhandler(500)
    async def our_fault(error: Exception) -> Response:
        # The cause stands in the log, under the request.
        if is_browser(request.headers.get("Accept", "")):
            return page("message.html", 500, title="our_fault", lead="our_fault_lead")
        return _json(b'{"error":"internal_error"}', 500)

    return pages


def _with_allow(response: Response, error: HTTPException) -> Response:
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods))
    return response


def _open_to_all(response: Response) -> Response:
    response.headers.update(_OPEN_TO_ALL)
    return response


def _json(body: bytes, status: int = 200) -> Response:
    return Response(body, status, _NO_STORE, content_type="application/json")
