"""Totals, categories, months, largest movements and duplicates, against figures counted another way."""

from collections import Counter
from dataclasses import astuple
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from tests.support.statements import finish, movement, statement_of
from tool_service.domain.statements.duplicates import Duplicate, Likeness
from tool_service.domain.statements.figures import Flow, Located, Period
from tool_service.domain.statements.model import Movement, Statement
from tool_service.domain.statements.summary import Summary, summarise

WORDS = ("PIX ANA", "TARIFA", "ALUGUEL", "XYZ")
MOVEMENTS = st.lists(
    st.builds(
        movement,
        st.dates(date(2026, 1, 1), date(2026, 4, 30)).map(date.isoformat),
        st.integers(-(10**14), 10**14),
        st.sampled_from(WORDS),
    ),
    max_size=40,
)


def summary_of(*statements: Statement) -> Summary:
    return finish(summarise(statements))


def flow_of(amounts: list[int]) -> tuple[int, int, int, int]:
    into, out = [each for each in amounts if each >= 0], [each for each in amounts if each < 0]
    return sum(into), len(into), -sum(out), len(out)


@given(MOVEMENTS, MOVEMENTS)
def test_every_sum_equals_one_counted_from_the_plain_list(first: list[Movement], second: list[Movement]) -> None:
    summary = summary_of(statement_of(first), statement_of(second))
    both = first + second
    days = [each.day for each in both]
    codes = dict(zip(WORDS, ("transfers", "bank_fees", "rent", "other"), strict=True))
    assert astuple(summary.total) == flow_of([each.cents for each in both])
    assert [astuple(each.flow) for each in summary.files] == [
        flow_of([each.cents for each in rows]) for rows in (first, second)
    ]
    assert summary.period == (Period(min(days), max(days)) if days else Period())
    assert {code: astuple(flow) for code, flow in summary.by_category.items()} == {
        codes[word]: flow_of([each.cents for each in both if each.description == word])
        for word in {each.description for each in both}
    }
    assert [(month, astuple(flow)) for month, flow in summary.months()] == [
        (month, flow_of([each.cents for each in both if each.day.isoformat().startswith(month)]))
        for month in sorted({day.isoformat()[:7] for day in days})
    ]
    assert [each.movement for each in summary.largest_in.in_order()] == sorted(
        (each for each in both if each.cents >= 0), key=lambda each: -each.cents
    )[:5]
    assert [each.movement for each in summary.largest_out.in_order()] == sorted(
        (each for each in both if each.cents < 0), key=lambda each: each.cents
    )[:5]
    repeats = Counter((each.day, each.cents, each.description) for each in both)
    assert summary.duplicates.count == sum(count - 1 for count in repeats.values())
    assert summary.duplicates.repeated_cents == sum((count - 1) * key[1] for key, count in repeats.items())


def test_categories_come_by_how_much_they_moved() -> None:
    rows = [movement("2026-11-03", -5, "TARIFA"), movement("2026-11-03", 9, "XYZ"), movement("2026-11-03", -5, "IOF")]
    assert [(category.code, flow) for category, flow in summary_of(statement_of(rows)).categories()] == [
        ("other", Flow(9, 1, 0, 0)),
        ("interest", Flow(0, 0, 5, 1)),
        ("bank_fees", Flow(0, 0, 5, 1)),
    ]


def test_the_same_identifier_in_one_account_is_a_duplicate_whatever_else_differs() -> None:
    first = movement("2026-11-03", -5, "A", identifier="f1")
    again = movement("2026-11-04", -6, "B", identifier="f1")
    summary = summary_of(statement_of([first], "a.ofx", account="1"), statement_of([again], "b.ofx", account="1"))
    assert summary.duplicates.groups(10) == [
        Duplicate(Likeness.IDENTIFIER, Located("a.ofx", first), (Located("b.ofx", again),))
    ]


def test_the_same_identifier_in_two_accounts_is_none() -> None:
    first, other = movement("2026-11-03", -5, "A", identifier="f1"), movement("2026-11-04", -6, "B", identifier="f1")
    summary = summary_of(statement_of([first], account="1"), statement_of([other], account="2"))
    assert (summary.duplicates.count, summary.duplicates.groups(10)) == (0, [])


def test_a_movement_that_is_alike_in_both_ways_counts_once() -> None:
    rows = [movement("2026-11-03", -5, "A", identifier="f1", line=line) for line in (2, 3, 4)]
    duplicates = summary_of(statement_of(rows)).duplicates
    assert (duplicates.count, duplicates.repeated_cents) == (2, -10)
    assert [(each.likeness, len(each.again)) for each in duplicates.groups(10)] == [(Likeness.IDENTIFIER, 2)]
