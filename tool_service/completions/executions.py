"""Executions by id, newest first."""

from collections.abc import Mapping

from tool_service.context import Context
from tool_service.domain.completing import NOTHING, SUGGESTIONS_LIMIT, Suggestions, searchable
from tool_service.domain.identifiers import ids_beginning_with


async def visible_executions(context: Context, typed: str, filled: Mapping[str, str]) -> Suggestions:
    """Ids of the executions that the caller may see, of the task filled in before where there is one."""
    between = ids_beginning_with(typed.strip())
    task = searchable(filled.get("task", ""))
    if between is None or task is None:
        return NOTHING
    found = await context.executions.suggest_ids(
        between, context.caller, task=task or None, limit=SUGGESTIONS_LIMIT + 1
    )
    return Suggestions.of([str(each) for each in found])
