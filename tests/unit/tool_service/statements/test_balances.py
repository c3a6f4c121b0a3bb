"""Stated balances against movements."""

from datetime import date
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.statements import movement, statement_of
from tool_service.domain.statements.balances import BalanceCheck, BalanceChecker, Break
from tool_service.domain.statements.model import Movement, Statement


def check(statement: Statement) -> BalanceCheck:
    checker = BalanceChecker(statement)
    for each in statement.movements:
        checker.add(each)
    return checker.conclude()


def running(opening: int, amounts: list[int], days: list[str] | None = None) -> list[Movement]:
    """Movements with the balance after each, in lines 2, 3, ..."""
    balances = list(accumulate(amounts, initial=opening))[1:]
    days = days or [f"2026-11-{number:02d}" for number in range(1, len(amounts) + 1)]
    return [
        movement(day, cents, line=line, balance_cents=balance)
        for line, (day, cents, balance) in enumerate(zip(days, amounts, balances, strict=True), 2)
    ]


AMOUNTS = st.lists(st.integers(-(10**12), 10**12), min_size=2, max_size=20)


@given(st.integers(-(10**12), 10**12), AMOUNTS)
def test_a_running_balance_gives_opening_and_closing_oldest_first(opening: int, amounts: list[int]) -> None:
    expected = BalanceCheck(opening, opening + sum(amounts), 0, None, True)
    assert check(statement_of(running(opening, amounts))) == expected


@given(st.integers(-(10**12), 10**12), AMOUNTS)
def test_a_running_balance_gives_opening_and_closing_newest_first(opening: int, amounts: list[int]) -> None:
    expected = BalanceCheck(opening, opening + sum(amounts), 0, None, True)
    assert check(statement_of(running(opening, amounts)[::-1])) == expected


def test_on_a_single_day_the_direction_is_the_one_that_holds() -> None:
    rows = running(1000, [100, 200, 300], days=["2026-11-03"] * 3)
    expected = BalanceCheck(1000, 1600, 0, None, True)
    assert check(statement_of(rows)) == expected
    assert check(statement_of(rows[::-1])) == expected


def test_the_first_line_whose_balance_does_not_follow_is_named() -> None:
    rows = running(1000, [100, 200, 300, 400])
    # A movement of 50 is missing before line 4.
    rows[2:] = [each._replace(balance_cents=(each.balance_cents or 0) + 50) for each in rows[2:]]
    assert check(statement_of(rows)) == BalanceCheck(1000, 2050, 50, Break(4, 1600, 1650), False)


def test_balances_that_stand_only_at_the_end_of_a_day_are_checked_over_the_rows_between() -> None:
    rows = running(1000, [100, 200, 300, 400])
    rows[0] = rows[0]._replace(balance_cents=None)
    rows[2] = rows[2]._replace(balance_cents=None)
    assert check(statement_of(rows)) == BalanceCheck(1000, 2000, 0, None, True)


@pytest.mark.parametrize(
    ("opening", "closing", "expected"),
    [
        (None, None, BalanceCheck(None, None, 0, None, None)),
        (1000, None, BalanceCheck(1000, 700, 0, None, None)),
        (None, 700, BalanceCheck(1000, 700, 0, None, None)),
        (1000, 700, BalanceCheck(1000, 700, 0, None, True)),
        (1000, 710, BalanceCheck(1000, 710, 10, None, False)),
    ],
)
def test_balances_stated_outright_are_compared_or_complete_each_other(
    opening: int | None, closing: int | None, expected: BalanceCheck
) -> None:
    rows = [movement("2026-11-03", -500), movement("2026-11-04", 200)]
    assert check(statement_of(rows, opening_cents=opening, closing_cents=closing)) == expected


def test_one_balance_alone_in_a_row_proves_nothing() -> None:
    rows = [movement("2026-11-03", -500), movement("2026-11-04", 200, balance_cents=700)]
    assert check(statement_of(rows)) == BalanceCheck(1000, 700, 0, None, None)


def test_movements_after_the_day_of_a_ledger_balance_come_on_top_of_it() -> None:
    rows = [movement("2026-11-03", -500), movement("2026-11-04", 200)]
    statement = statement_of(rows, closing_cents=500, closing_day=date(2026, 11, 3))
    assert check(statement) == BalanceCheck(1000, 700, 0, None, None)
