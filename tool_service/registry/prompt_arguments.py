"""The blanks that several prompts share, so that one word means one thing in all of them."""

from tool_service.completions.calendar import months
from tool_service.completions.executions import visible_executions
from tool_service.completions.tasks import runnable_tasks
from tool_service.domain.language import Localized
from tool_service.domain.prompting import TextRule
from tool_service.registry.prompts import PromptArgument

TASK = PromptArgument(
    name="task",
    title=Localized(pt="Tarefa", en="Task"),
    description=Localized(pt="Slug ou id da tarefa.", en="Slug or id of the task."),
    rule=TextRule(limit=64),
    required=True,
    suggest=runnable_tasks,
)
EXECUTION = PromptArgument(
    name="execution",
    title=Localized(pt="Execução", en="Execution"),
    description=Localized(pt="Id da execução.", en="Id of the execution."),
    rule=TextRule(limit=64),
    required=True,
    suggest=visible_executions,
)
PERIOD = PromptArgument(
    name="period",
    title=Localized(pt="Período", en="Period"),
    description=Localized(
        pt="Mês como 2026-11, ou o período em palavras.", en="A month such as 2026-11, or the period in words."
    ),
    rule=TextRule(limit=60),
    required=True,
    suggest=months,
)
