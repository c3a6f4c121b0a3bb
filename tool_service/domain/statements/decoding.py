"""From bytes to text, a piece at a time: which charset a file is in, and its lines.

A single decode of 50 MiB would hold the interpreter for a tenth of a second; pieces do not.
"""

import codecs
from collections.abc import Iterator

from tool_service.domain.language import Localized
from tool_service.domain.statements.model import SourceFile

LINE_LIMIT = 64 * 1024

_PIECE_BYTES = 64 * 1024
_UTF8_BOM = codecs.BOM_UTF8
_FALLBACK = "cp1252"
# What OFX headers and XML declarations call the charsets that banks use. ISO-8859-1 is read as its
# superset, as browsers do (WHATWG Encoding Standard, section 4.2).
_DECLARED = {
    "1252": "cp1252",
    "windows-1252": "cp1252",
    "iso-8859-1": "cp1252",
    "8859-1": "cp1252",
    "latin1": "cp1252",
    "iso-8859-15": "iso8859-15",
    "850": "cp850",
}


def charset_of(content: bytes, declared: str = "") -> str:
    """A Python codec name. Bytes that are valid UTF-8 are UTF-8, whatever the header claims.

    Headers lie often, and accented text of another charset is practically never valid UTF-8.
    Otherwise the declared charset counts, and without a known one CP1252, which holds Latin-1.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(content), _PIECE_BYTES):
            decoder.decode(content[start : start + _PIECE_BYTES])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return _DECLARED.get(declared.strip().lower(), _FALLBACK)
    return "utf-8"


def text_pieces(content: bytes, charset: str) -> Iterator[str]:
    """The text in order, without byte order mark; every line ends in a line feed, whatever it ended in."""
    decoder = codecs.getincrementaldecoder(charset)(errors="replace")
    held = ""
    for start in range(len(_UTF8_BOM) if content.startswith(_UTF8_BOM) else 0, len(content), _PIECE_BYTES):
        piece = held + decoder.decode(content[start : start + _PIECE_BYTES])
        # The line feed of a CR LF pair may come with the next piece.
        held = "\r" if piece.endswith("\r") else ""
        yield piece.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n")
    yield (held + decoder.decode(b"", final=True)).replace("\r", "\n")


def text_lines(file: SourceFile, charset: str) -> Iterator[str]:
    """The lines, each with its line feed.

    Raises:
        StatementError: a line is longer than LINE_LIMIT characters.
    """
    number = 1
    rest = ""
    for piece in text_pieces(file.content, charset):
        *lines, rest = (rest + piece).split("\n")
        for line in lines:
            if len(line) > LINE_LIMIT:
                raise _too_long(file, number)
            yield line + "\n"
            number += 1
        if len(rest) > LINE_LIMIT:
            raise _too_long(file, number)
    if rest:
        yield rest


def _too_long(file: SourceFile, line: int) -> Exception:
    return file.error(
        line,
        Localized(
            pt=f"a linha passa de {LINE_LIMIT} caracteres; isto não parece um extrato",
            en=f"the line is longer than {LINE_LIMIT} characters; this does not look like a statement",
        ),
    )
