"""How a CSV file is laid out: its delimiter, where its header stands, and its decimal mark.

Banks print an address, a period, a balance above the header; so the header is looked for, under
each delimiter, and the reading that recognises most columns wins.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from tool_service.domain.language import Localized
from tool_service.domain.statements.amounts import DecimalMark, evident_mark
from tool_service.domain.statements.cleaning import fold
from tool_service.domain.statements.csv_columns import (
    DIRECTIONS,
    NO_HEADER,
    Column,
    Columns,
    recognise,
    repeated_column,
)
from tool_service.domain.statements.decoding import text_lines
from tool_service.domain.statements.model import SourceFile

# In order of preference when two read the header equally well.
DELIMITERS = (";", "\t", "|", ",")

_HEADER_WITHIN_LINES = 60
_SAMPLE_ROWS = 500
_EMPTY = Localized(pt="o arquivo está vazio", en="the file is empty")
_AMOUNTS = (Column.AMOUNT, Column.DEBIT, Column.CREDIT, Column.BALANCE)


@dataclass(frozen=True, slots=True)
class Layout:
    """`header_line` counts from 1; rows follow it."""

    delimiter: str
    header_line: int
    header: Sequence[str]
    columns: Columns
    mark: DecimalMark


def find_layout(file: SourceFile, charset: str) -> Layout:
    """Look at the beginning of the file.

    Raises:
        StatementError: there is no header with a date and an amount, or it names one twice.
    """
    top = list(islice(text_lines(file, charset), _HEADER_WITHIN_LINES))
    headers = [header for delimiter in DELIMITERS if (header := _header_in(top, delimiter))]
    if not headers:
        first = next((number for number, line in enumerate(top, 1) if line.strip()), None)
        raise file.error(1, _EMPTY) if first is None else file.error(first, NO_HEADER)
    # max() keeps the first of equals.
    delimiter, line, cells, columns = max(headers, key=lambda header: header[3].recognised)
    if columns.repeated is not None:
        raise file.error(line, repeated_column(columns.repeated))
    rows = list(_loose_rows(islice(text_lines(file, charset), line, line + _SAMPLE_ROWS), delimiter))
    return Layout(delimiter, line, cells, _with_kind(rows, columns), _decimal_mark(rows, columns, delimiter))


def _header_in(lines: Sequence[str], delimiter: str) -> tuple[str, int, Sequence[str], Columns] | None:
    for number, cells in enumerate(_loose_rows(lines, delimiter), 1):
        columns = recognise(cells)
        if columns.complete:
            return delimiter, number, cells, columns
    return None


def _loose_rows(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    # One reader a line: a stray quote above the header must not swallow what follows.
    for line in lines:
        yield next(csv.reader([line], delimiter=delimiter), [])


def _with_kind(rows: Iterable[Sequence[str]], columns: Columns) -> Columns:
    """A column "Tipo" says D or C in some files and PIX or TED in others: it counts when every cell of it does."""
    place = columns.at.get(Column.KIND)
    if place is None or Column.DIRECTION in columns.at:
        return columns
    kinds = {fold(cells[place]) for cells in rows if place < len(cells) and cells[place].strip()}
    if kinds and kinds <= DIRECTIONS.keys():
        return replace(columns, at={**columns.at, Column.DIRECTION: place})
    return columns


def _decimal_mark(rows: Iterable[Sequence[str]], columns: Columns, delimiter: str) -> DecimalMark:
    """The mark that most amounts give away; when none does, what goes with the delimiter."""
    places = [columns.at[column] for column in _AMOUNTS if column in columns.at]
    votes = Counter(
        mark for cells in rows for place in places if place < len(cells) and (mark := evident_mark(cells[place]))
    )
    if not votes:
        return "." if delimiter == "," else ","
    return "," if votes[","] >= votes["."] else "."
