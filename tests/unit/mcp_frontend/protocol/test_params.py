"""The shapes that every era demands of params, and what counts as absent."""

from collections.abc import Callable
from typing import Any

import pytest

from mcp_frontend.protocol.errors import INVALID_PARAMS, InvalidParams
from mcp_frontend.protocol.params import (
    Params,
    object_if_present,
    optional_object,
    optional_text,
    refuse_cursor,
    required_object,
    required_text,
)
from tests.support.wire import EMPTY_ARRAY, EMPTY_OBJECT

OBJECT = {"a": 1}


@pytest.mark.parametrize(
    ("read", "params", "value"),
    [
        (required_text, {"m": ""}, ""),
        (required_text, {"m": "x"}, "x"),
        (optional_text, {}, None),
        (optional_text, {"m": None}, None),
        (optional_text, {"m": ""}, ""),
        (optional_object, {}, None),
        (optional_object, {"m": None}, None),
        (optional_object, {"m": OBJECT}, OBJECT),
        (required_object, {"m": {}}, {}),
        (required_object, {"m": OBJECT}, OBJECT),
        (object_if_present, {}, None),
        (object_if_present, {"m": {}}, {}),
    ],
)
def test_a_member_of_the_right_shape_is_answered(
    read: Callable[[Params, str], object], params: Params, value: object
) -> None:
    assert read(params, "m") == value


@pytest.mark.parametrize(
    ("read", "wrong", "shape"),
    [
        (required_text, [None, 1, True, [], {}], "a string"),
        (optional_text, [1, False, [], {}], "a string"),
        (optional_object, [1, 0, False, "", "{}", []], "an object"),
        (required_object, [None, 1, True, "{}", []], "an object"),
        (object_if_present, [None, 1, True, "{}", []], "an object"),
    ],
)
def test_a_member_of_another_shape_is_named_in_a_handlers_error(
    read: Callable[[Params, str], object], wrong: list[Any], shape: str
) -> None:
    for value in wrong:
        with pytest.raises(InvalidParams) as caught:
            read({"m": value}, "m")
        error = caught.value
        assert (error.code, error.status, error.message) == (INVALID_PARAMS, 200, f"Invalid params: m must be {shape}")


def test_a_required_member_must_be_there() -> None:
    with pytest.raises(InvalidParams, match=r"^Invalid params: m must be a string$"):
        required_text({"M": "x"}, "m")
    with pytest.raises(InvalidParams, match=r"^Invalid params: m must be an object$"):
        required_object({"M": {}}, "m")


def test_no_cursor_is_known_of_whatever_type() -> None:
    refuse_cursor({})
    refuse_cursor({"cursor": None})
    for cursor in ("", "abc", 0, False, EMPTY_OBJECT, EMPTY_ARRAY):
        with pytest.raises(InvalidParams, match=r"^Invalid params: unknown cursor$"):
            refuse_cursor({"cursor": cursor})
