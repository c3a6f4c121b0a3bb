"""Suggested values for an argument: how many at most, what can be searched for, and the calendar.

Pure. What comes from the database is found by the rooms that name the argument (completions/).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from tool_service.domain.third_party_text import harmless_line

SUGGESTIONS_LIMIT = 100
# Nothing that is suggested is longer, so a longer text cannot be the beginning of anything.
TYPED_LIMIT = 120
DAYS, MONTHS = 14, 12


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Values, best first; `total` is None when there are more than were counted."""

    values: tuple[str, ...] = ()
    total: int | None = 0
    has_more: bool = False

    @classmethod
    def of(cls, found: Sequence[str]) -> "Suggestions":
        """At most SUGGESTIONS_LIMIT of what was found; one more than that tells that there are more."""
        if len(found) <= SUGGESTIONS_LIMIT:
            return cls(tuple(found), len(found))
        return cls(tuple(found[:SUGGESTIONS_LIMIT]), None, has_more=True)


NOTHING = Suggestions()


def searchable(typed: str) -> str | None:
    """What was typed as text to search for; None when nothing can match it."""
    text = typed.strip()
    if len(text) > TYPED_LIMIT or harmless_line(text, TYPED_LIMIT) != text:
        return None
    return text


def beginning_with(typed: str, values: Iterable[str]) -> Suggestions:
    """Those of the values that begin with what was typed, whatever its case, in their order."""
    beginning = typed.strip().casefold()
    return Suggestions.of([each for each in values if each.casefold().startswith(beginning)])


def recent_days(today: date) -> list[str]:
    """The last DAYS days as YYYY-MM-DD, today first."""
    return [(today - timedelta(days=n)).isoformat() for n in range(DAYS)]


def recent_months(today: date) -> list[str]:
    """The last MONTHS months as YYYY-MM, this one first."""
    counted = today.year * 12 + today.month - 1
    return [f"{n // 12:04}-{n % 12 + 1:02}" for n in range(counted, counted - MONTHS, -1)]
