"""The tags of OFX, of the SGML kind (1.x, values left open) and the XML kind (2.x) alike.

One scanner for both: real files mix them. It knows no document type and no entity but the characters of
XML and &nbsp;, so nothing can be expanded or fetched; a declaration (<!DOCTYPE, <!ENTITY) is refused.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tool_service.domain.language import Localized
from tool_service.domain.statements.model import SourceFile

# The longest value of OFX is a MEMO of 255 characters; a comment may be longer.
TOKEN_LIMIT = 64 * 1024

_TOKEN = re.compile(
    r"<(?P<close>/?)(?:[A-Za-z][\w.-]*:)?(?P<name>[A-Za-z][\w.-]*)(?:\s[^<>]*?)?(?P<empty>/?)>"
    r"|<!--.*?-->|<\?[^>]*>|<!\[CDATA\[(?P<cdata>.*?)\]\]>|(?P<text>[^<]+)",
    re.DOTALL,
)
_MARKUP_BEGINS = ("<!--", "<![CDATA[")
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos|nbsp)|#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " "}


@dataclass(frozen=True, slots=True)
class Opened:
    """`<NAME>` with the text up to the next tag, as written."""

    line: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Closed:
    line: int
    name: str


def scan(file: SourceFile, pieces: Iterable[str]) -> Iterator[Opened | Closed]:
    """The tags in order, names in capitals and without namespace; comments and processing instructions are dropped.

    Raises:
        StatementError: a tag is malformed or cut off, or declares something.
    """
    opened: tuple[int, str] | None = None
    text: list[str] = []
    length = 0
    for line, match in _tokens(file, pieces):
        if match["name"] is None:
            # Text outside of a value (line ends between tags, the header) says nothing.
            # References are resolved at the end, whole, and CDATA has none.
            part = match["text"] or (match["cdata"] or "").replace("&", "&amp;")
            if opened is not None and length < TOKEN_LIMIT:
                text.append(part)
                length += len(part)
            continue
        if opened is not None:
            yield Opened(*opened, _unescape("".join(text)).strip())
        opened, length = None, 0
        text.clear()
        name = match["name"].upper()
        if match["close"]:
            yield Closed(line, name)
        else:
            opened = line, name
            if match["empty"]:
                yield Opened(line, name, "")
                yield Closed(line, name)
                opened = None
    if opened is not None:
        yield Opened(*opened, _unescape("".join(text)).strip())


def _tokens(file: SourceFile, pieces: Iterable[str]) -> Iterator[tuple[int, re.Match[str]]]:
    line = 1
    pending = ""
    for piece in pieces:
        pending += piece
        position = 0
        while position < len(pending) and (match := _TOKEN.match(pending, position)):
            yield line, match
            line += match[0].count("\n")
            position = match.end()
        pending = pending[position:]
        if pending:
            _refuse_broken(file, line, pending)
    if pending:
        raise file.error(line, Localized(pt="o arquivo termina no meio de uma marca", en="the file ends inside a tag"))


def _refuse_broken(file: SourceFile, line: int, pending: str) -> None:
    """A tag that is not whole yet may become so with the next piece; some cannot."""
    if pending.startswith("<!") and not any(
        pending.startswith(begin) or begin.startswith(pending) for begin in _MARKUP_BEGINS
    ):
        raise file.error(
            line,
            Localized(
                pt="declarações como DOCTYPE e ENTITY não são aceitas",
                en="declarations such as DOCTYPE and ENTITY are not accepted",
            ),
        )
    if len(pending) > TOKEN_LIMIT or (">" in pending and not pending.startswith(_MARKUP_BEGINS)):
        raise file.error(line, Localized(pt="há uma marca mal formada", en="there is a malformed tag"))


def _unescape(text: str) -> str:
    """Character references resolved; unknown ones stay as they are, for banks write bare ampersands."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    name, decimal, hexadecimal = match.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    valid = 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF
    return chr(code) if valid else match[0]
