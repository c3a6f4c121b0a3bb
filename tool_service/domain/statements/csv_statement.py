"""CSV statements and ledgers: each row becomes one movement, or an error that names its line.

Nothing is guessed about money: a row with more cells than the header, an amount that does not fit
the file's decimal mark, or one without a day stops the reading.
"""

import csv
from collections.abc import Generator, Iterator, Sequence
from datetime import date
from itertools import islice

from tool_service.domain.language import Localized
from tool_service.domain.statements.amounts import parse_amount
from tool_service.domain.statements.balance_rows import BalanceRow, balance_row
from tool_service.domain.statements.cleaning import brief, clean, fold
from tool_service.domain.statements.csv_columns import DIRECTIONS, Column
from tool_service.domain.statements.csv_layout import Layout, find_layout
from tool_service.domain.statements.dates import parse_date
from tool_service.domain.statements.decoding import charset_of, text_lines
from tool_service.domain.statements.errors import Unreadable
from tool_service.domain.statements.model import DESCRIPTION_LIMIT, Movement, SourceFile, Statement
from tool_service.domain.statements.slices import SLICE_ROWS, refuse_more_rows

_BROKEN_QUOTES = Localized(
    pt="as aspas desta linha não fecham, ou há texto depois delas",
    en="the quotes of this line do not close, or text follows them",
)
_TOO_MANY_CELLS = Localized(
    pt="há mais colunas que no cabeçalho; um valor com vírgula precisa de aspas",
    en="there are more columns than in the header; an amount with a comma needs quotes",
)
_NO_AMOUNT = Localized(pt="falta o valor", en="the amount is missing")
_BOTH_WAYS = Localized(pt="há débito e crédito na mesma linha", en="there are a debit and a credit in one line")
# Days repeat; the bound is for files whose dates carry a time.
_REMEMBERED_DAYS = 4096


def read_csv(file: SourceFile, row_limit: int) -> Generator[int, None, Statement]:
    """Yields the number of rows read, every SLICE_ROWS; returns the statement.

    Raises:
        StatementError: the file is malformed, or has more than `row_limit` movements.
    """
    charset = charset_of(file.content)
    layout = find_layout(file, charset)
    reader = _RowReader(layout)
    statement = Statement(file.filename, "csv")
    for number, (line, cells) in enumerate(_rows(file, charset, layout), 1):
        if number % SLICE_ROWS == 0:
            yield number
        try:
            reader.read(line, cells, statement)
        except Unreadable as error:
            raise file.error(line, error.what) from None
        refuse_more_rows(file, line, len(statement.movements), row_limit)
    return statement


def _rows(file: SourceFile, charset: str, layout: Layout) -> Iterator[tuple[int, Sequence[str]]]:
    """The rows below the header with the line that each begins on; repeated headers and blanks are left out."""
    lines = islice(text_lines(file, charset), layout.header_line, None)
    reader = csv.reader(lines, delimiter=layout.delimiter, strict=True)
    while True:
        line = layout.header_line + reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            raise file.error(line, _BROKEN_QUOTES) from None
        # Paged exports print the header on every page.
        if any(map(str.strip, cells)) and cells != layout.header:
            yield line, cells


class _RowReader:
    def __init__(self, layout: Layout) -> None:
        self._mark = layout.mark
        self._width = layout.columns.width
        self._descriptions = layout.columns.descriptions
        at = layout.columns.at.get
        self._date, self._amount, self._direction = at(Column.DATE), at(Column.AMOUNT), at(Column.DIRECTION)
        self._debit, self._credit, self._balance = at(Column.DEBIT), at(Column.CREDIT), at(Column.BALANCE)
        self._document, self._identifier = at(Column.DOCUMENT), at(Column.IDENTIFIER)
        self._days: dict[str, date] = {}

    def read(self, line: int, cells: Sequence[str], statement: Statement) -> None:
        if len(cells) > self._width and any(map(str.strip, cells[self._width :])):
            raise Unreadable(_TOO_MANY_CELLS)
        if len(cells) < self._width:
            cells = [*cells, *[""] * (self._width - len(cells))]
        description = self._description(cells)
        if (kind := balance_row(description)) is not None:
            self._note_balance(kind, cells, statement)
            return
        written_day = _cell(cells, self._date)
        if not written_day[:1].isdigit() and _is_total(cells):
            return
        balance = _cell(cells, self._balance)
        statement.movements.append(
            Movement(
                line,
                self._day(written_day),
                self._cents(cells),
                description,
                parse_amount(balance, self._mark) if balance else None,
                clean(_cell(cells, self._document), DESCRIPTION_LIMIT),
                clean(_cell(cells, self._identifier), DESCRIPTION_LIMIT),
            )
        )

    def _description(self, cells: Sequence[str]) -> str:
        return clean(" ".join(cells[place] for place in self._descriptions), DESCRIPTION_LIMIT)

    def _day(self, written: str) -> date:
        day = self._days.get(written)
        if day is None:
            day = parse_date(written)
            if len(self._days) < _REMEMBERED_DAYS:
                self._days[written] = day
        return day

    def _cents(self, cells: Sequence[str]) -> int:
        amount = _cell(cells, self._amount)
        if amount:
            return self._directed(parse_amount(amount, self._mark), _cell(cells, self._direction))
        debit, credit = _cell(cells, self._debit), _cell(cells, self._credit)
        if not debit and not credit:
            raise Unreadable(_NO_AMOUNT)
        # Banks print debits with and without a minus; a credit keeps its sign, for reversals.
        out = -abs(parse_amount(debit, self._mark)) if debit else 0
        into = parse_amount(credit, self._mark) if credit else 0
        if out and into:
            raise Unreadable(_BOTH_WAYS)
        return out or into

    def _directed(self, cents: int, direction: str) -> int:
        if self._direction is None:
            return cents
        sign = DIRECTIONS.get(fold(direction))
        if sign is None:
            quoted = brief(direction)
            raise Unreadable(
                Localized(
                    pt=f"«{quoted}» não diz se é débito (D) ou crédito (C)",
                    en=f"“{quoted}” does not say whether it is a debit (D) or a credit (C)",
                )
            )
        return sign * abs(cents)

    def _note_balance(self, kind: BalanceRow, cells: Sequence[str], statement: Statement) -> None:
        written = _cell(cells, self._balance) or _cell(cells, self._amount)
        if not written:
            return
        cents = parse_amount(written, self._mark)
        if kind is BalanceRow.OPENING and statement.opening_cents is None:
            statement.opening_cents = cents
        elif kind is BalanceRow.CLOSING:
            statement.closing_cents = cents


def _cell(cells: Sequence[str], place: int | None) -> str:
    return "" if place is None else cells[place].strip()


def _is_total(cells: Sequence[str]) -> bool:
    first = next(cell for cell in cells if cell.strip())
    return fold(first).startswith("total")
