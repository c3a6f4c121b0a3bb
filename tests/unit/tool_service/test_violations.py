"""What an argument that does not fit its model is answered."""

from typing import Annotated, Literal

import pytest
from pydantic import MISSING, Field

from tool_service.domain.errors import InvalidArguments
from tool_service.domain.schema import Arguments
from tool_service.domain.violations import parse_arguments


class Wanted(Arguments):
    name: Annotated[str, Field(min_length=1, max_length=3)]
    limit: Annotated[int, Field(ge=1, le=100)] = 25
    file_ids: Annotated[list[str], Field(max_length=2)] | MISSING = MISSING
    mode: Literal["a", "b"] = "a"
    enabled: bool = True
    data: dict[str, int] | MISSING = MISSING


def problems(arguments: dict[str, object]) -> list[tuple[str | None, str]]:
    with pytest.raises(InvalidArguments) as refused:
        parse_arguments(Wanted, arguments)
    return [(found.param, found.detail.en) for found in refused.value.problems if found.detail]


def test_every_wrong_field_is_named_with_what_to_send_instead() -> None:
    assert problems({"limit": "10", "file_ids": '["f"]', "mode": "c", "enabled": "true", "data": "{}", "x": 1}) == [
        ("name", "This field is required."),
        ("limit", "Send an integer, not text."),
        ("file_ids", "Send an array, not text."),
        ("mode", "Accepted values: 'a' or 'b'."),
        ("enabled", "Send true or false, not text."),
        ("data", "Send an object, not text."),
        ("x", "There is no such field."),
    ]


@pytest.mark.parametrize(
    ("arguments", "param", "detail"),
    [
        ({"name": ""}, "name", "Too short: at least 1."),
        ({"name": "abcd"}, "name", "Too long: at most 3."),
        ({"name": "a", "limit": 0}, "limit", "The minimum is 1."),
        ({"name": "a", "limit": 2**53 + 1}, "limit", "The maximum is 100."),
        ({"name": "a", "limit": 10.0}, "limit", "Send an integer."),
        ({"name": "a", "limit": True}, "limit", "Send an integer."),
        ({"name": None}, "name", "Send a text (a JSON string)."),
        ({"name": "a", "file_ids": ["a", 1]}, "file_ids[1]", "Send a text (a JSON string)."),
        ({"name": "a", "file_ids": ["a", "b", "c"]}, "file_ids", "Too many items: at most 2."),
        ({"name": "a", "data": {"k": "v"}}, "data.k", "Send an integer, not text."),
    ],
)
def test_a_bound_or_a_type_that_is_broken_is_said_with_its_path(
    arguments: dict[str, object], param: str, detail: str
) -> None:
    assert problems(arguments) == [(param, detail)]


def test_the_character_that_no_database_stores_is_refused_wherever_it_stands() -> None:
    assert problems({"name": "a\x00", "file_ids": ["a", "\x00"], "data": {"k\x00": 1}}) == [
        ("name", "The character NUL is not accepted."),
        ("file_ids[1]", "The character NUL is not accepted."),
        ("data", "The character NUL is not accepted."),
    ]
