"""The created_from and created_to of lists. A bare date is that day in São Paulo; a naive time is refused."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import MISSING, Field

from tool_service.domain.errors import InvalidArguments
from tool_service.domain.language import Localized
from tool_service.domain.paging import ListArguments

HOUSE_TIMEZONE = ZoneInfo("America/Sao_Paulo")
# Answers show milliseconds, so an upper bound copied from one must include all of that millisecond.
_PRECISION = timedelta(milliseconds=1)

_Moment = Annotated[
    str,
    Field(
        min_length=10,
        max_length=40,
        description="YYYY-MM-DD (a day in America/Sao_Paulo) or ISO 8601 with an offset.",
    ),
]


class CreatedRangeArguments(ListArguments):
    """A list that can be cut by the time of creation, both ends included."""

    created_from: _Moment | MISSING = MISSING
    created_to: _Moment | MISSING = MISSING

    def created_between(self) -> tuple[datetime | None, datetime | None]:
        """From (included) and until (excluded).

        Raises:
            InvalidArguments: an end is no date, or a time without an offset.
        """
        start = None if self.created_from is MISSING else _start(self.created_from, "created_from", timedelta(0))
        end = None if self.created_to is MISSING else _end(self.created_to)
        return start, end


def _end(text: str) -> datetime:
    return _start(text, "created_to", timedelta(days=1) if len(text) == 10 else _PRECISION)


def _start(text: str, param: str, added: timedelta) -> datetime:
    try:
        if len(text) == 10:
            day = date.fromisoformat(text)
            return datetime.combine(day + added, time(), HOUSE_TIMEZONE).astimezone(UTC)
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            raise _refused(param, "Falta o fuso horário, por exemplo Z.", "The offset is missing, such as Z.")
        # The years of a date end, and with an offset UTC may lie behind their end.
        return moment.astimezone(UTC) + added
    except (ValueError, OverflowError) as error:
        raise _refused(param, "Data inválida.", "Not a date.") from error


def _refused(param: str, pt: str, en: str) -> InvalidArguments:
    return InvalidArguments("validation_error", Localized(pt=pt, en=en), param=param)
