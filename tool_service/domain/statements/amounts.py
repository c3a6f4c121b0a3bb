"""Amounts as banks write them, to exact cents.

Read: "1.234,56", "1,234.56", "R$ 10", "-R$ 5,00", "5,00-", "(5,00)", "5,00 D", "5,00 C", "−5,00".
Refused: more than two decimals that count, signs that contradict, groups that are not of three digits.
"""

import re
from typing import Literal

from tool_service.domain.language import Localized
from tool_service.domain.statements.cleaning import brief
from tool_service.domain.statements.errors import Unreadable

DecimalMark = Literal[",", "."]

# One trillion less a cent: no account holds more, and the columns of 64 bits do.
MAX_CENTS = 10**14 - 1

_LONGEST = 40
_MINUS_SIGNS = str.maketrans({"−": "-", "–": "-", "\u00a0": None, "\u202f": None, " ": None, "\t": None})


def _pattern(decimal: str, group: str) -> re.Pattern[str]:
    return re.compile(
        r"(?P<open>\()?(?P<before>[-+])?(?:(?:R\$|BRL)(?P<inner>[-+])?)?"
        rf"(?P<whole>[0-9]{{1,3}}(?:{group}[0-9]{{3}})+|[0-9]*)(?:{decimal}(?P<fraction>[0-9]+))?"
        r"(?P<close>\))?(?P<after>[-+DC])?"
    )


_PATTERNS: dict[DecimalMark, re.Pattern[str]] = {",": _pattern(",", r"\."), ".": _pattern(r"\.", ",")}
_SEPARATED = re.compile(r"[0-9]*(?:[.,][0-9]*)+")


def parse_amount(text: str, mark: DecimalMark) -> int:
    """Cents, below zero for money that goes out.

    Raises:
        Unreadable: it is not an amount with that decimal mark, or not a whole number of cents.
    """
    compact = text.translate(_MINUS_SIGNS).upper()
    match = _PATTERNS[mark].fullmatch(compact) if len(compact) <= _LONGEST else None
    if match is None or bool(match["open"]) != bool(match["close"]):
        raise _not_an_amount(text)
    whole, fraction = match["whole"].replace(".", "").replace(",", ""), (match["fraction"] or "").rstrip("0")
    if not whole and match["fraction"] is None:
        raise _not_an_amount(text)
    if len(fraction) > 2:
        quoted = brief(text)
        raise Unreadable(
            Localized(
                pt=f"o valor «{quoted}» tem mais de duas casas decimais",
                en=f"the amount “{quoted}” has more than two decimals",
            )
        )
    cents = int(whole or "0") * 100 + int(fraction.ljust(2, "0"))
    if cents > MAX_CENTS:
        raise _not_an_amount(text)
    signs = {match["before"], match["inner"], match["after"]} - {None}
    outward = bool(match["open"]) or bool(signs & {"-", "D"})
    if outward and signs & {"+", "C"}:
        raise _not_an_amount(text)
    return -cents if outward else cents


def last_mark(text: str) -> DecimalMark:
    """The decimal mark of an OFX amount: the last separator, since thousands have none (OFX 1.6, 3.2.9.1)."""
    return "," if text.rfind(",") > text.rfind(".") else "."


def evident_mark(text: str) -> DecimalMark | None:
    """The decimal mark that the amount gives away, or None when it fits both ("1.234", "10")."""
    found = _SEPARATED.search(text)
    if found is None:
        return None
    number = found[0]
    last: DecimalMark = last_mark(number)
    other: DecimalMark = "." if last == "," else ","
    whole, _, fraction = number.rpartition(last)
    if other in whole:
        return last
    if last in whole:
        return other
    groups = len(fraction) == 3 and 1 <= len(whole) <= 3 and whole != "0"
    return None if groups else last


def _not_an_amount(text: str) -> Unreadable:
    quoted = brief(text)
    return Unreadable(Localized(pt=f"«{quoted}» não é um valor", en=f"“{quoted}” is not an amount"))
