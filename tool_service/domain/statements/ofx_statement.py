"""OFX bank and card statements, 1.x and 2.x: the movements of one account and its ledger balance."""

import re
from collections.abc import Generator

from tool_service.domain.language import Localized
from tool_service.domain.statements.amounts import last_mark, parse_amount
from tool_service.domain.statements.balance_rows import BalanceRow, balance_row
from tool_service.domain.statements.cleaning import brief, clean
from tool_service.domain.statements.dates import parse_ofx_date
from tool_service.domain.statements.decoding import charset_of, text_pieces
from tool_service.domain.statements.errors import Unreadable
from tool_service.domain.statements.model import DESCRIPTION_LIMIT, Movement, SourceFile, Statement
from tool_service.domain.statements.ofx_tags import Closed, Opened, scan
from tool_service.domain.statements.slices import SLICE_ROWS, refuse_more_rows

_HEADER_BYTES = 1024
_CHARSET = re.compile(rb"""CHARSET:\s*([\w-]+)|encoding\s*=\s*["']([\w-]+)""", re.IGNORECASE)
_CURRENCY = re.compile(r"[A-Z]{3}")

# Each aggregate that is looked into, and where it may stand. Other tags are values or of no interest.
_STATEMENTS = frozenset({"STMTRS", "CCSTMTRS"})
_PARENTS: dict[str, frozenset[str]] = {
    "OFX": frozenset({""}),
    "STMTRS": frozenset({"OFX"}),
    "CCSTMTRS": frozenset({"OFX"}),
    "BANKACCTFROM": _STATEMENTS,
    "CCACCTFROM": _STATEMENTS,
    "BANKTRANLIST": _STATEMENTS,
    "LEDGERBAL": _STATEMENTS,
    "AVAILBAL": _STATEMENTS,
    "STMTTRN": frozenset({"BANKTRANLIST"}),
}
_VALUES: dict[str, frozenset[str]] = {
    "STMTRS": frozenset({"CURDEF"}),
    "CCSTMTRS": frozenset({"CURDEF"}),
    "BANKACCTFROM": frozenset({"ACCTID"}),
    "CCACCTFROM": frozenset({"ACCTID"}),
    "LEDGERBAL": frozenset({"BALAMT", "DTASOF"}),
    "STMTTRN": frozenset({"DTPOSTED", "TRNAMT", "FITID", "NAME", "MEMO", "CHECKNUM", "TRNTYPE"}),
}
# A payee has a NAME too; anything else that is said twice makes the value a guess.
_MAY_REPEAT = frozenset({"NAME", "MEMO"})


def read_ofx(file: SourceFile, row_limit: int) -> Generator[int, None, Statement]:
    """Yields the number of movements read, every SLICE_ROWS; returns the statement.

    Raises:
        StatementError: the file is malformed, cut off, has no statement or several, or more than
            `row_limit` movements.
    """
    declared = _CHARSET.search(file.content[:_HEADER_BYTES])
    charset = charset_of(file.content, (declared[1] or declared[2]).decode() if declared else "")
    reader = _TagReader(file)
    reported = 0
    line = 1
    for tag in scan(file, text_pieces(file.content, charset)):
        line = tag.line
        try:
            reader.read(tag)
        except Unreadable as error:
            raise file.error(line, error.what) from None
        rows = len(reader.statement.movements)
        refuse_more_rows(file, line, rows, row_limit)
        if rows >= reported + SLICE_ROWS:
            reported = rows
            yield rows
    reader.finish(line)
    return reader.statement


class _TagReader:
    """Follows the aggregates, and acts when one that matters closes."""

    def __init__(self, file: SourceFile) -> None:
        self.statement = Statement(file.filename, "ofx")
        self._file = file
        self._open: list[Opened] = []
        self._values: dict[str, Opened] = {}
        self._statements = 0

    def read(self, tag: Opened | Closed) -> None:
        match tag:
            case Opened(name=name) if name in _PARENTS:
                self._begin(tag)
            case Closed(name=name) if name in _PARENTS:
                self._end(tag)
            case Opened(name=name) if self._open and name in _VALUES.get(self._open[-1].name, ()):
                self._note(tag)

    def finish(self, last_line: int) -> None:
        if self._open:
            raise self._cut_off(last_line, self._open[-1])
        if self._statements == 0:
            raise self._file.error(
                last_line,
                Localized(
                    pt="não há extrato de conta (STMTRS) neste OFX",
                    en="there is no account statement (STMTRS) in this OFX",
                ),
            )

    def _begin(self, tag: Opened) -> None:
        parent = self._open[-1] if self._open else None
        if (parent.name if parent else "") not in _PARENTS[tag.name]:
            if parent is not None and parent.name not in _STATEMENTS | {"OFX"}:
                raise self._cut_off(tag.line, parent)
            raise Unreadable(
                Localized(pt=f"<{tag.name}> está fora do lugar", en=f"<{tag.name}> is out of place"),
            )
        if tag.name in _STATEMENTS:
            self._statements += 1
            if self._statements > 1:
                raise Unreadable(
                    Localized(
                        pt="há mais de uma conta neste OFX; exporte uma por arquivo",
                        en="there is more than one account in this OFX; export one a file",
                    )
                )
        else:
            self._values = {}
        self._open.append(tag)

    def _end(self, tag: Closed) -> None:
        if not self._open or self._open[-1].name != tag.name:
            if self._open:
                raise self._cut_off(tag.line, self._open[-1])
            raise Unreadable(
                Localized(pt=f"</{tag.name}> fecha o que não foi aberto", en=f"</{tag.name}> closes what is not open")
            )
        opened = self._open.pop()
        match opened.name:
            case "STMTTRN":
                self._end_movement(opened)
            case "LEDGERBAL":
                self._end_balance(opened)
            case "BANKACCTFROM" | "CCACCTFROM" if "ACCTID" in self._values:
                self.statement.account = clean(self._values["ACCTID"].text, DESCRIPTION_LIMIT)

    def _note(self, tag: Opened) -> None:
        if tag.name == "CURDEF":
            if not _CURRENCY.fullmatch(tag.text):
                quoted = brief(tag.text)
                raise Unreadable(
                    Localized(pt=f"«{quoted}» não é uma moeda (CURDEF)", en=f"“{quoted}” is not a currency (CURDEF)")
                )
            self.statement.currency = tag.text
        elif tag.name not in self._values:
            self._values[tag.name] = tag
        elif tag.name not in _MAY_REPEAT:
            raise Unreadable(Localized(pt=f"<{tag.name}> aparece duas vezes", en=f"<{tag.name}> appears twice"))

    def _end_movement(self, opened: Opened) -> None:
        day, amount = self._required(opened, "DTPOSTED"), self._required(opened, "TRNAMT")
        text = {name: clean(tag.text, DESCRIPTION_LIMIT) for name, tag in self._values.items()}
        description = _description(text.get("NAME", ""), text.get("MEMO", "")) or text.get("TRNTYPE", "")
        cents = self._amount(amount)
        match balance_row(description):
            case BalanceRow.OPENING:
                if self.statement.opening_cents is None:
                    self.statement.opening_cents = cents
            case BalanceRow.CLOSING | BalanceRow.INTERIM:
                pass
            case None:
                try:
                    posted = parse_ofx_date(day.text)
                except Unreadable as error:
                    raise self._file.error(day.line, error.what) from None
                self.statement.movements.append(
                    Movement(
                        opened.line,
                        posted,
                        cents,
                        description,
                        document=text.get("CHECKNUM", ""),
                        identifier=text.get("FITID", ""),
                    )
                )

    def _end_balance(self, opened: Opened) -> None:
        self.statement.closing_cents = self._amount(self._required(opened, "BALAMT"))
        if "DTASOF" in self._values:
            self.statement.closing_day = parse_ofx_date(self._values["DTASOF"].text)

    def _required(self, opened: Opened, name: str) -> Opened:
        tag = self._values.get(name)
        if tag is None:
            raise self._file.error(
                opened.line,
                Localized(pt=f"falta {name} em <{opened.name}>", en=f"<{opened.name}> has no {name}"),
            )
        return tag

    def _amount(self, tag: Opened) -> int:
        try:
            return parse_amount(tag.text, last_mark(tag.text))
        except Unreadable as error:
            raise self._file.error(tag.line, error.what) from None

    def _cut_off(self, line: int, opened: Opened) -> Exception:
        return self._file.error(
            line,
            Localized(
                pt=f"falta </{opened.name}>, aberto na linha {opened.line}",
                en=f"</{opened.name}>, opened in line {opened.line}, is missing",
            ),
        )


def _description(name: str, memo: str) -> str:
    """Name and memo; often one repeats the other, or its beginning."""
    if name in memo:
        return memo
    return name if memo in name else f"{name} {memo}"
