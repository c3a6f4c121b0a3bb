"""/connect: how to add this server to each known client; and what a person sees who opens the MCP URL itself."""

from urllib.parse import urlsplit

from quart import Blueprint, Response, send_from_directory

from mcp_frontend.web.admission import ALLOWED_METHODS
from mcp_frontend.web.html import FOLDER, page
from mcp_frontend.web.known_clients import known_clients
from mcp_frontend.web.routing import ENDPOINT_PAGE


def connect_blueprint(public_url: str) -> Blueprint:
    """Public: it tells nothing but the URL under which it is found itself."""
    blueprint = Blueprint("connect", __name__)
    clients = known_clients(public_url)
    is_local = urlsplit(public_url).hostname in ("localhost", "127.0.0.1", "::1")

    @blueprint.get("/connect")
    async def connect() -> Response:
        return page("connect.html", url=public_url, clients=clients, is_local=is_local)

    @blueprint.get(ENDPOINT_PAGE)
    async def endpoint() -> Response:
        # What a person sees who opens the endpoint (see Router); the status is the endpoint's.
        response = page("message.html", 405, title="endpoint", lead="endpoint_lead")
        response.headers["Allow"] = ALLOWED_METHODS
        return response

    @blueprint.get("/assets/<name>")
    async def asset(name: str) -> Response:
        response = await send_from_directory(FOLDER / "static", name)
        response.headers["Cache-Control"] = "public, max-age=3600"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response

    return blueprint
