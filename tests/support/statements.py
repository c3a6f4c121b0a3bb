"""Statements for tests: read them to the end, and write them as banks do."""

from collections.abc import Generator, Sequence
from datetime import date
from typing import TypeVar

from tool_service.domain.language import Language
from tool_service.domain.statements.errors import StatementError
from tool_service.domain.statements.model import Movement, SourceFile, Statement
from tool_service.domain.statements.reading import read_statement

T = TypeVar("T")


def finish(work: Generator[object, None, T]) -> T:
    """What the work returns, slice after slice."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def read(text: str | bytes, filename: str = "extrato.csv", row_limit: int = 1000) -> Statement:
    content = text.encode() if isinstance(text, str) else text
    return finish(read_statement(SourceFile(filename, content), row_limit))


def refusal(text: str | bytes, filename: str = "extrato.csv", row_limit: int = 1000) -> str:
    """What the person is told in Portuguese; fails when the file is read after all."""
    try:
        read(text, filename, row_limit)
    except StatementError as error:
        return error.message(Language.PORTUGUESE)
    raise AssertionError("the file was read")


def movement(day: str, cents: int, description: str = "PIX", **more: object) -> Movement:
    """A movement on an ISO day; its line is 1 unless told."""
    return Movement(**{"line": 1, "day": date.fromisoformat(day), "cents": cents, "description": description, **more})  # pyrefly: ignore


def statement_of(movements: Sequence[Movement], filename: str = "extrato.csv", **more: object) -> Statement:
    statement = Statement(filename, "csv", **more)  # pyrefly: ignore
    for each in movements:
        statement.movements.append(each)
    return statement


def ofx_transaction(day: str, amount: str, *, fitid: str = "", name: str = "PIX", extra: str = "") -> str:
    """One STMTTRN as SGML, four lines and those of `extra`."""
    identifier = f"<FITID>{fitid}\n" if fitid else ""
    return f"<STMTTRN>\n<DTPOSTED>{day}\n<TRNAMT>{amount}\n{identifier}<NAME>{name}\n{extra}</STMTTRN>\n"


def ofx(transactions: str, *, after: str = "", header: str = "OFXHEADER:100\nCHARSET:1252\n\n") -> str:
    """An OFX 1.x bank statement; without header its first transaction begins in line 6."""
    return (
        f"{header}<OFX>\n<STMTRS>\n<CURDEF>BRL\n<BANKACCTFROM><ACCTID>12345-6</BANKACCTFROM>\n<BANKTRANLIST>\n"
        f"{transactions}</BANKTRANLIST>\n{after}</STMTRS>\n</OFX>\n"
    )
