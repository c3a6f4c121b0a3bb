"""What is true of an object at this moment, for the person who is asked about it."""

from tool_service.domain.executions import Execution, Status
from tool_service.domain.language import Language, Localized
from tool_service.domain.money import format_brl
from tool_service.domain.previews import Fact
from tool_service.domain.tasks import Task

_TASK = Localized(pt="Tarefa", en="Task")
_STATE = Localized(pt="Situação", en="State")
_ENABLED = Localized(pt="ativa", en="enabled")
_DISABLED = Localized(pt="desativada", en="disabled")
_DELETED = Localized(pt="excluída", en="deleted")
_STATES = {
    Status.QUEUED: Localized(pt="na fila", en="queued"),
    Status.RUNNING: Localized(pt="em andamento", en="running"),
    Status.CANCELING: Localized(pt="sendo cancelada", en="being canceled"),
    Status.COMPLETED: Localized(pt="concluída", en="completed"),
    Status.NEEDS_INPUT: Localized(pt="aguardando uma resposta", en="waiting for an answer"),
    Status.FAILED: Localized(pt="falhou", en="failed"),
    Status.CANCELED: Localized(pt="cancelada", en="canceled"),
    Status.EXPIRED: Localized(pt="expirada", en="expired"),
}


def task_facts(task: Task) -> tuple[Fact, ...]:
    state = _DELETED if task.deleted else _ENABLED if task.enabled else _DISABLED
    facts = [Fact(_TASK, as_it_is(task.name)), Fact(_STATE, state)]
    if task.description:
        facts.insert(1, Fact(Localized(pt="Descrição", en="Description"), as_it_is(task.description)))
    return tuple(facts)


def execution_facts(execution: Execution) -> tuple[Fact, ...]:
    return (
        Fact(_TASK, as_it_is(execution.task.name)),
        Fact(_STATE, _STATES[execution.status]),
        Fact(Localized(pt="Pedida por", en="Requested by"), as_it_is(execution.requested_by.name)),
        Fact(Localized(pt="Gasto até agora", en="Spent so far"), money(execution.cost_cents)),
    )


def money(cents: int) -> Localized:
    return Localized(pt=format_brl(cents, Language.PORTUGUESE), en=format_brl(cents, Language.ENGLISH))


def as_it_is(text: str) -> Localized:
    """A name or a number, the same in every language."""
    return Localized(pt=text, en=text)
