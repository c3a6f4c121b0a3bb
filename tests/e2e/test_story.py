"""The whole path with the official client: a statement in, a yes, a report out; and the same with a no.

The totals are computed here, from the text of the statement and by no code of ours.
"""

import asyncio
import hashlib
import json
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import mcp_types as types
import sqlalchemy as sa
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.support.stack import Stack
from tool_service.db.engine import Database
from tool_service.db.tables import audit_events, executions
from tool_service.local import demo
from tool_service.local.samples import SAMPLES

STATEMENT = SAMPLES["extrato-novembro.ofx"]
ENDED_WITHIN_SECONDS = 60


@dataclass
class Person:
    """Somebody at the client: what they answer when asked, and what they were asked."""

    answer: str
    questions: list[str] = field(default_factory=list)

    async def decide(self, context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        self.questions.append(params.message)
        if self.answer != "accept":
            return types.ElicitResult(action=self.answer)  # type: ignore[arg-type]
        return types.ElicitResult(action="accept", content={"confirm": True})


@asynccontextmanager
async def connected(stack: Stack, person: Person) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {stack.token(demo.OPERATOR)}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(
            streamable_http_client(stack.mcp_url, http_client=http),
            mode="auto",
            client_info=types.Implementation(name="story", version="1.0.0"),
            elicitation_callback=person.decide,
        ) as client,
    ):
        yield client


async def call(client: Client, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    content = result.content[0]
    assert isinstance(content, types.TextContent)
    return {"is_error": result.is_error, **json.loads(content.text)}


async def uploaded(client: Client) -> str:
    """Create, PUT and confirm the statement; its id."""
    data = STATEMENT.read_bytes()
    created = await call(
        client,
        "kadu_files_create",
        {
            "filename": "extrato-novembro.ofx",
            "content_type": "application/x-ofx",
            "size_bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
        },
    )
    upload = created["data"]["upload"]
    async with httpx2.AsyncClient() as plain:
        put = await plain.request(upload["method"], upload["url"], headers=upload["headers"], content=data)
    assert put.status_code == 200, put.text
    confirmed = await call(client, "kadu_files_confirm", {"id": created["data"]["id"]})
    assert confirmed["data"]["status"] == "ready"
    return str(confirmed["data"]["id"])


async def ended(client: Client, execution_id: str) -> dict[str, Any]:
    """Poll as next_poll_seconds says, until the execution is over."""
    deadline = time.monotonic() + ENDED_WITHIN_SECONDS
    while True:
        execution = (await call(client, "kadu_executions_get", {"id": execution_id}))["data"]
        if execution["next_poll_seconds"] is None:
            return execution
        assert time.monotonic() < deadline, execution
        await asyncio.sleep(min(execution["next_poll_seconds"], 0.2))


def amounts_cents() -> list[int]:
    """Every TRNAMT of the statement, as cents."""
    texts = re.findall(r"<TRNAMT>\s*([-+0-9.,]+)", STATEMENT.read_text("cp1252"))
    return [round(float(text.replace(",", ".")) * 100) for text in texts]


async def test_a_statement_goes_in_a_person_says_yes_and_a_report_comes_out(stack: Stack) -> None:
    person = Person("accept")
    async with connected(stack, person) as client:
        assert client.protocol_version == "2026-07-28"
        assert "kadu_tasks_run" in [tool.name for tool in (await client.list_tools()).tools]
        file_id = await uploaded(client)
        run = await call(
            client, "kadu_tasks_run", {"id": "resumo-de-extrato", "message": "Resuma.", "input_file_ids": [file_id]}
        )
        assert not run["is_error"], run
        execution = await ended(client, run["data"]["id"])
        assert execution["status"] == "completed", execution
        assert person.questions == ["Rodar a tarefa «Resumo de extrato» (até R$ 5,00)"]

        amounts = amounts_cents()
        totals = execution["output"]["data"]["totals"]
        assert totals["in_cents"] == sum(amount for amount in amounts if amount > 0)
        assert totals["out_cents"] == -sum(amount for amount in amounts if amount < 0)
        assert totals["net_cents"] == sum(amounts)
        assert totals["count"] == len(amounts) == 42

        files = {file["filename"]: file for file in execution["output"]["files"]}
        assert sorted(name.rpartition(".")[2] for name in files) == ["csv", "md"]
        for file in files.values():
            download = (await call(client, "kadu_files_download", {"id": file["id"]}))["data"]
            async with httpx2.AsyncClient() as plain:
                content = (await plain.get(download["url"])).content
            assert len(content) == file["size_bytes"]
            assert hashlib.sha256(content).hexdigest() == download["sha256"]


async def test_a_person_says_no_nothing_runs_and_the_audit_says_who(stack: Stack) -> None:
    arguments = {"id": "resumo-de-extrato", "message": "Resuma.", "external_id": "said-no"}
    for answer in ("decline", "cancel"):
        person = Person(answer)
        async with connected(stack, person) as client:
            result = await call(client, "kadu_tasks_run", arguments)
        assert result["is_error"]
        assert result["errors"][0]["code"] == "confirmation_declined"
        assert len(person.questions) == 1
    database = Database(stack.database_url)
    async with database.begin(write=False) as connection:
        ours = sa.select(sa.func.count()).where(executions.c.external_id == "said-no")
        assert await connection.scalar(ours) == 0
        columns = audit_events.c
        statement = sa.select(columns.actor_name, columns.client_name, columns.action, columns.result).where(
            columns.code == "confirmation_declined", columns.client_name == "story"
        )
        rows = [tuple(row) for row in await connection.execute(statement)]
    await database.close()
    said_no = (demo.OPERATOR.name, "story", "tasks_run", "denied")
    assert rows == [said_no, said_no]
