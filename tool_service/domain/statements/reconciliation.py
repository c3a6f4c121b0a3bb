"""Which movements of one file are in another: the same amount, and the nearest day within a tolerance.

The rule, in the order of its steps: movements match one to one and only with exactly the same signed
amount; pairs of the same day are made first, then those one day apart, and so on; on one day those with the
same description come first, then the order of the files. The same files always give the same pairs.
"""

from array import array
from collections import deque
from collections.abc import Generator, Iterator, MutableSequence
from dataclasses import dataclass, field
from itertools import groupby

from tool_service.domain.statements.cleaning import fold
from tool_service.domain.statements.model import Movements, Statement
from tool_service.domain.statements.slices import SLICE_ROWS, sorted_in_slices

MAX_TOLERANCE_DAYS = 31

_ALONE = -1


def _rows() -> MutableSequence[int]:
    return array("l")


@dataclass(slots=True)
class Reconciliation:
    """Rows of the two statements, and signed sums: `pairs` in the order of the first, the others in that of their own.

    What is in both has the same sum on either side.
    """

    first: Statement
    second: Statement
    tolerance_days: int
    only_first: MutableSequence[int] = field(default_factory=_rows)
    only_second: MutableSequence[int] = field(default_factory=_rows)
    matched_cents: int = 0
    only_first_cents: int = 0
    only_second_cents: int = 0
    _matched_first: MutableSequence[int] = field(default_factory=_rows)
    _matched_second: MutableSequence[int] = field(default_factory=_rows)

    @property
    def pairs(self) -> Iterator[tuple[int, int]]:
        return zip(self._matched_first, self._matched_second, strict=True)

    @property
    def pair_count(self) -> int:
        return len(self._matched_first)

    def add_pair(self, first_row: int, second_row: int, cents: int) -> None:
        self._matched_first.append(first_row)
        self._matched_second.append(second_row)
        self.matched_cents += cents


def reconcile(first: Statement, second: Statement, tolerance_days: int) -> Generator[int, None, Reconciliation]:
    """Yields the number of movements looked at, every SLICE_ROWS or so; returns what is in both and what is not.

    Takes n log n steps, and up to MAX_TOLERANCE_DAYS looks for each day of each amount.
    """
    partner_of = array("l", [_ALONE]) * len(first.movements)
    taken = bytearray(len(second.movements))
    looked_at = 0
    for ours, theirs in _same_amounts(first.movements, second.movements):
        for row, match in _pair(first.movements, ours, second.movements, theirs, tolerance_days):
            partner_of[row] = match
            taken[match] = True
            looked_at += 1
            if looked_at % SLICE_ROWS == 0:
                yield looked_at
    result = Reconciliation(first, second, tolerance_days)
    for row, match in enumerate(partner_of):
        cents, _ = first.movements.amount_and_day(row)
        if match == _ALONE:
            result.only_first.append(row)
            result.only_first_cents += cents
        else:
            result.add_pair(row, match, cents)
    for row, is_taken in enumerate(taken):
        if not is_taken:
            result.only_second.append(row)
            result.only_second_cents += second.movements.amount_and_day(row)[0]
    return result


def _same_amounts(first: Movements, second: Movements) -> Iterator[tuple[list[int], list[int]]]:
    """The rows of both for each amount that both have, amounts upwards."""
    ours, theirs = _by_amount(first), _by_amount(second)
    mine, other = next(ours, None), next(theirs, None)
    while mine is not None and other is not None:
        if mine[0] < other[0]:
            mine = next(ours, None)
        elif mine[0] > other[0]:
            other = next(theirs, None)
        else:
            yield mine[1], other[1]
            mine, other = next(ours, None), next(theirs, None)


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
