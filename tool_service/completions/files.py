"""Files by id, newest first; what was typed begins the id or is part of the file's name."""

from collections.abc import Mapping

from tool_service.context import Context
from tool_service.domain.completing import NOTHING, SUGGESTIONS_LIMIT, Suggestions, searchable
from tool_service.domain.identifiers import ids_beginning_with


async def visible_files(context: Context, typed: str, filled: Mapping[str, str]) -> Suggestions:
    """Ids of the files that the caller may see."""
    text = searchable(typed)
    if text is None:
        return NOTHING
    found = await context.files.suggest_ids(text, ids_beginning_with(text), context.caller, limit=SUGGESTIONS_LIMIT + 1)
    return Suggestions.of([str(each) for each in found])
