"""From a query or a body to arguments, and what is refused on the way."""

import pytest

from tool_service.domain.errors import InvalidArguments
from tool_service.rest_api.arguments import MalformedBody, arguments_of_body, arguments_of_query

SCHEMA = {"properties": {"limit": {"type": "integer"}, "enabled": {"type": "boolean"}, "q": {"type": "string"}}}


def test_a_query_is_read_as_its_schema_says() -> None:
    pairs = [("limit", "10"), ("enabled", "true"), ("q", "5")]
    assert arguments_of_query(pairs, SCHEMA) == {"limit": 10, "enabled": True, "q": "5"}


@pytest.mark.parametrize("text", ["ten", "1e3", "01", "10.0", "9" * 40])
def test_what_is_no_integer_stays_text_for_the_gate_to_refuse(text: str) -> None:
    assert arguments_of_query([("limit", text)], SCHEMA) == {"limit": text}


def test_unknown_and_repeated_names_are_all_refused_at_once() -> None:
    with pytest.raises(InvalidArguments) as refused:
        arguments_of_query([("limt", "1"), ("q", "a"), ("q", "b")], SCHEMA)
    assert [(found.code, found.param) for found in refused.value.problems] == [
        ("invalid_get_param", "limt"),
        ("invalid_get_param", "q"),
    ]


def test_an_empty_body_is_no_arguments() -> None:
    assert arguments_of_body(b"") == {}
    assert arguments_of_body(b" \n") == {}


def test_integers_of_a_body_keep_every_digit() -> None:
    assert arguments_of_body(b'{"a": 123456789012345678901234567890}') == {"a": 123456789012345678901234567890}


@pytest.mark.parametrize(
    "body", [b"{", b"[]", b'"x"', b'{"a":1,"a":2}', b'{"a":NaN}', b"\xff", b'{"a":"\\ud800"}', b"\xef\xbb\xbf{}"]
)
def test_a_body_that_two_readers_could_read_differently_is_refused(body: bytes) -> None:
    with pytest.raises(MalformedBody):
        arguments_of_body(body)
