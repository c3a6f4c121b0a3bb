"""Days and months that people ask about: the latest first, in the caller's time zone."""

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from tool_service.context import Context
from tool_service.domain.completing import Suggestions, beginning_with, recent_days, recent_months


def local_now(context: Context) -> datetime:
    """What the caller's clock on the wall says."""
    return context.clock.now().astimezone(ZoneInfo(context.caller.timezone))


async def days(context: Context, typed: str, filled: Mapping[str, str]) -> Suggestions:
    """The last 14 days as YYYY-MM-DD, today first."""
    return beginning_with(typed, recent_days(local_now(context).date()))


async def months(context: Context, typed: str, filled: Mapping[str, str]) -> Suggestions:
    """The last 12 months as YYYY-MM, this one first."""
    return beginning_with(typed, recent_months(local_now(context).date()))
