"""The OpenAPI 3.1 document of /api/v1, made of the registry."""

from typing import Any

from tool_service.domain.error_catalogue import CATALOGUE
from tool_service.domain.schema import NoContent, Page, json_schema
from tool_service.registry import Operation, Registry

_ERROR_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["status", "errors", "request_id", "retry_after"],
    "properties": {
        "status": {"type": "integer"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["code", "title", "param", "detail", "hint"],
                "properties": {
                    "code": {"type": "string", "enum": sorted(CATALOGUE)},
                    "title": {"type": "string", "description": "In the caller's language."},
                    "param": {"type": ["string", "null"], "description": "Which argument, such as input_file_ids[0]."},
                    "detail": {"type": "string", "description": "In the caller's language."},
                    "hint": {"type": ["string", "null"], "description": "The next step, in English."},
                },
            },
        },
        "request_id": {"type": "string"},
        "retry_after": {"type": ["integer", "null"], "description": "Seconds."},
    },
}


def openapi_document(registry: Registry, server_url: str, version: str) -> dict[str, Any]:
    """The document as a JSON value; equal registries give equal documents."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in sorted(registry.operations, key=lambda each: (each.route.path, each.route.method)):
        paths.setdefault(operation.route.path, {})[operation.route.method.lower()] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Kadu API",
            "version": version,
            "description": "Kadu, the Kobana financial agent. Every route is also an MCP tool.",
        },
        "servers": [{"url": server_url}],
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
            "schemas": {"Error": _ERROR_SCHEMA},
        },
    }


def _described(operation: Operation) -> dict[str, Any]:
    schema = json_schema(operation.arguments)
    in_path = {name for name in schema["properties"] if f"{{{name}}}" in operation.route.path}
    in_query = operation.route.method in {"GET", "DELETE"}
    parameters = [
        _parameter(name, each, name in in_path, schema)
        for name, each in schema["properties"].items()
        if name in in_path or in_query
    ]
    if operation.accepts_idempotency_key and operation.route.method != "DELETE":
        parameters.append(
            {
                "name": "X-Idempotency-Key",
                "in": "header",
                "required": False,
                "description": "Makes a repetition of this call answer what the first one did, for 24 hours.",
                "schema": {"type": "string", "minLength": 1, "maxLength": 255},
            }
        )
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.title,
        "description": operation.description,
        "tags": [operation.name.partition("_")[0]],
        "parameters": parameters,
        "responses": {**_success(operation), "default": _failure()},
        "x-kadu-scope": operation.scope,
        "x-kadu-role": operation.role.value,
    }
    if not in_query:
        described["requestBody"] = _body(schema, in_path)
    return described


def _parameter(name: str, schema: dict[str, Any], in_path: bool, whole: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "in": "path" if in_path else "query",
        "required": in_path or name in whole.get("required", []),
        "description": schema.get("description", ""),
        "schema": {key: value for key, value in schema.items() if key != "description"},
    }


def _body(schema: dict[str, Any], in_path: set[str]) -> dict[str, Any]:
    required = [name for name in schema.get("required", []) if name not in in_path]
    properties = {name: each for name, each in schema["properties"].items() if name not in in_path}
    body = {**schema, "properties": properties, "required": required}
    return {"required": bool(required), "content": {"application/json": {"schema": body}}}


def _success(operation: Operation) -> dict[str, Any]:
    if operation.answer is NoContent or operation.view is None:
        return {"204": {"description": "Done."}}
    view = json_schema(operation.view, mode="serialization")
    if operation.answer is Page:
        meta = {
            "type": "object",
            "required": ["next_cursor", "limit"],
            "properties": {"next_cursor": {"type": ["string", "null"]}, "limit": {"type": "integer"}},
        }
        body = {"data": {"type": "array", "items": view}, "meta": meta}
    else:
        body = {"data": view}
    schema = {"type": "object", "required": list(body), "properties": body}
    answer = {"description": operation.title, "content": {"application/json": {"schema": schema}}}
    return {str(status): answer for status in operation.success_statuses}


def _failure() -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {"description": "What the caller can act on.", "content": content}
