"""Dates as banks write them. A time of day is ignored: a statement is kept by days, the bank's own.

Read: 31/12/2026, 31-12-2026, 31.12.2026, 31/12/26, 2026-12-31, 2026/12/31, 20261231. Never month first.
"""

import re
from datetime import date

from tool_service.domain.language import Localized
from tool_service.domain.statements.cleaning import brief
from tool_service.domain.statements.errors import Unreadable

_YEARS = range(1970, 2100)
_TIME = r"(?:[ T][0-9:.,+\-Zz ]{1,24})?"
_DAY_FIRST = re.compile(rf"([0-9]{{1,2}})([/.-])([0-9]{{1,2}})\2([0-9]{{4}}|[0-9]{{2}}){_TIME}")
_YEAR_FIRST = re.compile(rf"([0-9]{{4}})([/-]?)([0-9]{{2}})\2([0-9]{{2}}){_TIME}")
# YYYYMMDD, then HHMMSS.XXX and [offset:zone], each optional (OFX 1.6, 3.2.8).
_OFX = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})(?:[0-9]{2,6})?(?:\.[0-9]{1,6})?(?:\[[^\]]{0,20}\])?")


def parse_date(text: str) -> date:
    """The day of a CSV cell.

    Raises:
        Unreadable: it is no date, or one before 1970 or after 2099.
    """
    stripped = text.strip()
    if match := _DAY_FIRST.fullmatch(stripped):
        day, _, month, year = match.groups()
        return _date(text, int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    if match := _YEAR_FIRST.fullmatch(stripped):
        year, _, month, day = match.groups()
        return _date(text, int(year), int(month), int(day))
    raise _not_a_date(text)


def parse_ofx_date(text: str) -> date:
    """The day of an OFX datetime, as the bank wrote it: zones are not converted.

    Raises:
        Unreadable: as parse_date.
    """
    match = _OFX.fullmatch(text.strip())
    if match is None:
        raise _not_a_date(text)
    return _date(text, *map(int, match.groups()))


def _date(text: str, year: int, month: int, day: int) -> date:
    try:
        found = date(year, month, day)
    except ValueError:
        raise _not_a_date(text) from None
    if found.year not in _YEARS:
        raise _not_a_date(text)
    return found


def _not_a_date(text: str) -> Unreadable:
    quoted = brief(text)
    return Unreadable(
        Localized(
            pt=f"«{quoted}» não é uma data dia/mês/ano nem ano-mês-dia",
            en=f"“{quoted}” is neither a day/month/year nor a year-month-day date",
        )
    )
