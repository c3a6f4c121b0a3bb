"""Reading a file: what it is, by its bytes and not by its name, and so which reader it goes to."""

import codecs
import re
from collections.abc import Generator

from tool_service.domain.language import Localized
from tool_service.domain.statements.csv_statement import read_csv
from tool_service.domain.statements.model import SourceFile, Statement
from tool_service.domain.statements.ofx_statement import read_ofx

_HEAD_BYTES = 4 * 1024
_OFX = re.compile(rb"OFXHEADER\s*[:=]|<OFX[\s>]", re.IGNORECASE)
# What people send by mistake, by the first bytes.
_OTHER_TYPES = {
    b"%PDF-": "PDF",
    b"PK\x03\x04": "XLSX/ZIP",
    b"\xd0\xcf\x11\xe0": "XLS",
    b"\x89PNG": "PNG",
    b"\xff\xd8\xff": "JPEG",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


def read_statement(file: SourceFile, row_limit: int) -> Generator[int, None, Statement]:
    """Yields the number of rows read, now and then; returns the statement.

    Raises:
        StatementError: the file is no OFX and no CSV statement, or a malformed one.
    """
    _refuse_what_is_no_text(file)
    read = read_ofx if _OFX.search(file.content[:_HEAD_BYTES]) else read_csv
    return (yield from read(file, row_limit))


def _refuse_what_is_no_text(file: SourceFile) -> None:
    for signature, name in _OTHER_TYPES.items():
        if file.content.startswith(signature):
            raise file.error(
                1,
                Localized(
                    pt=f"isto é {name}; leio extratos OFX e CSV em texto (UTF-8 ou Latin-1)",
                    en=f"this is {name}; I read OFX and CSV statements in text (UTF-8 or Latin-1)",
                ),
            )
    nul = file.content.find(b"\0")
    if nul >= 0:
        raise file.error(
            file.content.count(b"\n", 0, nul) + 1,
            Localized(pt="há bytes nulos; isto não é texto", en="there are NUL bytes; this is not text"),
        )
