"""The endpoints that programs call: discovery, registration, token, revocation. Open to scripts of every origin.

None of them looks at a cookie, so no origin gains anything that it did not bring itself (RFC 9700 2.6).
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import structlog
from quart import Blueprint, Response, request

from tool_service.authorization_server.issuer import Issuer
from tool_service.authorization_server.metadata import WELL_KNOWN_PATHS
from tool_service.authorization_server.provider import Answer, FormRequest
from tool_service.db.engine import DatabaseUnavailable

FORM = "application/x-www-form-urlencoded"
_OPEN_TO_ALL = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, MCP-Protocol-Version",
}
_log = structlog.get_logger(__name__)


def endpoints_blueprint(issuer: Issuer, metadata: Mapping[str, Any], *, signs_people_in: bool) -> Blueprint:
    """Routes whose every answer is JSON; where nobody signs in, only those that programs with a secret need."""
    blueprint = Blueprint("issuer_endpoints", __name__)
    document = json.dumps(metadata).encode()

    async def discovery() -> Response:
        return Response(document, content_type="application/json")

    discoverable = WELL_KNOWN_PATHS if signs_people_in else ()
    for path in discoverable:
        blueprint.add_url_rule(path, "discovery", discovery, methods=["GET"], provide_automatic_options=False)

    async def token() -> Response:
        return await _form_endpoint(issuer.token)

    async def revoke() -> Response:
        return await _form_endpoint(issuer.revoke)

    async def register() -> Response:
        try:
            said = json.loads(await request.get_data(as_text=True))
        except (ValueError, RecursionError):
            return _json(400, {"error": "invalid_client_metadata", "error_description": "The body is not JSON."})
        return _answered(await issuer.register(said))

    async def preflight() -> Response:
        return Response(b"", 204)

    views = {"/token": token, "/revoke": revoke, **({"/register": register} if signs_people_in else {})}
    for path, view in views.items():
        blueprint.add_url_rule(path, view.__name__, view, methods=["POST"], provide_automatic_options=False)
    for path in (*views, *discoverable):
        blueprint.add_url_rule(path, "preflight", preflight, methods=["OPTIONS"], provide_automatic_options=False)

    @blueprint.errorhandler(DatabaseUnavailable)
    async def unavailable(error: DatabaseUnavailable) -> Response:
        _log.warning("unavailable", path=request.path, exc_info=error)
        response = _json(503, {"error": "temporarily_unavailable", "error_description": "Try again in a moment."})
        response.headers["Retry-After"] = "1"
        return response

    @blueprint.after_request
    async def open_to_all(response: Response) -> Response:
        response.headers.update(_OPEN_TO_ALL)
        return response

    return blueprint


async def _form_endpoint(endpoint: Callable[[FormRequest], Awaitable[Answer]]) -> Response:
    if request.mimetype != FORM:
        return _json(400, {"error": "invalid_request", "error_description": f"Send the parameters as {FORM}."})
    values = {name: each for name, each in (await request.form).lists() if name}
    # RFC 6749 3.2: none more than once. RFC 8707 2 lets a client name several resources.
    if any(len(each) > 1 for name, each in values.items() if name != "resource"):
        return _json(400, {"error": "invalid_request", "error_description": "A parameter came more than once."})
    authorization = request.headers.get("Authorization")
    headers = {} if authorization is None else {"Authorization": authorization}
    return _answered(await endpoint(FormRequest("POST", request.path, values, headers)))


def _answered(answer: Answer) -> Response:
    response = _json(answer.status, answer.body)
    # Authlib's own say the media type again, and caching is said for all.
    response.headers.update({k: v for k, v in answer.headers.items() if k not in ("Content-Type", "Cache-Control")})
    return response


def _json(status: int, body: Any) -> Response:
    content = json.dumps(body or {}, ensure_ascii=False).encode()
    return Response(
        content, status, {"Cache-Control": "no-store", "Pragma": "no-cache"}, content_type="application/json"
    )
