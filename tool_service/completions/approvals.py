"""Approvals by id, newest first."""

from collections.abc import Mapping

from tool_service.context import Context
from tool_service.domain.completing import NOTHING, SUGGESTIONS_LIMIT, Suggestions
from tool_service.domain.identifiers import ids_beginning_with


async def own_approvals(context: Context, typed: str, filled: Mapping[str, str]) -> Suggestions:
    """Ids of the caller's own approvals."""
    between = ids_beginning_with(typed.strip())
    if between is None:
        return NOTHING
    found = await context.approvals.suggest_ids(context.caller.person_id, between, SUGGESTIONS_LIMIT + 1)
    return Suggestions.of([str(each) for each in found])
