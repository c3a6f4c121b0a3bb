"""Dates of CSV cells and of OFX."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tool_service.domain.statements.dates import parse_date, parse_ofx_date
from tool_service.domain.statements.errors import Unreadable

NEW_YEARS_EVE = date(2026, 12, 31)


@pytest.mark.parametrize(
    "text",
    [
        "31/12/2026",
        "31-12-2026",
        "31.12.2026",
        "31/12/26",
        "2026-12-31",
        "2026/12/31",
        "20261231",
        " 31/12/2026 ",
        "31/12/2026 23:59:59",
        "2026-12-31T23:59:59.999Z",
        "2026-12-31T23:59:59-03:00",
    ],
)
def test_dates_of_csv_files_are_read(text: str) -> None:
    assert parse_date(text) == NEW_YEARS_EVE


def test_a_day_of_one_digit_is_read() -> None:
    assert parse_date("1/2/2026") == date(2026, 2, 1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12/31/2026",
        "31/02/2026",
        "00/00/0000",
        "31/12-2026",
        "2026-1231",
        "ontem",
        "31/12/1969",
        "2100-01-01",
        "١/٢/٢٠٢٦",
    ],
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(Unreadable, match="neither"):
        parse_date(text)


@pytest.mark.parametrize(
    "text",
    ["20261231", "20261231235959", "202612311200", "20261231235959.123", "20261231120000[-3:BRT]", "20261231[0:GMT]"],
)
def test_ofx_dates_keep_the_day_that_the_bank_wrote(text: str) -> None:
    assert parse_ofx_date(text) == NEW_YEARS_EVE


@pytest.mark.parametrize("text", ["", "2026", "20261332", "00000000", "31/12/2026", "2026123112000000000"])
def test_what_is_no_ofx_date_is_refused(text: str) -> None:
    with pytest.raises(Unreadable, match="neither"):
        parse_ofx_date(text)


@given(st.dates(date(1970, 1, 1), date(2099, 12, 31)))
def test_every_day_survives_each_way_of_writing_it(day: date) -> None:
    written = (f"{day.day:02d}/{day.month:02d}/{day.year}", day.isoformat(), f"{day:%Y%m%d}")
    assert [parse_date(text) for text in written] == [day] * 3
    assert parse_ofx_date(f"{day:%Y%m%d}") == day
