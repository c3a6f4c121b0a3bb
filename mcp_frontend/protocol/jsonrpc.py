"""JSON-RPC 2.0 without a transport: bytes to one message, one result or error to bytes.

Knows nothing of MCP: no method, no version, no header. A batch is no message.
Spec: basic/index.mdx of the newest revision (Messages).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

import jiter
from pydantic_core import to_json

from mcp_frontend.protocol.errors import INVALID_REQUEST, PARSE_ERROR, ProtocolError

RequestId = str | int


@dataclass(frozen=True, slots=True)
class RequestMessage:
    """A message that wants an answer. `params` is empty when the member is absent."""

    id: RequestId
    method: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NotificationMessage:
    """A message that wants none: the object has no `id` member at all."""

    method: str


def decode(body: bytes) -> Any:
    """The JSON value of a complete body, with integers exact.

    Raises:
        ProtocolError: -32700 for anything that two parsers could read differently or not at all: bad UTF-8,
            a byte order mark, lone surrogates, equal keys in one object, numbers beyond a double or of more
            than 4300 digits, nesting deeper than 200.
    """
    try:
        value = jiter.from_json(body, allow_inf_nan=False, catch_duplicate_keys=True, cache_mode="keys")
    except ValueError as error:
        raise ProtocolError(PARSE_ERROR, "Parse error: the body is not valid JSON") from error
    if _holds_non_finite(value):
        raise ProtocolError(PARSE_ERROR, "Parse error: a number is out of range")
    return value


def readable_id(value: Any) -> RequestId | None:
    """The id to echo, also when the rest of the message is wrong; None when there is none to read.

    The id of a posted response belongs to another exchange: echoed, it would look like the answer
    to a request of the client's own.
    """
    if not isinstance(value, dict) or _is_response(value):
        return None
    message_id = value.get("id")
    return message_id if _is_request_id(message_id) else None


def read_message(value: Any) -> RequestMessage | NotificationMessage:
    """The one message that a decoded body holds.

    Raises:
        ProtocolError: -32600 when it is no request and no notification.
    """
    if isinstance(value, list):
        raise _invalid("batches are not supported")
    if not isinstance(value, dict):
        raise _invalid("the body must be an object")
    if _is_response(value):
        raise _invalid("this server sends no requests, so it takes no responses")
    if value.get("jsonrpc") != "2.0":
        raise _invalid('jsonrpc must be "2.0"')
    method = value.get("method")
    if not isinstance(method, str):
        raise _invalid("method must be a string")
    params = value.get("params", {})
    if not isinstance(params, dict):
        raise _invalid("params must be an object")
    if "id" not in value:
        return NotificationMessage(method)
    message_id = value["id"]
    if not _is_request_id(message_id):
        raise _invalid("id must be a string or an integer")
    return RequestMessage(message_id, method, params)


def encode(value: Any) -> bytes:
    """Compact UTF-8 JSON; members keep their order."""
    return to_json(value)


def frame_result(message_id: RequestId, result: bytes) -> bytes:
    """A response round a result that is JSON already, so that a list is encoded once for many requests."""
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (encode(message_id), result)


def frame_error(message_id: RequestId | None, code: int, message: str, data: Mapping[str, Any] | None) -> bytes:
    """An error response; `data` is left out when it is None."""
    error: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return encode({"jsonrpc": "2.0", "id": message_id, "error": error})


def _is_request_id(value: Any) -> TypeGuard[RequestId]:
    # bool is an int in Python, and not in JSON.
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))


def _is_response(value: dict[str, Any]) -> bool:
    return "method" not in value and ("result" in value or "error" in value)


def _invalid(detail: str) -> ProtocolError:
    return ProtocolError(INVALID_REQUEST, f"Invalid request: {detail}")


def _holds_non_finite(value: Any) -> bool:
    # The parser reads 1e400 as infinity, which no JSON can carry further. A loop over a list that grows,
    # not recursion: every request pays for it, and depth must not end in a RecursionError.
    found = [value]
    for current in found:
        kind = type(current)
        if kind is dict:
            found.extend(current.values())
        elif kind is list:
            found.extend(current)
        elif kind is float and not math.isfinite(current):
            return True
    return False
