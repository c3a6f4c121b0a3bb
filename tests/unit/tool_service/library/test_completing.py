"""Suggestions: how many, of what text, and the calendar."""

from datetime import date
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tool_service.domain.completing import (
    TYPED_LIMIT,
    Suggestions,
    beginning_with,
    recent_days,
    recent_months,
    searchable,
)
from tool_service.domain.identifiers import ids_beginning_with


def test_up_to_a_hundred_are_shown_and_counted() -> None:
    found = [str(n) for n in range(100)]
    assert Suggestions.of(found) == Suggestions(tuple(found), total=100, has_more=False)


def test_of_more_a_hundred_are_shown_and_nobody_claims_to_have_counted() -> None:
    found = [str(n) for n in range(101)]
    assert Suggestions.of(found) == Suggestions(tuple(found[:100]), total=None, has_more=True)


def test_fixed_values_are_found_by_their_beginning_whatever_the_case() -> None:
    assert beginning_with(" PT", ["pt-BR", "en"]) == Suggestions(("pt-BR",), total=1)
    assert beginning_with("", ["pt-BR", "en"]) == Suggestions(("pt-BR", "en"), total=2)
    assert beginning_with("t-B", ["pt-BR", "en"]) == Suggestions((), total=0)


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        (" resumo ", "resumo"),
        ("100%_", "100%_"),
        ("", ""),
        ("a\x00b", None),
        ("a\u202eb", None),
        ("a\nb", None),
        ("a" * (TYPED_LIMIT + 1), None),
        ("a" * 5 * 1024, None),
    ],
)
def test_only_text_that_something_can_be_named_is_searched_for(typed: str, text: str | None) -> None:
    assert searchable(typed) == text


def test_the_last_days_and_months_cross_the_year() -> None:
    assert recent_days(date(2027, 1, 2))[:3] == ["2027-01-02", "2027-01-01", "2026-12-31"]
    assert len(recent_days(date(2027, 1, 2))) == 14
    months = recent_months(date(2027, 1, 2))
    assert (months[:3], months[-1], len(months)) == (["2027-01", "2026-12", "2026-11"], "2026-02", 12)


@given(st.uuids(), st.integers(min_value=0, max_value=36))
def test_every_beginning_of_an_id_has_a_range_that_holds_the_id(value: UUID, length: int) -> None:
    between = ids_beginning_with(str(value)[:length].upper())
    assert between is not None
    first, last = between
    assert first <= value <= last
    assert {str(first)[:length], str(last)[:length]} == {str(value)[:length]}


@pytest.mark.parametrize("text", ["%", "_", "g", "0198-", "{0198", "urn:uuid:", "0" * 37, "0 1", "0_1", "é"])
def test_what_no_id_begins_with_has_no_range(text: str) -> None:
    assert ids_beginning_with(text) is None
