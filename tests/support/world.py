"""A small fixed company with something of every kind, for tests that go through a whole face.

Ids are named constants, so that two databases hold the same rows and answers can be compared to
the byte. A second organization stands beside it, for isolation.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from tests.support.clock import NOON, fake_id
from tests.support.factories import (
    add_approval,
    add_execution,
    add_file,
    add_member,
    add_organization,
    add_person,
    add_task,
)

ORGANIZATION, OTHER_ORGANIZATION = fake_id(0x1000), fake_id(0x1001)
PEOPLE: dict[str, UUID] = {
    role: fake_id(0x2000 + n) for n, role in enumerate(("viewer", "operator", "manager", "owner"))
}
MEMBERS: dict[str, UUID] = {role: fake_id(0x3000 + n) for n, role in enumerate(PEOPLE)}
STRANGER, STRANGER_MEMBER = fake_id(0x2100), fake_id(0x3100)

TASK, MANAGERS_TASK, DISABLED_TASK, RESTRICTED_TASK, SCHEMA_TASK, BUSY_TASK, FOREIGN_TASK = (
    fake_id(0x4000 + n) for n in range(7)
)
QUEUED, RUNNING, COMPLETED, OF_OWNER, HIDDEN = (fake_id(0x5000 + n) for n in range(5))
READY_FILE, PENDING_FILE, EXPIRED_FILE, PURGED_FILE, FOREIGN_FILE = (fake_id(0x6000 + n) for n in range(5))

WAITING, DECIDED, OF_OWNER_WAITING, OF_OWNER_DECLINED = (fake_id(0x7000 + n) for n in range(4))

NO_SUCH = fake_id(0xFFFF)
MONTH_SCHEMA = {
    "type": "object",
    "properties": {"month": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$"}},
    "required": ["month"],
}


def identity(role: str) -> tuple[UUID, UUID]:
    """Organization and person of that role in the test's company; "stranger" is the owner of the other one."""
    return (OTHER_ORGANIZATION, STRANGER) if role == "stranger" else (ORGANIZATION, PEOPLE[role])


async def build_world(connection: AsyncConnection) -> None:
    """Insert the company, the people of each role, tasks, executions, files and approvals."""
    await add_organization(connection, id=ORGANIZATION)
    for n, (role, person_id) in enumerate(PEOPLE.items()):
        await add_person(connection, id=person_id, name=f"Pessoa {n}", email=f"{role}@example.com")
        await add_member(connection, id=MEMBERS[role], organization_id=ORGANIZATION, person_id=person_id, role=role)
    await _tasks(connection)
    await _executions(connection)
    await _files(connection)
    await _approvals(connection)
    await _stranger(connection)


async def _tasks(connection: AsyncConnection) -> None:
    owned = {"organization_id": ORGANIZATION, "created_by": MEMBERS["manager"]}
    rows = [
        {"id": TASK, "slug": "resumo", "name": "Resumo de extrato", "tags": ["banco", "diario"]},
        {"id": MANAGERS_TASK, "slug": "so-gestores", "name": "Só gestores", "permission_mode": "managers"},
        {"id": DISABLED_TASK, "slug": "desativada", "name": "Desativada", "enabled": False},
        {"id": RESTRICTED_TASK, "slug": "restrita", "name": "Restrita", "visibility": "restricted"},
        {"id": SCHEMA_TASK, "slug": "com-schema", "name": "Com schema", "input_schema": MONTH_SCHEMA},
        {"id": BUSY_TASK, "slug": "ocupada", "name": "Ocupada"},
    ]
    for n, row in enumerate(rows):
        moment = NOON - timedelta(days=10 - n)
        await add_task(connection, created_at=moment, updated_at=moment, **owned, **row)


async def _executions(connection: AsyncConnection) -> None:
    owned = {"organization_id": ORGANIZATION, "trigger": "api"}
    rows = [
        {"id": QUEUED, "task_id": TASK, "requested_by": MEMBERS["operator"]},
        {"id": RUNNING, "task_id": BUSY_TASK, "requested_by": MEMBERS["operator"], "status": "running", "attempt": 1},
        {
            "id": COMPLETED,
            "task_id": TASK,
            "requested_by": MEMBERS["operator"],
            "status": "completed",
            "output_text": "Total: R$ 10,00",
            "output_data": {"total_cents": 1000},
            "finished_at": NOON - timedelta(hours=1),
        },
        {"id": OF_OWNER, "task_id": TASK, "requested_by": MEMBERS["owner"]},
        {"id": HIDDEN, "task_id": RESTRICTED_TASK, "requested_by": MEMBERS["owner"]},
    ]
    for n, row in enumerate(rows):
        moment = NOON - timedelta(hours=10 - n)
        await add_execution(connection, created_at=moment, updated_at=moment, **owned, **row)


async def _files(connection: AsyncConnection) -> None:
    owned = {"organization_id": ORGANIZATION, "created_by": MEMBERS["operator"]}
    pending = {"status": "pending_upload", "sha256": None, "confirmed_at": None}
    rows = [
        {"id": READY_FILE},
        {"id": PENDING_FILE, "upload_expires_at": NOON + timedelta(minutes=10), **pending},
        {"id": EXPIRED_FILE, "upload_expires_at": NOON - timedelta(minutes=10), **pending},
        {"id": PURGED_FILE, "status": "purged"},
    ]
    for n, row in enumerate(rows):
        moment = NOON - timedelta(minutes=30 - n)
        await add_file(connection, created_at=moment, updated_at=moment, **owned, **row)


async def _approvals(connection: AsyncConnection) -> None:
    outcome: dict[str, Any] = {"kind": "Answered", "status": 204, "headers": {}, "required_scopes": []}
    decided = {"decided_at": NOON - timedelta(minutes=20), "finished_at": NOON - timedelta(minutes=20)}
    rows = [
        {"id": WAITING, "member_id": MEMBERS["manager"]},
        {
            "id": DECIDED,
            "member_id": MEMBERS["manager"],
            "status": "completed",
            "outcome": outcome,
            "outcome_body": b"",
            "expires_at": NOON - timedelta(minutes=15),
            **decided,
        },
        {"id": OF_OWNER_WAITING, "member_id": MEMBERS["owner"]},
        {"id": OF_OWNER_DECLINED, "member_id": MEMBERS["owner"], "status": "declined", **decided},
    ]
    for n, row in enumerate(rows):
        moment = NOON - timedelta(minutes=30 - n)
        await add_approval(connection, organization_id=ORGANIZATION, created_at=moment, updated_at=moment, **row)


async def _stranger(connection: AsyncConnection) -> None:
    await add_organization(connection, id=OTHER_ORGANIZATION, name="Outra Ltda.")
    await add_person(connection, id=STRANGER, name="Estranha", email="stranger@example.com")
    await add_member(
        connection, id=STRANGER_MEMBER, organization_id=OTHER_ORGANIZATION, person_id=STRANGER, role="owner"
    )
    owned = {"organization_id": OTHER_ORGANIZATION, "created_by": STRANGER_MEMBER}
    await add_task(connection, id=FOREIGN_TASK, slug="resumo", name="De outra empresa", **owned)
    await add_file(connection, id=FOREIGN_FILE, **owned)
