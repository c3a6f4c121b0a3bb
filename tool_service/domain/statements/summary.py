"""Everything that one pass over the movements of one or several statements tells."""

from collections import defaultdict
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from tool_service.domain.statements.balances import BalanceCheck, BalanceChecker
from tool_service.domain.statements.categories import CATEGORIES, OTHER, Categoriser, Category
from tool_service.domain.statements.duplicates import DuplicateFinder
from tool_service.domain.statements.figures import Flow, Largest, Period
from tool_service.domain.statements.model import Statement
from tool_service.domain.statements.slices import SLICE_ROWS

LARGEST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class FileSummary:
    statement: Statement
    flow: Flow
    period: Period
    balance: BalanceCheck
    # One for each movement, in order.
    categories: Sequence[Category]


@dataclass(slots=True)
class Summary:
    """`by_month` is keyed by the first seven characters of the ISO date: "2026-12"."""

    files: list[FileSummary]
    duplicates: DuplicateFinder
    total: Flow = field(default_factory=Flow)
    period: Period = field(default_factory=Period)
    largest_in: Largest = field(default_factory=lambda: Largest(LARGEST_SHOWN))
    largest_out: Largest = field(default_factory=lambda: Largest(LARGEST_SHOWN))
    by_category: defaultdict[str, Flow] = field(default_factory=lambda: defaultdict(Flow))
    by_month: defaultdict[str, Flow] = field(default_factory=lambda: defaultdict(Flow))

    def categories(self) -> list[tuple[Category, Flow]]:
        """Those that occur, the one that moved most first; equal ones as in the table."""
        found = [(each, self.by_category[each.code]) for each in (*CATEGORIES, OTHER) if each.code in self.by_category]
        return sorted(found, key=lambda pair: -(pair[1].in_cents + pair[1].out_cents))

    def months(self) -> list[tuple[str, Flow]]:
        return sorted(self.by_month.items())


def summarise(statements: Sequence[Statement]) -> Generator[int, None, Summary]:
    """Yields the number of movements seen, every SLICE_ROWS; returns the summary."""
    summary = Summary([], DuplicateFinder(statements))
    categorise = Categoriser()
    seen = 0
    for file, statement in enumerate(statements):
        flow, period, balance = Flow(), Period(), BalanceChecker(statement)
        categories: list[Category] = []
        for row, movement in enumerate(statement.movements):
            seen += 1
            if seen % SLICE_ROWS == 0:
                yield seen
            cents = movement.cents
            category = categorise(movement.description)
            categories.append(category)
            flow.add(cents)
            period.add(movement.day)
            balance.add(movement)
            summary.by_category[category.code].add(cents)
            summary.by_month[movement.day.isoformat()[:7]].add(cents)
            (summary.largest_in if cents >= 0 else summary.largest_out).add(statement.filename, movement)
            summary.duplicates.add(file, row, movement)
        summary.files.append(FileSummary(statement, flow, period, balance.conclude(), categories))
        summary.total.add_flow(flow)
        if period.first is not None and period.last is not None:
            summary.period.add(period.first)
            summary.period.add(period.last)
    return summary
