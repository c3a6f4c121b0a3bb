"""The words of a statement: a movement, the columns that hold many of them, and the statement itself."""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from tool_service.domain.language import Localized
from tool_service.domain.statements.cleaning import clean
from tool_service.domain.statements.errors import StatementError

FILENAME_LIMIT = 120
DESCRIPTION_LIMIT = 500

# Below every amount that amounts.py lets through.
_NO_BALANCE = -(2**63)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it was sent; its name is shown to people, so it is cleaned."""

    filename: str
    content: bytes

    def __post_init__(self) -> None:
        object.__setattr__(self, "filename", clean(self.filename, FILENAME_LIMIT) or "?")

    def error(self, line: int, what: Localized) -> StatementError:
        return StatementError(self.filename, line, what)


class Movement(NamedTuple):
    """One movement of money: `cents` above zero came in, below zero went out.

    `line` is where it begins in its file (from 1), `balance_cents` what the file states the account to hold
    after it, `identifier` what the bank says is unique in the account (OFX FITID).
    """

    line: int
    day: date
    cents: int
    description: str
    balance_cents: int | None = None
    document: str = ""
    identifier: str = ""


class _Texts:
    """A column of texts in one piece of memory."""

    def __init__(self) -> None:
        self._utf8 = bytearray()
        self._ends = array("q", [0])

    def append(self, text: str) -> None:
        self._utf8 += text.encode()
        self._ends.append(len(self._utf8))

    def __getitem__(self, row: int) -> str:
        return self._utf8[self._ends[row] : self._ends[row + 1]].decode()


class Movements:
    """Movements in the order of their file, kept as columns.

    A million objects would cost several times the memory of the file, and pauses of the garbage
    collector that the event loop feels; columns cost neither. A Movement is made when it is looked at.
    """

    def __init__(self) -> None:
        self._lines = array("l")
        self._days = array("l")
        self._cents = array("q")
        self._balances = array("q")
        self._descriptions = _Texts()
        self._documents = _Texts()
        self._identifiers = _Texts()

    def append(self, movement: Movement) -> None:
        self._lines.append(movement.line)
        self._days.append(movement.day.toordinal())
        self._cents.append(movement.cents)
        self._balances.append(_NO_BALANCE if movement.balance_cents is None else movement.balance_cents)
        self._descriptions.append(movement.description)
        self._documents.append(movement.document)
        self._identifiers.append(movement.identifier)

    def __len__(self) -> int:
        return len(self._cents)

    def __getitem__(self, row: int) -> Movement:
        balance = self._balances[row]
        return Movement(
            self._lines[row],
            date.fromordinal(self._days[row]),
            self._cents[row],
            self._descriptions[row],
            None if balance == _NO_BALANCE else balance,
            self._documents[row],
            self._identifiers[row],
        )

    def __iter__(self) -> Iterator[Movement]:
        return (self[row] for row in range(len(self)))

    def amount_and_day(self, row: int) -> tuple[int, int]:
        """Cents and the ordinal of the day: what two files are compared by."""
        return self._cents[row], self._days[row]


@dataclass(slots=True)
class Statement:
    """What one file says. Balances are those that it states outright, beside the ones in its rows."""

    filename: str
    format: str
    account: str = ""
    currency: str = "BRL"
    movements: Movements = field(default_factory=Movements)
    opening_cents: int | None = None
    closing_cents: int | None = None
    closing_day: date | None = None
