"""One function per table: insert a valid row on a connection, and answer the row as a dict.

Everything has a default and every column can be given by its name. What a row refers to
(organization, member, task, ...) is given by the caller, or made when it is left out.
"""

from datetime import timedelta
from itertools import count
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tests.support.clock import NOON, fake_id
from tool_service.db import tables
from tool_service.domain.language import Localized
from tool_service.domain.previews import Preview, write_preview

Row = dict[str, Any]

# Ids and unique texts differ within one session; nothing may depend on their values.
# They begin far above those that FakeIds of one test hand out.
_numbers = count(1_000_000)


async def add_organization(connection: AsyncConnection, **columns: Any) -> Row:
    defaults: Row = {
        "name": "Padaria Aurora Ltda.",
        "document_number": "12345678000195",
        "environment": "sandbox",
        "status": "active",
        "locale": "pt-BR",
        "timezone": "America/Sao_Paulo",
        "plan_name": "starter",
    }
    return await _add(connection, tables.organizations, defaults, columns)


async def add_person(connection: AsyncConnection, **columns: Any) -> Row:
    defaults: Row = {
        "email": f"pessoa{next(_numbers)}@example.com",
        "name": "Ana Souza",
        "kind": "person",
        "locale": None,
        "timezone": None,
    }
    return await _add(connection, tables.people, defaults, columns)


async def add_member(connection: AsyncConnection, **columns: Any) -> Row:
    """An active owner."""
    defaults: Row = {"role": "owner", "status": "active"}
    if "organization_id" not in columns:
        defaults["organization_id"] = (await add_organization(connection))["id"]
    if "person_id" not in columns:
        defaults["person_id"] = (await add_person(connection))["id"]
    return await _add(connection, tables.members, defaults, columns)


async def add_task(connection: AsyncConnection, **columns: Any) -> Row:
    """An enabled task without an input schema, which operators may run and everybody sees."""
    defaults: Row = {
        "slug": f"tarefa-{next(_numbers)}",
        "name": "Resumo de extrato",
        "description": "Resume um extrato bancário.",
        "instructions": "Some entradas e saídas do extrato.",
        "input_schema": None,
        "default_max_cost_cents": 500,
        "timeout_seconds": 1800,
        "enabled": True,
        "permission_mode": "operators",
        "visibility": "organization",
        "grants": [],
        "viewers": [],
        "runners": [],
        "permissions_version": 1,
        "version": 1,
        "external_id": None,
        "tags": [],
        "custom_data": None,
        "deleted_at": None,
        **await _owned(connection, columns, "created_by"),
    }
    return await _add(connection, tables.tasks, defaults, columns)


async def add_execution(connection: AsyncConnection, **columns: Any) -> Row:
    """A queued execution, the first turn of its thread."""
    owned = await _owned(connection, columns, "requested_by")
    execution_id = columns.get("id", fake_id(next(_numbers)))
    defaults: Row = {
        "id": execution_id,
        "thread_id": execution_id,
        "parent_execution_id": None,
        "turn": 1,
        "status": "queued",
        "status_reason": None,
        "trigger": "api",
        "client_name": None,
        "message": "Resuma o extrato de novembro.",
        "params": {},
        "input_file_ids": [],
        "output_text": None,
        "output_data": None,
        "pending_action": None,
        "error": None,
        "attempt": 0,
        "steps": 0,
        "current_step": None,
        "cost_cents": 0,
        "max_cost_cents": 500,
        "input_tokens": 0,
        "output_tokens": 0,
        "external_id": None,
        "tags": [],
        "custom_data": None,
        "cancel_reason": None,
        "version": 1,
        "queued_at": columns.get("created_at", NOON),
        "started_at": None,
        "canceling_at": None,
        "finished_at": None,
        **owned,
    }
    if "task_id" not in columns:
        known = {**owned, **columns}
        task = await add_task(
            connection,
            organization_id=known["organization_id"],
            created_by=known["requested_by"],
        )
        defaults["task_id"] = task["id"]
    return await _add(connection, tables.executions, defaults, columns)


async def add_file(connection: AsyncConnection, **columns: Any) -> Row:
    """An input file that is ready."""
    defaults: Row = {
        "filename": "extrato.ofx",
        "content_type": "application/x-ofx",
        "size_bytes": 3,
        # SHA-256 of b"abc" (FIPS 180-2, B.1).
        "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "declared_sha256": None,
        "purpose": "input",
        "status": "ready",
        "rejected_reason": None,
        "execution_id": None,
        "external_id": None,
        "tags": [],
        "confirmed_at": NOON,
        "upload_expires_at": None,
        "deleted_at": None,
        **await _owned(connection, columns, "created_by"),
    }
    return await _add(connection, tables.files, defaults, columns)


async def add_approval(connection: AsyncConnection, **columns: Any) -> Row:
    """One that waits for its person until ten minutes after NOON, to delete the task "resumo"."""
    defaults: Row = {
        "client_id": "client-1",
        "client_name": "Um Cliente",
        "token_id": "token-1",
        "grant_id": None,
        "scopes": ["kadu.tasks.write"],
        "operation": "tasks_delete",
        "title": "Delete a task",
        "fingerprint": f"{next(_numbers):064x}",
        "sealed_arguments": None,
        "preview": write_preview(Preview(Localized(pt="Excluir a tarefa «Resumo».", en="Delete the task «Resumo»."))),
        "language": "pt-BR",
        "status": "pending",
        "request_id": "request-1",
        "trace_id": None,
        "expires_at": NOON + timedelta(minutes=10),
        "decided_at": None,
        "seen_digest": None,
        "claimed_at": None,
        "attempt": 0,
        "finished_at": None,
        "outcome": None,
        "outcome_body": None,
        "read_at": None,
        "told_in_request": None,
        **await _owned(connection, columns, "member_id"),
    }
    if "person_id" not in columns:
        member_id = columns.get("member_id", defaults.get("member_id"))
        statement = sa.select(tables.members.c.person_id).where(tables.members.c.id == member_id)
        defaults["person_id"] = await connection.scalar(statement)
    return await _add(connection, tables.approvals, defaults, columns)


async def _owned(connection: AsyncConnection, columns: Row, member_column: str) -> Row:
    """Organization and member that belong together, as far as the columns leave them open."""
    if "organization_id" in columns and member_column in columns:
        return {}
    if member_column in columns:
        statement = sa.select(tables.members.c.organization_id).where(tables.members.c.id == columns[member_column])
        return {"organization_id": await connection.scalar(statement)}
    scope = {"organization_id": columns["organization_id"]} if "organization_id" in columns else {}
    member = await add_member(connection, **scope)
    return {"organization_id": member["organization_id"], member_column: member["id"]}


async def _add(connection: AsyncConnection, table: sa.Table, defaults: Row, columns: Row) -> Row:
    unknown = columns.keys() - table.c.keys()
    if unknown:
        raise TypeError(f"{table.name} has no column {', '.join(sorted(unknown))}")
    row: Row = {"id": fake_id(next(_numbers)), "created_at": NOON, "updated_at": NOON, **defaults, **columns}
    await connection.execute(sa.insert(table).values(row))
    return row
