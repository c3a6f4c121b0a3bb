"""Which movements of one file are in another: the same amount, and the nearest day within a tolerance.

The rule, in the order of its steps: movements match one to one and only with exactly the same signed
amount; pairs of the same day are made first, then those one day apart, and so on; on one day those with the
same description come first, then the order of the files. The same files always give the same pairs.
"""

from collections import deque
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from tool_service.domain.statements.cleaning import fold
from tool_service.domain.statements.model import Movements, Statement
from tool_service.domain.statements.slices import SLICE_ROWS, sorted_in_slices

MAX_TOLERANCE_DAYS = 31


@dataclass(slots=True)
class Reconciliation:
    """Rows of the two statements: `pairs` in the order of the first, the others in that of their own file."""

    first: Statement
    second: Statement
    tolerance_days: int
    pairs: list[tuple[int, int]] = field(default_factory=list)
    only_first: list[int] = field(default_factory=list)
    only_second: list[int] = field(default_factory=list)

    @property
    def matched_cents(self) -> int:
        """Signed sum of what is in both."""
        return sum(self.first.movements[row].cents for row, _ in self.pairs)

    @property
    def only_first_cents(self) -> int:
        return sum(self.first.movements[row].cents for row in self.only_first)

    @property
    def only_second_cents(self) -> int:
        return sum(self.second.movements[row].cents for row in self.only_second)


def reconcile(first: Statement, second: Statement, tolerance_days: int) -> Generator[int, None, Reconciliation]:
    """Yields the number of movements looked at, every SLICE_ROWS or so; returns the pairs.

    Takes n log n steps, and up to MAX_TOLERANCE_DAYS looks for each day of each amount.
    """
    partner: dict[int, int] = {}
    taken = bytearray(len(second.movements))
    ours, theirs = _by_amount(first.movements), _by_amount(second.movements)
    mine, other = next(ours, None), next(theirs, None)
    looked_at = reported = 0
    while mine is not None and other is not None:
        if mine[0] == other[0]:
            for row, match in _pair(first.movements, mine[1], second.movements, other[1], tolerance_days):
                partner[row] = match
                taken[match] = 1
        ahead = mine[0] <= other[0]
        behind = other[0] <= mine[0]
        if ahead:
            looked_at += len(mine[1])
            mine = next(ours, None)
        if behind:
            looked_at += len(other[1])
            other = next(theirs, None)
        if looked_at >= reported + SLICE_ROWS:
            reported = looked_at
            yield looked_at
    result = Reconciliation(first, second, tolerance_days)
    for row in range(len(first.movements)):
        if row in partner:
            result.pairs.append((row, partner[row]))
        else:
            result.only_first.append(row)
    result.only_second.extend(row for row in range(len(taken)) if not taken[row])
    return result


def _by_amount(movements: Movements) -> Iterator[tuple[int, list[int]]]:
    """The rows of each amount, amounts upwards, the rows of one by day."""
    rows = sorted_in_slices(len(movements), key=movements.amount_and_day)
    for cents, group in groupby(rows, key=lambda row: movements.amount_and_day(row)[0]):
        yield cents, list(group)


def _pair(
    first: Movements, ours: list[int], second: Movements, theirs: list[int], tolerance_days: int
) -> Iterator[tuple[int, int]]:
    """The pairs of rows that all have one amount, nearest days first."""
    mine, other = _by_day(first, ours), _by_day(second, theirs)
    for apart in range(tolerance_days + 1):
        for day in list(mine):
            for near in dict.fromkeys((day - apart, day + apart)):
                if near in other and day in mine:
                    yield from _pair_days(first, mine[day], second, other[near])
                    _forget_if_empty(mine, day)
                    _forget_if_empty(other, near)
        if not mine or not other:
            return


def _by_day(movements: Movements, rows: list[int]) -> dict[int, deque[int]]:
    days: dict[int, deque[int]] = {}
    for row in rows:
        days.setdefault(movements.amount_and_day(row)[1], deque()).append(row)
    return days


def _pair_days(first: Movements, ours: deque[int], second: Movements, theirs: deque[int]) -> Iterator[tuple[int, int]]:
    """As many pairs as the shorter side has; takes them out of both."""
    if len(ours) > 1 or len(theirs) > 1:
        yield from _pair_descriptions(first, ours, second, theirs)
    while ours and theirs:
        yield ours.popleft(), theirs.popleft()


def _pair_descriptions(
    first: Movements, ours: deque[int], second: Movements, theirs: deque[int]
) -> Iterator[tuple[int, int]]:
    by_description: dict[str, deque[int]] = {}
    for row in theirs:
        by_description.setdefault(fold(second[row].description), deque()).append(row)
    left: list[int] = []
    used: set[int] = set()
    for row in ours:
        same = by_description.get(fold(first[row].description))
        if same:
            match = same.popleft()
            used.add(match)
            yield row, match
        else:
            left.append(row)
    remaining = [row for row in theirs if row not in used]
    ours.clear()
    ours.extend(left)
    theirs.clear()
    theirs.extend(remaining)


def _forget_if_empty(days: dict[int, deque[int]], day: int) -> None:
    if not days[day]:
        del days[day]
