"""The official types as a judge: a body is valid when they accept it and would write it back unchanged."""

import json
from typing import Any

from mcp_types.jsonrpc import JSONRPCError, JSONRPCResponse
from mcp_types.methods import serialize_server_result


def assert_official_reply(asked: bytes, version: str | None, body: bytes) -> None:
    """The reply of the endpoint to that body, in the revision that its header names; empty ones are no messages."""
    reply = json.loads(body) if body else None
    match reply:
        case {"jsonrpc": _, "error": _}:
            assert_official_error(reply)
        case {"jsonrpc": _, "result": _}:
            assert version is not None
            assert_official_result(json.loads(asked)["method"], version, reply)
        case _:
            assert reply is None, reply


def assert_official_result(method: str, version: str, body: Any) -> None:
    """A result that is valid in that revision, without nulls and members that it does not define."""
    assert JSONRPCResponse.model_validate(body, strict=True).model_dump() == body
    # As text, since in Python 1 equals True and 1.0.
    assert _text(serialize_server_result(method, version, body["result"])) == _text(body["result"])


def assert_official_error(body: Any) -> None:
    """An error response; an id that could not be read may be null (JSON-RPC 2.0, and the page)."""
    assert JSONRPCError.model_validate(body, strict=True).model_dump(exclude_unset=True) == body


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
