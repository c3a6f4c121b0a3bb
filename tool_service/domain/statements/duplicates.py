"""Movements that appear more than once: the same identifier, or the same day, amount and description."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from tool_service.domain.statements.figures import Located
from tool_service.domain.statements.model import Movement, Statement


class Likeness(Enum):
    """Why two movements are taken for one."""

    # The bank calls it unique in the account, so it is the same movement.
    IDENTIFIER = "same_identifier"
    # Perhaps two equal purchases: a person must look.
    CONTENT = "same_day_amount_description"


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A movement and those that repeat it, in the order of the files."""

    likeness: Likeness
    first: Located
    again: tuple[Located, ...]


@dataclass(slots=True)
class DuplicateFinder:
    """Sees every movement once; remembers one number a movement, whatever it holds."""

    statements: Sequence[Statement]
    count: int = 0
    # Sum of the repetitions, signed.
    repeated_cents: int = 0
    _first: dict[int, tuple[int, int]] = field(default_factory=dict)
    _groups: dict[tuple[Likeness, int, int], list[tuple[int, int]]] = field(default_factory=dict)

    def add(self, file: int, row: int, movement: Movement) -> None:
        """`file` and `row` are places in `statements`."""
        account = self.statements[file].account
        for likeness in Likeness:
            key = _key(likeness, account, movement)
            if key is None:
                continue
            # A hash of 64 bits in place of the key saves most of the memory. The movement that it leads to
            # is compared, so a clash can hide a duplicate (odds of one in ten million for a million rows),
            # never invent one.
            first = self._first.setdefault(hash(key), (file, row))
            if first == (file, row):
                continue
            original = self.statements[first[0]]
            if _key(likeness, original.account, original.movements[first[1]]) == key:
                self._groups.setdefault((likeness, *first), []).append((file, row))
                self.count += 1
                self.repeated_cents += movement.cents
                # Both ways alike is one duplicate.
                return

    def groups(self, limit: int) -> list[Duplicate]:
        """The first `limit` groups, in the order in which they were found."""
        return [
            Duplicate(likeness, self._located((file, row)), tuple(map(self._located, again[:limit])))
            for (likeness, file, row), again in list(self._groups.items())[:limit]
        ]

    def _located(self, place: tuple[int, int]) -> Located:
        statement = self.statements[place[0]]
        return Located(statement.filename, statement.movements[place[1]])


def _key(likeness: Likeness, account: str, movement: Movement) -> tuple[object, ...] | None:
    if likeness is Likeness.CONTENT:
        return likeness.value, movement.day.toordinal(), movement.cents, movement.description
    return (likeness.value, account, movement.identifier) if movement.identifier else None
