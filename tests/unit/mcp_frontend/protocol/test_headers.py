"""Header lines as they came, and the codec of the values that mirror the body."""

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_frontend.protocol.errors import HEADER_MISMATCH, HeaderMismatch
from mcp_frontend.protocol.headers import Headers, check_name, decode_value, require_equal

NAME = "kadu_tasks_list"
ENCODED_NAME = "=?base64?a2FkdV90YXNrc19saXN0?="


def test_lines_are_found_in_any_case_kept_in_order_and_stripped() -> None:
    headers = Headers([(b"X-One", b" a\t"), (b"x-two", b"b"), (b"x-ONE", b"\xe9")])
    assert headers.values("X-one") == ("a", "é")
    assert headers.values("x-three") == ()


def test_a_routing_value_is_the_one_line_without_outer_blanks() -> None:
    headers = Headers([(b"mcp-name", b" \t two words\there \t")])
    assert headers.routing_value("Mcp-Name") == "two words\there"


def test_an_absent_routing_header_differs_from_an_empty_one() -> None:
    assert Headers([(b"mcp-name", b"  ")]).routing_value("Mcp-Name") == ""
    assert Headers().routing_value("Mcp-Name") is None


@pytest.mark.parametrize("second", [b"a", b"b", b""])
def test_two_lines_of_a_routing_header_are_a_mismatch_even_when_equal(second: bytes) -> None:
    with pytest.raises(HeaderMismatch, match="Header mismatch: Mcp-Method occurs more than once"):
        Headers([(b"mcp-method", b"a"), (b"MCP-METHOD", second)]).routing_value("Mcp-Method")


@pytest.mark.parametrize("byte", [*range(0x09), *range(0x0A, 0x20), 0x7F, 0x80, 0xC3, 0xFF])
def test_only_visible_ascii_and_blanks_may_stand_in_a_routing_value(byte: int) -> None:
    with pytest.raises(HeaderMismatch) as caught:
        Headers([(b"mcp-name", b"a" + bytes([byte]) + b"b")]).routing_value("Mcp-Name")
    assert (caught.value.code, caught.value.status) == (HEADER_MISMATCH, 400)


def test_values_compare_letter_for_letter() -> None:
    headers = Headers([(b"mcp-method", b"tools/list")])
    require_equal(headers, "Mcp-Method", "tools/list", "method")
    with pytest.raises(HeaderMismatch, match=r"^Header mismatch: Mcp-Method does not equal method$"):
        require_equal(headers, "Mcp-Method", "TOOLS/LIST", "method")
    with pytest.raises(HeaderMismatch, match=r"^Header mismatch: Mcp-Method is missing$"):
        require_equal(Headers(), "Mcp-Method", "tools/list", "method")


@pytest.mark.parametrize("value", [NAME, ENCODED_NAME])
def test_a_name_may_come_plain_or_encoded(value: str) -> None:
    check_name(Headers([(b"mcp-name", value.encode())]), NAME, "params.name", required=True)


def test_a_name_is_demanded_only_where_it_is_required() -> None:
    check_name(Headers(), NAME, "params.name", required=False)
    with pytest.raises(HeaderMismatch, match=r"^Header mismatch: Mcp-Name is missing$"):
        check_name(Headers(), NAME, "params.name", required=True)


@pytest.mark.parametrize("required", [True, False])
@pytest.mark.parametrize("value", [b"kadu_tasks_delete", b"Kadu_tasks_list", b"=?base64?a2FkdV90YXNrc19ydW4=?=", b""])
def test_another_name_is_a_mismatch_wherever_it_is_sent(value: bytes, required: bool) -> None:
    with pytest.raises(HeaderMismatch, match=r"^Header mismatch: Mcp-Name does not equal params\.name$"):
        check_name(Headers([(b"mcp-name", value)]), NAME, "params.name", required=required)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("=?base64?dGFyZWZhIMOp?=", "tarefa é"),
        ("=?base64?SGVsbG8=?=", "Hello"),
        ("=?base64??=", ""),
        ("=?base64?PT9iYXNlNjQ/SGVsbG8/PQ==?=", "=?base64?Hello?="),
    ],
)
def test_what_stands_between_the_markers_is_decoded_once(value: str, text: str) -> None:
    assert decode_value(value) == text


@pytest.mark.parametrize(
    "value",
    [
        "",
        "Hello",
        "=?BASE64?SGVsbG8=?=",
        "=?Base64?SGVsbG8=?=",
        "=?base64?SGVsbG8=",
        "SGVsbG8=?=",
        "=?base64?=",
        "x=?base64?SGVsbG8=?=",
        "=?base64?SGVsbG8=?=x",
    ],
)
def test_without_both_markers_a_value_is_literal(value: str) -> None:
    assert decode_value(value) == value


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param("SGVsbG8", id="padding stripped"),
        pytest.param("SGVsbG8==", id="padding doubled"),
        pytest.param("SGVs!!!bG8=", id="outside the alphabet"),
        pytest.param("SGVs bG8=", id="blank"),
        pytest.param("SGVs\tbG8=", id="tab"),
        pytest.param("_-_-", id="url-safe alphabet"),
        pytest.param("SGVsbG9=", id="bits after the last byte"),
        pytest.param("SGVsbG8=SGVsbG8=", id="data after the padding"),
        pytest.param("=", id="padding alone"),
        pytest.param("/w==", id="no utf-8"),
        pytest.param("7aCA", id="surrogate in utf-8"),
    ],
)
def test_a_payload_that_is_not_canonical_is_refused_not_repaired(payload: str) -> None:
    with pytest.raises(HeaderMismatch, match=r"^Header mismatch: Mcp-Name is not base64 of UTF-8 text$"):
        decode_value(f"=?base64?{payload}?=")


@settings(max_examples=5 * settings().max_examples)
@given(st.text())
def test_any_text_survives_its_encoding(text: str) -> None:
    payload = base64.b64encode(text.encode()).decode("ascii")
    assert decode_value(f"=?base64?{payload}?=") == text
