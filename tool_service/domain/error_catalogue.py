"""Every error code, with its status on both faces, its title and the next step.

`status` is the HTTP status of the REST route; it also stands inside the body, which is
the text of the MCP result. `hint` is English, for the model.
"""

from dataclasses import dataclass

from tool_service.domain.language import Localized


@dataclass(frozen=True, slots=True)
class ErrorEntry:
    status: int
    title: Localized
    hint: str | None = None


def _entry(status: int, pt: str, en: str, hint: str | None = None) -> ErrorEntry:
    return ErrorEntry(status, Localized(pt=pt, en=en), hint)


_TAKEN = ("Já existe um registro com este valor", "Value already used", "Use the existing one or choose another.")
_REFUSED_FILE = ("Arquivo recusado", "File refused")
_REFUSED_UPLOAD = ("Upload recusado", "Upload refused", "Send exactly the headers of upload and the whole file.")

CATALOGUE: dict[str, ErrorEntry] = {
    "bad_request": _entry(400, "Requisição mal formatada", "Malformed request", "Fix the JSON and send it again."),
    "invalid_get_param": _entry(
        400, "Parâmetro GET inválido", "Invalid query parameter", "Remove or correct the named parameter."
    ),
    "invalid_cursor": _entry(
        400, "Cursor inválido ou expirado", "Invalid or expired cursor", "Start again without cursor."
    ),
    "upload_header_mismatch": _entry(400, *_REFUSED_UPLOAD),
    "upload_too_short": _entry(400, *_REFUSED_UPLOAD),
    "unauthorized": _entry(401, "Token inválido", "Invalid token"),
    "plan_limit_reached": _entry(
        402, "Limite do plano atingido", "Plan limit reached", "Tell the person; do not retry before resets_at."
    ),
    "cost_cap_reached": _entry(
        402,
        "Teto de custo atingido",
        "Cost cap reached",
        "An owner must raise the cap in the app; do not retry.",
    ),
    "storage_limit_reached": _entry(402, "Armazenamento esgotado", "Storage used up", "Delete files or upgrade."),
    "forbidden": _entry(
        403,
        "Operação não autorizada",
        "Not allowed",
        "The person's role does not allow this; ask a manager.",
    ),
    "insufficient_scope": _entry(403, "Falta um escopo", "Missing scope", "Reconnect granting the named scope."),
    "task_trigger_not_allowed": _entry(
        403,
        "Você não pode disparar esta tarefa",
        "You may not trigger this task",
        "Ask a manager to grant run access.",
    ),
    "signed_url_invalid": _entry(
        403, "URL assinada inválida", "Invalid signed URL", "Use the URL whole, exactly as it was given."
    ),
    "signed_url_expired": _entry(
        403,
        "URL assinada expirada",
        "Expired signed URL",
        "Ask for a fresh one with kadu_files_create or kadu_files_download.",
    ),
    "not_found": _entry(
        404, "Não foi possível encontrar o registro", "Record not found", "Check the id with the list tool."
    ),
    "method_not_allowed": _entry(405, "Método não permitido", "Method not allowed"),
    "idempotency_key_in_progress": _entry(
        409,
        "Operação com esta chave em andamento",
        "Same key still in progress",
        "Wait retry_after seconds, send the same call.",
    ),
    "version_conflict": _entry(
        409, "O registro mudou", "Record changed", "Read it again, then retry with the new version."
    ),
    "slug_taken": _entry(409, *_TAKEN),
    "task_disabled": _entry(409, "Tarefa desativada", "Task disabled"),
    "task_has_running_executions": _entry(
        409, "Há execuções em andamento", "Executions still running", "Cancel them first."
    ),
    "execution_already_finished": _entry(
        409, "Execução já terminou", "Execution already finished", "Nothing to cancel."
    ),
    "file_not_ready": _entry(409, "Arquivo não está pronto", "File not ready", "Confirm it, or wait."),
    "upload_missing": _entry(
        409, "Upload não encontrado", "Upload missing", "PUT the bytes, or create the file again."
    ),
    "upload_expired": _entry(409, "Upload expirado", "Upload expired", "Create the file again."),
    "upload_closed": _entry(
        409, "Upload já confirmado", "Upload already confirmed", "Create another file for other bytes."
    ),
    "file_purged": _entry(410, "Conteúdo removido pela retenção", "Content purged"),
    "length_required": _entry(411, *_REFUSED_UPLOAD),
    "upload_too_long": _entry(413, *_REFUSED_UPLOAD),
    "payload_too_large": _entry(413, "Corpo acima de 1 MB", "Body over 1 MB", "Send files by pre-signed URL."),
    "unsupported_media_type": _entry(
        415, "Tipo de conteúdo não aceito", "Unsupported media type", "Use application/json."
    ),
    "validation_error": _entry(422, "Parâmetro inválido", "Invalid parameter", "Fix `param` and call again."),
    "idempotency_key_mismatch": _entry(
        422, "Chave já usada com outros dados", "Key used with other data", "Use a new key for a new call."
    ),
    "unknown_member": _entry(422, "Referência desconhecida", "Unknown reference", "List valid values first."),
    "unknown_file": _entry(422, "Referência desconhecida", "Unknown reference", "List valid values first."),
    "file_type_not_allowed": _entry(422, *_REFUSED_FILE),
    "file_too_large": _entry(422, *_REFUSED_FILE),
    "checksum_mismatch": _entry(422, *_REFUSED_FILE),
    "size_mismatch": _entry(422, *_REFUSED_FILE),
    "max_cost_too_high": _entry(422, "Valor acima do permitido", "Value above limit", "See kadu_plan_get."),
    "too_many_pending_approvals": _entry(
        429,
        "Há confirmações demais à espera",
        "Too many confirmations are waiting",
        "Ask the person to decide the ones that wait (kadu_approvals_list), or wait until they expire.",
    ),
    "queue_full": _entry(429, "Fila cheia", "Queue full", "Wait, or cancel something."),
    "confirmation_declined": _entry(
        403, "Você cancelou a operação", "The person declined", "Do not retry unless asked."
    ),
    "confirmation_outdated": _entry(
        409, "O que foi confirmado já não vale", "What was confirmed has changed", "Call again to ask anew."
    ),
    "internal_error": _entry(500, "Erro interno", "Internal error", "Retry once; then report request_id."),
    "service_unavailable": _entry(503, "Serviço indisponível", "Service unavailable", "Wait retry_after seconds."),
}
