"""Matching two files by amount and day."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from tests.support.statements import finish, movement, statement_of
from tool_service.domain.statements.model import Movement
from tool_service.domain.statements.reconciliation import Reconciliation, reconcile
from tool_service.domain.statements.slices import SLICE_ROWS, sorted_in_slices


def reconciled(first: list[Movement], second: list[Movement], tolerance_days: int = 3) -> Reconciliation:
    return finish(reconcile(statement_of(first, "a.csv"), statement_of(second, "b.csv"), tolerance_days))


def rows(found: Reconciliation) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    return list(found.pairs), list(found.only_first), list(found.only_second)


def day(number: int, cents: int = 100, description: str = "PIX") -> Movement:
    return movement(f"2026-11-{number:02d}", cents, description)


def test_the_same_amount_and_day_match_whatever_the_order_of_the_files() -> None:
    found = reconciled([day(1, 5), day(2, -7), day(3, 9)], [day(3, 9), day(1, 5), day(2, 7)])
    assert rows(found) == ([(0, 1), (2, 0)], [1], [2])
    assert (found.matched_cents, found.only_first_cents, found.only_second_cents) == (14, -7, 7)


def test_the_nearest_day_wins_over_the_first_one() -> None:
    assert rows(reconciled([day(1), day(4)], [day(4)])) == ([(1, 0)], [0], [])


def test_days_as_far_apart_as_the_tolerance_match_and_farther_ones_do_not() -> None:
    assert rows(reconciled([day(1)], [day(4)], 3)) == ([(0, 0)], [], [])
    assert rows(reconciled([day(4)], [day(1)], 3)) == ([(0, 0)], [], [])
    assert rows(reconciled([day(1)], [day(5)], 3)) == ([], [0], [0])
    assert rows(reconciled([day(1)], [day(2)], 0)) == ([], [0], [0])


def test_of_two_equally_near_days_the_earlier_one_wins() -> None:
    assert rows(reconciled([day(5)], [day(6), day(4)])) == ([(0, 1)], [], [0])


def test_on_one_day_the_same_description_wins_over_the_order() -> None:
    found = reconciled([day(1, description="ANA"), day(1, description="BIA")], [day(1, description="bia"), day(1)])
    assert rows(found) == ([(0, 1), (1, 0)], [], [])


def test_equal_movements_match_one_to_one_in_the_order_of_the_files() -> None:
    assert rows(reconciled([day(1)] * 3, [day(1)] * 2)) == ([(0, 0), (1, 1)], [2], [])


def test_empty_files_have_nothing_in_common() -> None:
    assert rows(reconciled([], [day(1)])) == ([], [], [0])
    assert rows(reconciled([], [])) == ([], [], [])


FEW = st.lists(
    st.builds(
        movement,
        st.dates(date(2026, 1, 1), date(2026, 1, 12)).map(date.isoformat),
        st.integers(-2, 2),
        st.sampled_from(("ANA", "BIA")),
    ),
    max_size=25,
)


@given(FEW, FEW, st.integers(0, 5))
def test_pairs_are_one_to_one_and_allowed_and_none_is_left_that_could_be_made(
    first: list[Movement], second: list[Movement], tolerance_days: int
) -> None:
    found = reconciled(first, second, tolerance_days)

    def allowed(mine: int, other: int) -> bool:
        ours, theirs = first[mine], second[other]
        return ours.cents == theirs.cents and abs((ours.day - theirs.day).days) <= tolerance_days

    assert sorted([mine for mine, _ in found.pairs] + list(found.only_first)) == list(range(len(first)))
    assert sorted([other for _, other in found.pairs] + list(found.only_second)) == list(range(len(second)))
    assert all(allowed(mine, other) for mine, other in found.pairs)
    assert not [(mine, other) for mine in found.only_first for other in found.only_second if allowed(mine, other)]
    assert found.matched_cents + found.only_first_cents == sum(each.cents for each in first)
    assert found.matched_cents + found.only_second_cents == sum(each.cents for each in second)


def test_sorting_in_slices_is_sorting() -> None:
    count = 3 * SLICE_ROWS + 7
    keys = [(row * 7919) % 1009 for row in range(count)]
    assert list(sorted_in_slices(count, keys.__getitem__)) == sorted(range(count), key=keys.__getitem__)
