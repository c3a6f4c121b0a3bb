"""The HTTP application of the tool service: /api/v1, OpenAPI, the issuer's keys, health."""

import json
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from typing import Any

import structlog
from quart import Blueprint, Quart, Response
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound, RequestEntityTooLarge

from tool_service.domain.errors import InvalidArguments, OperationError
from tool_service.domain.errors import NotFound as RecordNotFound
from tool_service.registry import Registry
from tool_service.rest_api.openapi import openapi_document
from tool_service.rest_api.routes import PREFIX, error_response, request_id

BODY_LIMIT_BYTES = 1024 * 1024
_log = structlog.get_logger(__name__)


class NoSuchMethod(OperationError):
    def __init__(self) -> None:
        super().__init__("method_not_allowed")


class InternalError(OperationError):
    def __init__(self) -> None:
        super().__init__("internal_error")


def create_rest_app(
    blueprints: Sequence[Blueprint],
    registry: Registry,
    public_url: str,
    version: str,
    public_keys: dict[str, Any],
    ready: Callable[[], Awaitable[bool]],
) -> Quart:
    """The application; `ready` says whether the database answers."""
    app = Quart("tool_service")
    app.config["MAX_CONTENT_LENGTH"] = BODY_LIMIT_BYTES
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    for blueprint in blueprints:
        app.register_blueprint(blueprint)

    @cache
    def openapi() -> bytes:
        document = openapi_document(registry, public_url + PREFIX, version)
        return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()

    keys = json.dumps(public_keys, separators=(",", ":")).encode()

    @app.get(f"{PREFIX}/openapi.json")
    async def openapi_json() -> Response:
        return Response(openapi(), content_type="application/json")

    @app.get("/.well-known/jwks.json")
    async def jwks() -> Response:
        return Response(keys, content_type="application/jwk-set+json")

    @app.get("/livez")
    async def livez() -> Response:
        return Response("ok\n", content_type="text/plain")

    @app.get("/readyz")
    async def readyz() -> Response:
        if await ready():
            return Response("ok\n", content_type="text/plain")
        return Response("the database does not answer\n", 503, {"Retry-After": "1"}, content_type="text/plain")

    @app.errorhandler(HTTPException)
    async def refused(error: HTTPException) -> Response:
        response = error_response(_operation_error(error))
        if isinstance(error, MethodNotAllowed):
            response.headers["Allow"] = ", ".join(sorted(error.valid_methods or ()))
        return response

    @app.errorhandler(Exception)
    async def failed(error: Exception) -> Response:
        _log.error("request failed", request_id=request_id(), exc_info=error)
        return error_response(InternalError())

    @app.after_request
    async def finish(response: Response) -> Response:
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers["Request-Id"] = request_id()
        return response

    return app


def _operation_error(error: HTTPException) -> OperationError:
    match error:
        case NotFound():
            return RecordNotFound()
        case MethodNotAllowed():
            return NoSuchMethod()
        case RequestEntityTooLarge():
            return InvalidArguments("payload_too_large")
        case _:
            return InvalidArguments("bad_request")
