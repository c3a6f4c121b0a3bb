"""Calls of every operation, right and wrong, for the suites that go through both faces.

`status` and `code` are what the specification says of the call; the suites add that both faces agree.
"""

from dataclasses import dataclass
from typing import Any

from tests.support import world

LONG = "x" * 121


@dataclass(frozen=True)
class Case:
    operation: str
    arguments: dict[str, Any]
    status: int
    code: str | None = None
    role: str = "manager"
    scopes: str = "kadu.admin"
    language: str = ""

    def __str__(self) -> str:
        return f"{self.operation}-{self.role}-{self.code or self.status}-{'-'.join(map(str, self.arguments))}"


def _id(value: object) -> dict[str, Any]:
    return {"id": str(value)}


FILE = {"filename": "extrato.ofx", "content_type": "application/x-ofx", "size_bytes": 3}
TASK = {"name": "Conciliação diária", "instructions": "Concilie os dois extratos."}

PERMISSIONS: dict[str, Any] = {"mode": "managers", "visibility": "organization", "grants": [], "version": 1}
GRANTS: list[dict[str, Any]] = [
    {"principal_type": "member", "principal_id": str(world.MEMBERS["operator"]), "access": "run"},
    {"principal_type": "role", "principal_id": "viewer", "access": "view"},
]

CASES = [
    Case("me_get", {}, 200),
    Case("me_get", {}, 403, "insufficient_scope", scopes="kadu.tasks.read"),
    Case("me_get", {}, 200, role="viewer", language="en"),
    Case("organization_get", {}, 200),
    Case("organization_get", {}, 403, "insufficient_scope", scopes="kadu.tasks.read", language="en"),
    Case("approvals_list", {}, 200),
    Case("approvals_list", {"status": "pending,expired", "limit": 1}, 200, language="en"),
    Case("approvals_list", {}, 200, role="owner"),
    Case("approvals_list", {}, 200, role="viewer"),
    Case("approvals_list", {"status": "open"}, 422, "validation_error"),
    Case("approvals_list", {"cursor": "made-up"}, 400, "invalid_cursor"),
    Case("approvals_list", {}, 403, "insufficient_scope", scopes="kadu.tasks.read"),
    Case("approvals_get", _id(world.WAITING), 200),
    Case("approvals_get", _id(world.DECIDED), 200, language="en"),
    Case("approvals_get", _id(world.OF_OWNER_WAITING), 404, "not_found"),
    Case("approvals_get", _id("nothing"), 404, "not_found", role="owner"),
    Case("files_list", {}, 200),
    Case("files_list", {"purpose": "input", "status": "ready, expired", "q": "EXTRATO", "limit": 1}, 200, role="owner"),
    Case("files_list", {"created_from": "2026-11-22"}, 200, role="viewer", language="en"),
    Case("files_list", {"execution_id": str(world.COMPLETED)}, 200, role="operator"),
    Case("files_list", {"status": "gone"}, 422, "validation_error"),
    Case("files_list", {"execution_id": "no id"}, 422, "validation_error", language="en"),
    Case("files_list", {"cursor": "made-up"}, 400, "invalid_cursor"),
    Case("files_list", {}, 403, "insufficient_scope", scopes="kadu.tasks.read"),
    Case("tasks_list", {}, 200),
    Case("tasks_list", {"limit": 2}, 200),
    Case("tasks_list", {"limit": 1, "q": "RESUMO", "enabled": True, "tags": "banco, diario"}, 200, role="viewer"),
    Case("tasks_list", {"runnable": False, "created_from": "2026-11-22", "created_to": "2026-12-01"}, 200),
    Case("tasks_list", {"limit": 0}, 422, "validation_error"),
    Case("tasks_list", {"limit": 101}, 422, "validation_error", language="en"),
    Case("tasks_list", {"cursor": "made-up"}, 400, "invalid_cursor"),
    Case("tasks_list", {"created_from": "2026-12-01T12:00:00"}, 422, "validation_error"),
    Case("tasks_list", {}, 403, "insufficient_scope", scopes="kadu.organization.read"),
    Case("tasks_get", _id(world.TASK), 200),
    Case("tasks_get", _id("resumo"), 200, role="viewer"),
    Case("tasks_get", _id(world.RESTRICTED_TASK), 404, "not_found", role="operator"),
    Case("tasks_get", _id(world.FOREIGN_TASK), 404, "not_found", role="owner"),
    Case("tasks_get", _id(world.NO_SUCH), 404, "not_found", language="en-US,en;q=0.9"),
    Case("tasks_create", TASK, 201),
    Case(
        "tasks_create",
        {
            **TASK,
            "slug": "outra",
            "description": "Todo dia.",
            "input_schema": world.MONTH_SCHEMA,
            "default_max_cost_cents": 100,
            "timeout_seconds": 60,
            "enabled": False,
            "external_id": "erp-1",
            "tags": ["a", "b", "a"],
            "custom_data": {"n": 9007199254740993},
        },
        201,
        role="owner",
    ),
    Case("tasks_create", {**TASK, "slug": "resumo"}, 409, "slug_taken"),
    Case("tasks_create", {"name": LONG, "tags": "[]", "x": 1}, 422, "validation_error"),
    Case("tasks_create", {**TASK, "input_schema": {"type": "array"}}, 422, "validation_error"),
    Case("tasks_create", TASK, 403, "forbidden", role="operator"),
    Case("tasks_create", TASK, 403, "insufficient_scope", scopes="kadu.read"),
    Case("tasks_update", {**_id(world.TASK), "name": "Novo nome", "version": 1}, 200),
    Case("tasks_update", {**_id("resumo"), "external_id": "", "tags": [], "custom_data": {}}, 200),
    Case("tasks_update", {**_id(world.TASK), "name": "Novo nome", "version": 7}, 409, "version_conflict"),
    Case("tasks_update", {**_id(world.TASK), "slug": "so-gestores"}, 409, "slug_taken"),
    Case("tasks_update", {**_id(world.NO_SUCH), "name": "x"}, 404, "not_found"),
    Case("tasks_update", {**_id(world.TASK), "enabled": "true"}, 422, "validation_error"),
    Case("task_permissions_get", _id(world.TASK), 200),
    Case("task_permissions_get", _id("restrita"), 200, role="owner", language="en"),
    Case("task_permissions_get", _id(world.RESTRICTED_TASK), 404, "not_found", role="operator"),
    Case("task_permissions_get", _id(world.TASK), 403, "forbidden", role="viewer"),
    Case("task_permissions_update", {**_id(world.TASK), **PERMISSIONS}, 200),
    Case(
        "task_permissions_update",
        {**_id("resumo"), **PERMISSIONS, "mode": "restricted", "visibility": "restricted", "grants": GRANTS},
        200,
        role="owner",
    ),
    Case("task_permissions_update", {**_id(world.TASK), **PERMISSIONS, "version": 7}, 409, "version_conflict"),
    Case("task_permissions_update", {**_id(world.TASK), **PERMISSIONS, "mode": "all"}, 422, "validation_error"),
    Case(
        "task_permissions_update",
        {**_id(world.TASK), **PERMISSIONS, "grants": [{**GRANTS[0], "principal_id": str(world.STRANGER_MEMBER)}]},
        422,
        "unknown_member",
        language="en",
    ),
    Case(
        "task_permissions_update",
        {**_id(world.TASK), **PERMISSIONS, "grants": [GRANTS[0], GRANTS[0]]},
        422,
        "validation_error",
    ),
    Case(
        "task_permissions_update",
        {**_id(world.TASK), **PERMISSIONS, "grants": [{**GRANTS[1], "principal_id": "boss"}]},
        422,
        "validation_error",
    ),
    Case("task_permissions_update", {**_id(world.TASK), **PERMISSIONS}, 403, "forbidden", role="operator"),
    Case("task_permissions_update", {**_id(world.NO_SUCH), **PERMISSIONS}, 404, "not_found"),
    Case("tasks_delete", _id(world.TASK), 204),
    Case("tasks_delete", _id("resumo"), 204, role="owner"),
    Case("tasks_delete", _id(world.BUSY_TASK), 409, "task_has_running_executions"),
    Case("tasks_delete", _id(world.FOREIGN_TASK), 404, "not_found"),
    Case("tasks_delete", _id(world.TASK), 403, "forbidden", role="viewer"),
    Case("tasks_run", {**_id(world.TASK), "message": "Resuma."}, 202, role="operator"),
    Case(
        "tasks_run",
        {
            **_id(world.SCHEMA_TASK),
            "params": {"month": "2026-11"},
            "input_file_ids": [str(world.READY_FILE)],
            "max_cost_cents": 10,
            "external_id": "x",
            "tags": ["t"],
            "custom_data": {"a": [1, 2]},
        },
        202,
        role="operator",
    ),
    Case("tasks_run", {**_id(world.SCHEMA_TASK), "params": {"month": "November"}}, 422, "validation_error"),
    Case("tasks_run", _id(world.TASK), 422, "validation_error"),
    Case("tasks_run", {**_id(world.DISABLED_TASK), "message": "x"}, 409, "task_disabled"),
    Case(
        "tasks_run",
        {**_id(world.MANAGERS_TASK), "message": "x"},
        403,
        "task_trigger_not_allowed",
        role="operator",
    ),
    Case(
        "tasks_run",
        {**_id(world.TASK), "message": "x", "input_file_ids": [str(world.PENDING_FILE)]},
        409,
        "file_not_ready",
    ),
    Case(
        "tasks_run",
        {**_id(world.TASK), "message": "x", "input_file_ids": [str(world.FOREIGN_FILE)]},
        422,
        "unknown_file",
    ),
    Case("tasks_run", {**_id(world.TASK), "message": "x", "max_cost_cents": 1_000_001}, 422, "max_cost_too_high"),
    Case("tasks_run", {**_id(world.TASK), "message": "x"}, 403, "forbidden", role="viewer"),
    Case("executions_list", {}, 200),
    Case("executions_list", {"status": "completed,failed", "limit": 1}, 200, role="viewer"),
    Case("executions_list", {"requested_by": "me", "task_id": str(world.TASK)}, 200, role="operator"),
    Case("executions_list", {"status": "done"}, 422, "validation_error"),
    Case("executions_get", _id(world.COMPLETED), 200),
    Case("executions_get", _id(world.RUNNING), 200, role="viewer"),
    Case("executions_get", _id(world.HIDDEN), 404, "not_found", role="viewer"),
    Case("executions_get", _id("not-an-id"), 404, "not_found"),
    Case("executions_cancel", _id(world.QUEUED), 200, role="operator"),
    Case("executions_cancel", {**_id(world.RUNNING), "reason": "Engano."}, 202),
    Case("executions_cancel", _id(world.COMPLETED), 409, "execution_already_finished"),
    Case("executions_cancel", _id(world.OF_OWNER), 403, "forbidden", role="operator"),
    Case("execution_outputs_list", _id(world.COMPLETED), 200),
    Case("execution_outputs_list", _id(world.NO_SUCH), 404, "not_found"),
    Case("files_create", FILE, 201, role="operator"),
    Case("files_create", {**FILE, "filename": "../x.ofx"}, 422, "validation_error"),
    Case("files_create", {**FILE, "content_type": "application/x-msdownload"}, 422, "file_type_not_allowed"),
    Case("files_create", {**FILE, "size_bytes": 52_428_801}, 422, "file_too_large"),
    Case("files_create", FILE, 403, "forbidden", role="viewer"),
    Case("files_confirm", _id(world.READY_FILE), 200, role="operator"),
    Case("files_confirm", _id(world.PENDING_FILE), 409, "upload_missing"),
    Case("files_confirm", _id(world.EXPIRED_FILE), 409, "upload_expired"),
    Case("files_get", _id(world.READY_FILE), 200),
    Case("files_get", _id(world.FOREIGN_FILE), 404, "not_found"),
    Case("files_get", _id(world.READY_FILE), 404, "not_found", role="viewer"),
    Case("files_download", _id(world.READY_FILE), 200, role="operator"),
    Case("files_download", _id(world.PENDING_FILE), 409, "file_not_ready"),
    Case("files_download", _id(world.PURGED_FILE), 410, "file_purged"),
]
