"""Every figure and list that a document may name, taken from what the code itself obeys."""

from datetime import timedelta

from tool_service.domain.completing import SUGGESTIONS_LIMIT
from tool_service.domain.documents import READ_LIMIT_BYTES
from tool_service.domain.error_catalogue import CATALOGUE
from tool_service.domain.execution_outputs import DATA_LIMIT_BYTES, FILES_LIMIT, TEXT_LIMIT, TEXT_SHOWN
from tool_service.domain.executions import CANCELING_AT_MOST, MAX_ATTEMPTS, PER_EXECUTION_CAP_CENTS, QUEUED_AT_MOST
from tool_service.domain.file_types import ALLOWED_TYPES
from tool_service.domain.files import DOWNLOAD_LIFETIME, SIZE_LIMIT_BYTES, UPLOAD_LIFETIME
from tool_service.domain.idempotency import RETENTION
from tool_service.domain.language import Language
from tool_service.domain.money import format_brl
from tool_service.domain.paging import CURSOR_LIFETIME
from tool_service.domain.task_inputs import PARAMS_LIMIT_BYTES
from tool_service.domain.tasks import (
    CUSTOM_DATA_LIMIT_BYTES,
    DEFAULT_MAX_COST_CENTS,
    DEFAULT_TIMEOUT_SECONDS,
    INPUT_SCHEMA_LIMIT_BYTES,
)
from tool_service.registry import Registry

_HEADS = {
    Language.PORTUGUESE: "| Código | Status | Título | Dica (em inglês) |",
    Language.ENGLISH: "| Code | Status | Title | Hint |",
}


def figures(language: Language, registry: Registry) -> dict[str, str]:
    """The texts behind the names, as the language writes them."""

    def count(number: int) -> str:
        return f"{number:,}".replace(",", "." if language is Language.PORTUGUESE else ",")

    return {
        "canceling_seconds": _whole(CANCELING_AT_MOST, seconds=1),
        "cursor_hours": _whole(CURSOR_LIFETIME, hours=1),
        "custom_data_kb": count(CUSTOM_DATA_LIMIT_BYTES // 1024),
        "default_cost": format_brl(DEFAULT_MAX_COST_CENTS, language),
        "default_timeout_minutes": count(DEFAULT_TIMEOUT_SECONDS // 60),
        "destructive_tools": ", ".join(f"`{each.tool_name}`" for each in registry.operations if each.destructive),
        "download_minutes": _whole(DOWNLOAD_LIFETIME, minutes=1),
        "error_table": _error_table(language),
        "extensions": ", ".join(sorted({each for kind in ALLOWED_TYPES.values() for each in kind.extensions})),
        "file_mib": count(SIZE_LIMIT_BYTES // 1024 // 1024),
        "idempotency_hours": _whole(RETENTION, hours=1),
        "input_schema_kb": count(INPUT_SCHEMA_LIMIT_BYTES // 1024),
        "max_attempts": count(MAX_ATTEMPTS),
        "max_cost": format_brl(PER_EXECUTION_CAP_CENTS, language),
        "output_data_kib": count(DATA_LIMIT_BYTES // 1024),
        "output_files": count(FILES_LIMIT),
        "output_text": count(TEXT_LIMIT),
        "params_kb": count(PARAMS_LIMIT_BYTES // 1024),
        "queued_hours": _whole(QUEUED_AT_MOST, hours=1),
        "read_kib": count(READ_LIMIT_BYTES // 1024),
        "suggestions": count(SUGGESTIONS_LIMIT),
        "text_shown": count(TEXT_SHOWN),
        "upload_minutes": _whole(UPLOAD_LIFETIME, minutes=1),
    }


def _whole(duration: timedelta, **unit: int) -> str:
    """How many of the unit it lasts: `_whole(timedelta(hours=1), minutes=1)` is "60"."""
    return str(duration // timedelta(**unit))


def _error_table(language: Language) -> str:
    rows = [
        f"| `{code}` | {entry.status} | {entry.title.in_(language)} | {entry.hint or '–'} |"
        for code, entry in sorted(CATALOGUE.items(), key=lambda each: (each[1].status, each[0]))
    ]
    return "\n".join([_HEADS[language], "| --- | --- | --- | --- |", *rows])
