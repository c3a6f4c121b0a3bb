"""Shapes of a method's params that every era demands alike.

One rule for absence: where a member is optional, null counts as absent, since serializers write it
so, unless the function says otherwise. Each function takes the params object and answers the member's value.
"""

from collections.abc import Mapping
from typing import Any

from mcp_frontend.protocol.errors import InvalidParams

Params = Mapping[str, Any]


def required_text(params: Params, name: str) -> str:
    """A member that must be there as a string.

    Raises:
        InvalidParams: it is missing or of another type.
    """
    value = params.get(name)
    if not isinstance(value, str):
        raise InvalidParams(f"Invalid params: {name} must be a string")
    return value


def optional_text(params: Params, name: str) -> str | None:
    """A member that may be there as a string.

    Raises:
        InvalidParams: it is of another type.
    """
    value = params.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidParams(f"Invalid params: {name} must be a string")
    return value


def optional_object(params: Params, name: str) -> Mapping[str, Any] | None:
    """A member that may be there as an object.

    Raises:
        InvalidParams: it is of another type.
    """
    value = params.get(name)
    if value is not None and not isinstance(value, dict):
        raise InvalidParams(f"Invalid params: {name} must be an object")
    return value


def required_object(params: Params, name: str) -> Mapping[str, Any]:
    """A member that must be there as an object.

    Raises:
        InvalidParams: it is missing or of another type.
    """
    value = params.get(name)
    if not isinstance(value, dict):
        raise InvalidParams(f"Invalid params: {name} must be an object")
    return value


def object_if_present(params: Params, name: str) -> Mapping[str, Any] | None:
    """A member that may be absent but, once there, is an object: here null is of the wrong type.

    Raises:
        InvalidParams: it is null or of another type.
    """
    if name not in params:
        return None
    value = params[name]
    if not isinstance(value, dict):
        raise InvalidParams(f"Invalid params: {name} must be an object")
    return value


def refuse_cursor(params: Params) -> None:
    """Lists have one page, so no cursor was ever handed out.

    Raises:
        InvalidParams: one is given, of whatever type.
    """
    if params.get("cursor") is not None:
        raise InvalidParams("Invalid params: unknown cursor")
