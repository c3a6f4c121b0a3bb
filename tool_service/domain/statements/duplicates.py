"""Movements that appear more than once: the same identifier, or the same day, amount and description."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice

from tool_service.domain.statements.figures import Located
from tool_service.domain.statements.model import Movement, Statement

# More than the rows of any file (slices.ROW_LIMIT).
_ROW_BITS = 32


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
    _first: dict[int, int] = field(default_factory=dict)
    _groups: dict[tuple[Likeness, int], list[int]] = field(default_factory=dict)

    def add(self, file: int, row: int, movement: Movement) -> None:
        """`file` and `row` are places in `statements`."""
        account = self.statements[file].account
        # A pair would be an object of the garbage collector for each movement; a number is none.
        place = file << _ROW_BITS | row
        for likeness in Likeness:
            key = _key(likeness, account, movement)
            if key is None:
                continue
            # A hash of 64 bits in place of the key saves most of the memory. The movement that it leads to
            # is compared, so a clash can hide a duplicate (odds of one in ten million for a million rows),
            # never invent one.
            first = self._first.setdefault(hash(key), place)
            if first == place:
                continue
            original, original_row = self._at(first)
            if _key(likeness, original.account, original.movements[original_row]) == key:
                self._groups.setdefault((likeness, first), []).append(place)
                self.count += 1
                self.repeated_cents += movement.cents
                # Both ways alike is one duplicate.
                return

    def groups(self, limit: int) -> list[Duplicate]:
        """The first `limit` groups, in the order in which they were found."""
        return [
            Duplicate(likeness, self._located(first), tuple(map(self._located, again[:limit])))
            for (likeness, first), again in islice(self._groups.items(), limit)
        ]

    def _at(self, place: int) -> tuple[Statement, int]:
        return self.statements[place >> _ROW_BITS], place & ((1 << _ROW_BITS) - 1)

    def _located(self, place: int) -> Located:
        statement, row = self._at(place)
        return Located(statement.filename, statement.movements[row])


def _key(likeness: Likeness, account: str, movement: Movement) -> tuple[object, ...] | None:
    if likeness is Likeness.CONTENT:
        return likeness.value, movement.day.toordinal(), movement.cents, movement.description
    return (likeness.value, account, movement.identifier) if movement.identifier else None
