"""What customers read when a turn ends without a result and the agent itself did not say why."""

from collections.abc import Mapping

from tool_service.domain.language import Localized

FAILURES: Mapping[str, Localized] = {
    "timeout": Localized(
        pt="A execução passou do tempo máximo da tarefa.", en="The execution took longer than the task allows."
    ),
    "internal_error": Localized(
        pt="Erro interno ao rodar o agente. Tente de novo; se persistir, informe o id da execução.",
        en="Internal error while running the agent. Try again; if it persists, report the execution's id.",
    ),
    "worker_lost": Localized(
        pt="A execução foi interrompida vezes demais e não terminou. Rode a tarefa de novo.",
        en="The execution was interrupted too many times and did not finish. Run the task again.",
    ),
    "input_rejected": Localized(
        pt="Um arquivo de entrada não está mais disponível.", en="An input file is no longer available."
    ),
    "dependency_unavailable": Localized(
        pt="O armazenamento de arquivos não respondeu. Rode a tarefa de novo.",
        en="The file storage did not answer. Run the task again.",
    ),
    "agent_error": Localized(
        pt="O agente devolveu um resultado que não pode ser guardado.",
        en="The agent returned a result that cannot be stored.",
    ),
}
