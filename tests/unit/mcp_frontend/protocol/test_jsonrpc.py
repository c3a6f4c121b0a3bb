"""Bytes to one message and back: what parses, what is refused and how, what is echoed."""

import json
from typing import Any

import pytest

from mcp_frontend.protocol.errors import INVALID_REQUEST, PARSE_ERROR, ProtocolError
from mcp_frontend.protocol.jsonrpc import (
    NotificationMessage,
    RequestMessage,
    decode,
    encode,
    frame_error,
    frame_result,
    read_message,
    readable_id,
)

# 2^53 + 1 is the first integer that a double cannot hold.
BEYOND_DOUBLE = 9007199254740993


def test_numbers_keep_their_value_and_their_kind() -> None:
    value = decode(b"[9007199254740993, 1.5, 10.0, 1e1, -0.5, 123456789012345678901234567890]")
    assert value == [BEYOND_DOUBLE, 1.5, 10.0, 10.0, -0.5, 123456789012345678901234567890]
    assert [type(number) for number in value] == [int, float, float, float, float, int]


def test_escaped_pairs_of_surrogates_are_one_character() -> None:
    assert decode(b'"\\ud83d\\ude00 \\u0000"') == "\U0001f600 \x00"


def test_blanks_round_the_value_are_no_part_of_it() -> None:
    assert decode(b" \t\r\n{}" + b" " * 1000) == {}


def test_nesting_of_two_hundred_is_still_read() -> None:
    value = decode(b"[" * 200 + b"]" * 200)
    depth = 0
    while value:
        value, depth = value[0], depth + 1
    assert depth == 199


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"   ", id="blanks"),
        pytest.param(b"{", id="cut off"),
        pytest.param(b'{"a":1} x', id="text after the value"),
        pytest.param(b'{"a":1}{"a":1}', id="two values"),
        pytest.param(b'{"a":1,}', id="trailing comma"),
        pytest.param(b"{'a':1}", id="single quotes"),
        pytest.param(b"{/**/}", id="comment"),
        pytest.param(b'{"a":1,"a":2}', id="equal keys"),
        pytest.param(b'{"a":1,"\\u0061":2}', id="keys equal once unescaped"),
        pytest.param(b'{"a":[{"b":1,"b":1}]}', id="equal keys further down"),
        pytest.param(b"\xef\xbb\xbf{}", id="byte order mark"),
        pytest.param("{}".encode("utf-16"), id="utf-16"),
        pytest.param(b'"\xff"', id="no utf-8"),
        pytest.param(b'"\xc0\xaf"', id="overlong utf-8"),
        pytest.param(b'"\xed\xa0\x80"', id="surrogate in utf-8"),
        pytest.param(b'"\\ud800"', id="lone high surrogate"),
        pytest.param(b'"\\udc00"', id="lone low surrogate"),
        pytest.param(b'{"\\ud800":1}', id="lone surrogate in a key"),
        pytest.param(b'"\x00"', id="raw control character"),
        pytest.param(b"NaN", id="NaN"),
        pytest.param(b"[-Infinity]", id="infinity"),
        pytest.param(b"1e400", id="beyond a double"),
        pytest.param(b'{"a":[{"b":-1e400}]}', id="beyond a double further down"),
        pytest.param(b"[1e99999999999999999999]", id="huge exponent"),
        pytest.param(b"01", id="leading zero"),
        pytest.param(b"9" * 4301, id="too many digits"),
        pytest.param(b"9" * 1_000_000, id="a megabyte of digits"),
        pytest.param(b"[" * 202 + b"]" * 202, id="too deep"),
        pytest.param(b"[" * 1_000_000, id="a megabyte deep"),
        pytest.param(b'{"a":' * 200_000, id="a megabyte of objects deep"),
    ],
)
def test_what_two_parsers_could_read_differently_is_a_parse_error(body: bytes) -> None:
    with pytest.raises(ProtocolError) as caught:
        decode(body)
    assert (caught.value.code, caught.value.status, caught.value.data) == (PARSE_ERROR, 400, None)
    assert caught.value.message.startswith("Parse error")


@pytest.mark.parametrize("message_id", ["", "a", "1", "é\u2028\x00", 0, -1, 7, BEYOND_DOUBLE, -(10**4299)])
def test_an_id_comes_back_exactly_as_it_came(message_id: str | int) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": message_id, "method": "m"}).encode()
    value = decode(body)
    assert readable_id(value) == message_id
    assert read_message(value) == RequestMessage(message_id, "m", {})
    echoed = frame_result(message_id, b"{}")
    assert echoed == b'{"jsonrpc":"2.0","id":' + json.dumps(message_id, ensure_ascii=False).encode() + b',"result":{}}'


@pytest.mark.parametrize("message_id", [None, True, False, 1.5, 1.0, {}, [], [1]])
def test_another_id_is_refused_and_never_taken_for_a_notification(message_id: Any) -> None:
    value = {"jsonrpc": "2.0", "id": message_id, "method": "m"}
    assert readable_id(value) is None
    with pytest.raises(ProtocolError) as caught:
        read_message(value)
    assert (caught.value.code, caught.value.message) == (
        INVALID_REQUEST,
        "Invalid request: id must be a string or an integer",
    )


def test_only_an_absent_id_makes_a_notification() -> None:
    assert read_message({"jsonrpc": "2.0", "method": "n", "params": {"a": 1}}) == NotificationMessage("n")


def test_params_are_kept_as_they_came() -> None:
    params: dict[str, Any] = {"a": [1, {"b": None}]}
    message = read_message({"jsonrpc": "2.0", "id": 1, "method": "m", "params": params})
    assert isinstance(message, RequestMessage)
    assert message.params is params


@pytest.mark.parametrize(
    ("value", "message_id", "detail"),
    [
        ([], None, "batches are not supported"),
        ([{"jsonrpc": "2.0", "id": 1, "method": "m"}], None, "batches are not supported"),
        ("m", None, "the body must be an object"),
        (None, None, "the body must be an object"),
        (1, None, "the body must be an object"),
        ({}, None, 'jsonrpc must be "2.0"'),
        ({"id": 1, "method": "m"}, 1, 'jsonrpc must be "2.0"'),
        ({"jsonrpc": "1.0", "id": 1, "method": "m"}, 1, 'jsonrpc must be "2.0"'),
        ({"jsonrpc": 2.0, "id": 1, "method": "m"}, 1, 'jsonrpc must be "2.0"'),
        ({"jsonrpc": "2.0", "id": 1}, 1, "method must be a string"),
        ({"jsonrpc": "2.0"}, None, "method must be a string"),
        ({"jsonrpc": "2.0", "id": "a", "method": 1}, "a", "method must be a string"),
        ({"jsonrpc": "2.0", "id": 1, "method": "m", "params": []}, 1, "params must be an object"),
        ({"jsonrpc": "2.0", "id": 1, "method": "m", "params": None}, 1, "params must be an object"),
        ({"jsonrpc": "2.0", "method": "m", "params": "x"}, None, "params must be an object"),
        ({"JSONRPC": "2.0", "ID": 1, "Method": "m"}, None, 'jsonrpc must be "2.0"'),
    ],
)
def test_a_value_that_is_no_message_is_an_invalid_request(value: Any, message_id: Any, detail: str) -> None:
    assert readable_id(value) == message_id
    with pytest.raises(ProtocolError) as caught:
        read_message(value)
    error = caught.value
    assert (error.code, error.status, error.message) == (INVALID_REQUEST, 400, f"Invalid request: {detail}")


@pytest.mark.parametrize("member", ["result", "error"])
def test_the_id_of_a_posted_response_is_not_echoed(member: str) -> None:
    value: dict[str, Any] = {"jsonrpc": "2.0", "id": 9, member: {}}
    assert readable_id(value) is None
    with pytest.raises(ProtocolError, match="takes no responses"):
        read_message(value)


def test_json_goes_out_compact_in_utf8_and_in_order() -> None:
    assert encode({"b": "é😀\u2028", "a": [10**30, 1.5, None, True]}) == (
        '{"b":"é😀\u2028","a":[1000000000000000000000000000000,1.5,null,true]}'.encode()
    )


def test_an_error_holds_data_only_where_there_is_some() -> None:
    assert frame_error(None, -1, "no", None) == b'{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}'
    assert frame_error("a", -1, "no", {}) == (
        b'{"jsonrpc":"2.0","id":"a","error":{"code":-1,"message":"no","data":{}}}'
    )
