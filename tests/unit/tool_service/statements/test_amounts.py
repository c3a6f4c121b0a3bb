"""Amounts as banks write them, against cents counted by hand."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tool_service.domain.language import Language
from tool_service.domain.money import format_brl
from tool_service.domain.statements.amounts import MAX_CENTS, DecimalMark, evident_mark, last_mark, parse_amount
from tool_service.domain.statements.errors import Unreadable

CENTS = st.integers(-MAX_CENTS, MAX_CENTS)


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("1.234,56", 123456),
        ("1234,56", 123456),
        ("12.345.678,90", 1234567890),
        ("0,05", 5),
        (",50", 50),
        ("10", 1000),
        ("10,5", 1050),
        ("10,500", 1050),
        ("R$ 1.234,56", 123456),
        ("R$\u00a01.234,56", 123456),
        ("BRL 7,00", 700),
        ("-10,00", -1000),
        ("−10,00", -1000),
        ("- 10,00", -1000),
        ("10,00-", -1000),
        ("-R$ 10,00", -1000),
        ("R$ -10,00", -1000),
        ("(10,00)", -1000),
        ("(R$ 10,00)", -1000),
        ("10,00 D", -1000),
        ("10,00d", -1000),
        ("-10,00 D", -1000),
        ("10,00 C", 1000),
        ("+10,00", 1000),
        ("  10,00\t", 1000),
    ],
)
def test_brazilian_amounts_become_exact_cents(text: str, cents: int) -> None:
    assert parse_amount(text, ",") == cents


@pytest.mark.parametrize(("text", "cents"), [("1,234.56", 123456), ("-1234.5", -123450), ("1,234", 123400)])
def test_amounts_with_a_decimal_point_become_exact_cents(text: str, cents: int) -> None:
    assert parse_amount(text, ".") == cents


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        ",",
        "R$",
        "abc",
        "1,2,3",
        "1.23,00",
        "12.34",
        "1.2345,00",
        "1234.567,00",
        "10,",
        "10,00 X",
        "--10,00",
        "(10,00",
        "10,00)",
        "(10,00) C",
        "-10,00 C",
        "+10,00 D",
        "1e5",
        "١٢,٠٠",
        "NaN",
        "9" * 30,
        "1" * 100,
    ],
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(Unreadable, match="is not an amount"):
        parse_amount(text, ",")


@pytest.mark.parametrize("text", ["10,001", "0,005", "-1.000,123"])
def test_more_than_two_decimals_that_count_are_refused_not_rounded(text: str) -> None:
    with pytest.raises(Unreadable, match="more than two decimals"):
        parse_amount(text, ",")


@given(CENTS)
def test_an_amount_survives_being_written_in_portuguese_and_read(cents: int) -> None:
    assert parse_amount(format_brl(cents, Language.PORTUGUESE), ",") == cents


@given(CENTS)
def test_an_amount_survives_being_written_in_english_and_read(cents: int) -> None:
    assert parse_amount(format_brl(cents, Language.ENGLISH), ".") == cents


@given(CENTS)
def test_a_debit_letter_and_parentheses_mean_the_same_as_a_minus(cents: int) -> None:
    digits = f"{abs(cents) // 100},{abs(cents) % 100:02d}"
    assert parse_amount(f"{digits}D", ",") == parse_amount(f"({digits})", ",") == -abs(cents)


@given(st.text(max_size=60), st.sampled_from([",", "."]))
def test_any_text_is_an_amount_or_unreadable(text: str, mark: DecimalMark) -> None:
    with suppress(Unreadable):
        assert abs(parse_amount(text, mark)) <= MAX_CENTS


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("1.234,56", ","),
        ("1,234.56", "."),
        ("10,5", ","),
        ("-10.50", "."),
        ("1.234.567", ","),
        ("1,234,567", "."),
        ("1234,567", ","),
        ("0,123", ","),
        ("1.234", None),
        ("1,234", None),
        ("10", None),
        ("", None),
        ("Data", None),
    ],
)
def test_an_amount_gives_its_decimal_mark_away_or_fits_both(text: str, mark: DecimalMark | None) -> None:
    assert evident_mark(text) == mark


@pytest.mark.parametrize(("text", "mark"), [("-10.50", "."), ("10,50", ","), ("1.234,56", ","), ("10", ".")])
def test_in_ofx_the_last_separator_is_the_decimal_mark(text: str, mark: DecimalMark) -> None:
    assert last_mark(text) == mark
