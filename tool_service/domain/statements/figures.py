"""Sums over movements: money in and out, and the largest of each."""

import heapq
from dataclasses import dataclass, field
from datetime import date

from tool_service.domain.statements.model import Movement


@dataclass(slots=True)
class Flow:
    """Money in and out, both counted as positive cents."""

    in_cents: int = 0
    in_count: int = 0
    out_cents: int = 0
    out_count: int = 0

    def add(self, cents: int) -> None:
        if cents < 0:
            self.out_cents -= cents
            self.out_count += 1
        else:
            self.in_cents += cents
            self.in_count += 1

    def add_flow(self, other: "Flow") -> None:
        self.in_cents += other.in_cents
        self.in_count += other.in_count
        self.out_cents += other.out_cents
        self.out_count += other.out_count

    @property
    def net_cents(self) -> int:
        return self.in_cents - self.out_cents

    @property
    def count(self) -> int:
        return self.in_count + self.out_count


@dataclass(slots=True)
class Period:
    """The first and the last day seen; None before any."""

    first: date | None = None
    last: date | None = None

    def add(self, day: date) -> None:
        self.first = day if self.first is None else min(self.first, day)
        self.last = day if self.last is None else max(self.last, day)


@dataclass(frozen=True, slots=True)
class Located:
    """A movement and the file that it stands in."""

    filename: str
    movement: Movement


@dataclass(slots=True)
class Largest:
    """The `limit` movements that moved most in one direction; of equal ones the earlier in the files."""

    limit: int
    _heap: list[tuple[int, int, Located]] = field(default_factory=list)
    _seen: int = 0

    def add(self, filename: str, movement: Movement) -> None:
        self._seen += 1
        size = abs(movement.cents)
        if len(self._heap) < self.limit:
            heapq.heappush(self._heap, (size, -self._seen, Located(filename, movement)))
        elif size > self._heap[0][0]:
            heapq.heapreplace(self._heap, (size, -self._seen, Located(filename, movement)))

    def in_order(self) -> list[Located]:
        """Largest first."""
        return [located for _, _, located in sorted(self._heap, key=lambda each: each[:2], reverse=True)]
