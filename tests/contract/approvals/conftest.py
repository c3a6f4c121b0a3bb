"""Clients and people before both services, joined by gRPC over a socket, on either database."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa

from tests.support import world
from tests.support.asgi_client import HttpReply
from tests.support.faces import Faces
from tests.support.person_at_pages import PersonAtPages, subject_of
from tests.support.whole_wire import WholeWire, whole_wire
from tool_service.db.tables import approvals, audit_events, executions, tasks

DELETE: dict[str, Any] = {"id": "so-gestores"}
RUN: dict[str, Any] = {"id": "resumo", "message": "Resuma."}


@dataclass(frozen=True)
class Told:
    """What a client of 2025 was told by a call."""

    text: str
    is_error: bool

    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def link(self) -> str:
        return str(self.json()["data"]["approval_url"])

    @property
    def id(self) -> str:
        return str(self.json()["data"]["id"])


@dataclass(frozen=True)
class Scene:
    """One company, its clients that cannot ask in the chat, and its people with their browsers."""

    faces: Faces
    wire: WholeWire

    def person(self, role: str = "manager", language: str = "pt-BR") -> PersonAtPages:
        return PersonAtPages(self.wire.front_end, subject_of(role), language)

    def nobody(self) -> PersonAtPages:
        return PersonAtPages(self.wire.front_end, None)

    async def call(self, tool: str, arguments: Any, role: str = "manager") -> Told:
        params = {"name": tool, "arguments": arguments}
        reply = await self.wire.ask_2026("tools/call", params, role=role, capabilities={})
        assert reply.status == 200, reply.body
        result = reply.json()["result"]
        assert result["resultType"] == "complete"
        return Told(result["content"][0]["text"], result.get("isError", False))

    async def delete(self, role: str = "manager") -> Told:
        return await self.call("kadu_tasks_delete", DELETE, role)

    async def run(self, role: str = "manager", **more: Any) -> Told:
        return await self.call("kadu_tasks_run", {**RUN, **more}, role)

    async def outcome(self, approval_id: str, role: str = "manager") -> dict[str, Any]:
        """What kadu_approvals_get tells the client."""
        told = await self.call("kadu_approvals_get", {"id": approval_id}, role)
        data: dict[str, Any] = told.json()["data"]
        return data

    async def task_is_there(self) -> bool:
        async with self.faces.database.begin(write=False) as connection:
            row = sa.select(tasks.c.deleted_at).where(tasks.c.id == world.MANAGERS_TASK)
            return await connection.scalar(row) is None

    async def runs(self) -> int:
        """How many executions there are beyond those of the company."""
        async with self.faces.database.begin(write=False) as connection:
            mine = sa.select(sa.func.count()).select_from(executions).where(executions.c.trigger == "mcp")
            return int(await connection.scalar(mine) or 0)

    async def events(self) -> list[sa.RowMapping]:
        async with self.faces.database.begin(write=False) as connection:
            rows = await connection.execute(sa.select(audit_events).order_by(audit_events.c.sequence))
            return list(rows.mappings())

    async def row(self, approval_id: str) -> sa.RowMapping:
        async with self.faces.database.begin(write=False) as connection:
            statement = sa.select(approvals).where(approvals.c.id == UUID(approval_id))
            return (await connection.execute(statement)).mappings().one()

    async def change(self, table: sa.Table, row_id: UUID, **values: Any) -> None:
        async with self.faces.database.begin(write=True) as connection:
            await connection.execute(sa.update(table).where(table.c.id == row_id).values(values))


@pytest.fixture
def scene(faces: Faces) -> Scene:
    return Scene(faces, whole_wire(faces))


def text_of(page: HttpReply) -> str:
    return page.body.decode()
