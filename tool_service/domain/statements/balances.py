"""Do the balances that a file states agree with its movements?

A running balance is checked row by row in the order of the file, oldest or newest first; one that is
stated outright (OFX LEDGERBAL, "SALDO ANTERIOR") against the sum of the movements.
"""

from dataclasses import dataclass, field
from datetime import date

from tool_service.domain.statements.model import Movement, Statement


@dataclass(frozen=True, slots=True)
class Break:
    """The first row whose running balance does not follow from the row before."""

    line: int
    expected_cents: int
    stated_cents: int


@dataclass(frozen=True, slots=True)
class BalanceCheck:
    """`consistent` is None when the file does not say enough to tell.

    Opening or closing balance is computed from the other when only one is stated;
    `difference_cents` is what the stated closing has above opening plus movements.
    """

    opening_cents: int | None
    closing_cents: int | None
    difference_cents: int
    first_break: Break | None
    consistent: bool | None


@dataclass(slots=True)
class _Trail:
    """Follows the running balance in one direction.

    What is compared is the balance without the movements up to it: while all is well this stays the
    same, the opening balance when the oldest row comes first, the closing one when the newest does.
    """

    base: int | None = None
    last_base: int | None = None
    first_break: Break | None = None
    stated: int = 0

    def add(self, line: int, balance: int, moved: int) -> None:
        base = balance - moved
        if self.last_base is not None and base != self.last_base and self.first_break is None:
            self.first_break = Break(line, self.last_base + moved, balance)
        if self.base is None:
            self.base = base
        self.last_base = base
        self.stated += 1


@dataclass(slots=True)
class BalanceChecker:
    """Sees the movements of one statement in order, then concludes."""

    statement: Statement
    _sum: int = 0
    _after_closing: int = 0
    _first_day: date | None = None
    _last_day: date | None = None
    _oldest_first: _Trail = field(default_factory=_Trail)
    _newest_first: _Trail = field(default_factory=_Trail)

    def add(self, movement: Movement) -> None:
        before = self._sum
        self._sum += movement.cents
        if self._first_day is None:
            self._first_day = movement.day
        self._last_day = movement.day
        if self.statement.closing_day is not None and movement.day > self.statement.closing_day:
            self._after_closing += movement.cents
        if movement.balance_cents is not None:
            self._oldest_first.add(movement.line, movement.balance_cents, self._sum)
            self._newest_first.add(movement.line, movement.balance_cents, -before)

    def conclude(self) -> BalanceCheck:
        opening, closing, first_break = self._running()
        if self.statement.opening_cents is not None:
            opening = self.statement.opening_cents
        if self.statement.closing_cents is not None:
            # A ledger balance of an earlier day does not hold the movements after it.
            closing = self.statement.closing_cents + self._after_closing
        difference = 0
        consistent: bool | None = None
        if opening is not None and closing is not None:
            difference = closing - opening - self._sum
            # One balance alone agrees with everything.
            if self._stated() > 1:
                consistent = difference == 0 and first_break is None
        elif opening is not None:
            closing = opening + self._sum
        elif closing is not None:
            opening = closing - self._sum
        return BalanceCheck(opening, closing, difference, first_break, consistent)

    def _stated(self) -> int:
        outright = (self.statement.opening_cents, self.statement.closing_cents)
        return self._oldest_first.stated + sum(each is not None for each in outright)

    def _running(self) -> tuple[int | None, int | None, Break | None]:
        """Opening, closing and the first break, in the direction that the days show or that holds longer."""
        oldest, newest = self._oldest_first, self._newest_first
        if oldest.base is None or oldest.last_base is None or newest.base is None or newest.last_base is None:
            return None, None, None
        if self._goes_back():
            return newest.last_base - self._sum, newest.base, newest.first_break
        return oldest.base, oldest.last_base + self._sum, oldest.first_break

    def _goes_back(self) -> bool:
        if self._first_day != self._last_day and self._first_day is not None and self._last_day is not None:
            return self._first_day > self._last_day
        oldest, newest = self._oldest_first.first_break, self._newest_first.first_break
        return oldest is not None and (newest is None or newest.line > oldest.line)
