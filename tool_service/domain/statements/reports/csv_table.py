"""A CSV file (RFC 4180, UTF-8, comma, CR LF) that spreadsheets open without running what strangers wrote."""

import csv
from collections.abc import Sequence
from decimal import Decimal

# How a formula begins, full-width forms among them; a leading apostrophe makes it text
# (OWASP, CSV injection).
_FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


class CsvTable:
    """Rows are encoded as they come, so that a million of them take the memory of the file."""

    def __init__(self, headers: Sequence[str]) -> None:
        self._utf8 = bytearray()
        self._writer = csv.writer(self)
        self.add(headers)

    def add(self, cells: Sequence[str | int | Decimal]) -> None:
        """One row. Text is guarded against formulas; numbers are written plain: -1234.56."""
        self._writer.writerow([_guarded(cell) if isinstance(cell, str) else cell for cell in cells])

    def content(self) -> bytes:
        return bytes(self._utf8)

    def write(self, line: str) -> None:
        """For csv.writer, which writes one row at a time."""
        self._utf8 += line.encode()


def amount(cents: int) -> Decimal:
    """Cents as a number with two decimals."""
    return Decimal(cents).scaleb(-2)


def _guarded(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA_BEGINS) else text
