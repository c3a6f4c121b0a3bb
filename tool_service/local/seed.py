"""Puts the demo organization into an empty database: `python -m tool_service seed`, and every `make run`."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.authorization_server.passwords import Passwords
from tool_service.db import account_tables, tables
from tool_service.db.engine import Database
from tool_service.domain.tasks import DEFAULT_MAX_COST_CENTS, DEFAULT_TIMEOUT_SECONDS, PermissionMode, Visibility
from tool_service.local import demo
from tool_service.ports import Clock


async def seed(database: Database, clock: Clock) -> bool:
    """Add the demo data unless it has been added before; whether it was added.

    One transaction: all of it is there, or nothing. What people have since changed or deleted in
    the demo organization stays as they left it.

    Raises:
        DatabaseUnavailable: see there.
    """
    # Before the transaction: it takes a good part of a second.
    password_hash = await Passwords().hash(demo.PASSWORD)
    async with database.begin(write=True) as connection:
        known = sa.select(tables.organizations.c.id).where(tables.organizations.c.id == demo.BAKERY.id)
        if (await connection.execute(known)).first() is not None:
            return False
        await _add_all(connection, clock.now(), password_hash)
        return True


async def _add_all(connection: AsyncConnection, now: datetime, password_hash: str) -> None:
    stamps = {"created_at": now, "updated_at": now}
    await _add(connection, tables.organizations, [_organization(each) | stamps for each in demo.ORGANIZATIONS])
    await _add(connection, tables.people, [_person(each) | stamps for each in demo.PEOPLE])
    await _add(connection, tables.members, [_member(each) | stamps for each in demo.PEOPLE])
    kept = [{"person_id": each.id, "hash": password_hash, "updated_at": now} for each in demo.PEOPLE]
    await _add(connection, account_tables.passwords, kept)
    await _add(connection, tables.tasks, [_task(each) | stamps for each in demo.TASKS])


async def _add(connection: AsyncConnection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
    await connection.execute(sa.insert(table), rows)


def _organization(organization: demo.DemoOrganization) -> dict[str, Any]:
    return {
        "id": organization.id,
        "name": organization.name,
        "document_number": organization.document_number,
        "environment": "sandbox",
        "status": "active",
        "locale": "pt-BR",
        "timezone": "America/Sao_Paulo",
        "plan_name": "demo",
    }


def _person(person: demo.DemoPerson) -> dict[str, Any]:
    return {"id": person.id, "email": person.email, "name": person.name, "locale": "pt-BR", "timezone": None}


def _member(person: demo.DemoPerson) -> dict[str, Any]:
    return {
        "id": person.member_id,
        "organization_id": person.organization.id,
        "person_id": person.id,
        "role": person.role.value,
        "status": "active",
    }


def _task(task: demo.DemoTask) -> dict[str, Any]:
    return {
        "id": task.id,
        "organization_id": demo.BAKERY.id,
        "slug": task.slug,
        "name": task.name,
        "description": task.description,
        "instructions": task.instructions,
        "input_schema": task.input_schema,
        "default_max_cost_cents": DEFAULT_MAX_COST_CENTS,
        "timeout_seconds": DEFAULT_TIMEOUT_SECONDS,
        "enabled": True,
        "permission_mode": PermissionMode.OPERATORS.value,
        "visibility": Visibility.ORGANIZATION.value,
        "version": 1,
        "created_by": demo.MANAGER.member_id,
        "external_id": None,
        "tags": ["demo"],
        "custom_data": None,
        "deleted_at": None,
    }
