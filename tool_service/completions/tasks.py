"""Tasks by slug; what was typed is part of the slug or of the name."""

from collections.abc import Mapping

from tool_service.context import Context
from tool_service.domain.completing import NOTHING, SUGGESTIONS_LIMIT, Suggestions, searchable


async def visible_tasks(context: Context, typed: str, filled: Mapping[str, str]) -> Suggestions:
    """Slugs of the tasks that the caller may see."""
    return await _slugs(context, typed, runnable_only=False)


async def runnable_tasks(context: Context, typed: str, filled: Mapping[str, str]) -> Suggestions:
    """Slugs of the tasks that the caller may run."""
    return await _slugs(context, typed, runnable_only=True)


async def _slugs(context: Context, typed: str, *, runnable_only: bool) -> Suggestions:
    text = searchable(typed)
    if text is None:
        return NOTHING
    found = await context.tasks.suggest_slugs(
        text, context.caller, runnable_only=runnable_only, limit=SUGGESTIONS_LIMIT + 1
    )
    return Suggestions.of(found)
