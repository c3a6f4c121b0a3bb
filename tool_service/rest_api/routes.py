"""Every route of /api/v1: a loop over the registry. No operation is named here."""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from uuid import uuid4

import structlog
from quart import Blueprint, Response, request

from tool_service.authorization_server.tokens import AccessTokens, TokenRefused
from tool_service.db.engine import DatabaseUnavailable
from tool_service.dispatcher import Answered, Dispatcher, Invocation, Refused
from tool_service.dispatcher.bodies import error_body
from tool_service.domain.caller import Identity
from tool_service.domain.error_catalogue import CATALOGUE
from tool_service.domain.errors import Conflict, InvalidArguments, LimitExceeded, OperationError, PermissionDenied
from tool_service.domain.language import Localized, choose_language
from tool_service.domain.organizations import NotAMember
from tool_service.domain.schema import json_schema
from tool_service.ports import ObjectStoreUnavailable
from tool_service.registry import Operation
from tool_service.rest_api.arguments import arguments_of_body, arguments_of_query

PREFIX = "/api/v1"
REQUEST_ID_LIMIT = 100
_ETAG = re.compile(r'(?:W/)?"([1-9][0-9]{0,8})"')
_log = structlog.get_logger(__name__)


class Unauthorized(PermissionDenied):
    def __init__(self) -> None:
        super().__init__("unauthorized")


class UnsupportedMediaType(InvalidArguments):
    def __init__(self) -> None:
        super().__init__("unsupported_media_type")


class Unavailable(LimitExceeded):
    def __init__(self) -> None:
        super().__init__("service_unavailable", retry_after_seconds=1)


def api_blueprint(dispatcher: Dispatcher, tokens: AccessTokens, audience: str) -> Blueprint:
    """The routes of every operation; `audience` is what a token for this face is made out to."""
    blueprint = Blueprint("api", __name__, url_prefix=PREFIX)
    for operation in dispatcher.registry.operations:
        blueprint.add_url_rule(
            operation.route.path.replace("{", "<").replace("}", ">"),
            endpoint=operation.name,
            view_func=_view(operation, dispatcher, tokens, audience),
            methods=[operation.route.method],
            provide_automatic_options=False,
        )
    return blueprint


def request_id() -> str:
    """The client's own id of the request, else a fresh one; the same within one request."""
    given = request.headers.get("Request-Id", "")
    if given.isascii() and given.isprintable() and 0 < len(given) <= REQUEST_ID_LIMIT:
        return given
    if not hasattr(request, "_fresh_request_id"):
        request._fresh_request_id = uuid4().hex  # type: ignore[attr-defined]
    return request._fresh_request_id  # type: ignore[attr-defined]


def error_response(error: OperationError) -> Response:
    """The error in the house's shape, for a request that no operation has seen."""
    language = choose_language(request.headers.get("Accept-Language", ""))
    response = Response(
        error_body(error, language, request_id()), CATALOGUE[error.code].status, content_type="application/json"
    )
    response.headers["Content-Language"] = language.value
    if error.retry_after_seconds is not None:
        response.headers["Retry-After"] = str(error.retry_after_seconds)
    if isinstance(error, Unauthorized):
        # RFC 6750 3.1: who sent no credentials learns no error of them.
        fault = ', error="invalid_token"' if "Authorization" in request.headers else ""
        response.headers["WWW-Authenticate"] = f'Bearer realm="kadu"{fault}'
    return response


def _view(
    operation: Operation, dispatcher: Dispatcher, tokens: AccessTokens, audience: str
) -> Callable[..., Awaitable[Response]]:
    schema = json_schema(operation.arguments)

    async def view(**path: str) -> Response:
        try:
            identity = _identity(tokens, audience)
            arguments = {**await _arguments(operation, schema), **path}
            outcome = await dispatcher.call(
                Invocation(
                    operation=operation,
                    identity=identity,
                    arguments=arguments,
                    request_id=request_id(),
                    accept_language=request.headers.get("Accept-Language", ""),
                    idempotency_key=_idempotency_key(operation),
                )
            )
        except NotAMember:
            return error_response(Unauthorized())
        except OperationError as error:
            return error_response(error)
        except (DatabaseUnavailable, ObjectStoreUnavailable) as error:
            _log.warning("unavailable", operation=operation.name, request_id=request_id(), exc_info=error)
            return error_response(Unavailable())
        assert isinstance(outcome, Answered | Refused)
        return _response(outcome)

    return view


def _identity(tokens: AccessTokens, audience: str) -> Identity:
    credentials = request.headers.getlist("Authorization")
    scheme, _, token = (credentials[0] if len(credentials) == 1 else "").partition(" ")
    if scheme.lower() != "bearer":
        raise Unauthorized()
    try:
        return tokens.verify(token.strip(), audience)
    except TokenRefused as error:
        raise Unauthorized() from error


async def _arguments(operation: Operation, schema: Mapping[str, Any]) -> dict[str, Any]:
    if operation.route.method in {"GET", "DELETE"}:
        return arguments_of_query(request.args.items(multi=True), _without_path(operation, schema))
    if request.args:
        return arguments_of_query(request.args.items(multi=True), {"properties": {}})
    body = await request.get_data(as_text=False)
    assert isinstance(body, bytes)
    if body and request.mimetype != "application/json":
        raise UnsupportedMediaType()
    arguments = arguments_of_body(body)
    if "id" in arguments and "{id}" in operation.route.path:
        twice = Localized(pt="O id vem no caminho.", en="The id comes in the path.")
        raise InvalidArguments("validation_error", twice, param="id")
    if "version" in schema["properties"] and (tag := request.headers.get("If-Match", "*").strip()) != "*":
        version = _version_of(tag)
        if version is None or arguments.setdefault("version", version) != version:
            raise Conflict("version_conflict", param="version")
    return arguments


def _without_path(operation: Operation, schema: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: each for name, each in schema["properties"].items() if f"{{{name}}}" not in operation.route.path}
    return {"properties": kept}


def _version_of(tag: str) -> int | None:
    """The version that an ETag of ours names, also one that a proxy made weak; None for one that is not ours."""
    found = _ETAG.fullmatch(tag)
    return None if found is None else int(found[1])


def _idempotency_key(operation: Operation) -> str | None:
    """The key of the request; as the house says, it means nothing where HTTP itself lets a client repeat."""
    ignored = operation.route.method in {"GET", "DELETE"}
    return None if ignored else request.headers.get("X-Idempotency-Key")


def _response(outcome: Answered | Refused) -> Response:
    response = Response(outcome.body, outcome.status, content_type="application/json")
    if not outcome.body:
        # RFC 9110 8.6 and 15.3.5: nothing is said of a body that there is not.
        response.headers.remove("Content-Type")
        response.headers.remove("Content-Length")
    if outcome.replayed:
        response.headers["X-Idempotent-Replay"] = "true"
    response.headers.update(outcome.headers)
    if isinstance(outcome, Refused) and outcome.retry_after_seconds is not None:
        response.headers["Retry-After"] = str(outcome.retry_after_seconds)
    return response
