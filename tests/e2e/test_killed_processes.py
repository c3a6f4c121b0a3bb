"""SIGKILL to any process at any moment of the story loses nothing and runs nothing twice.

A client that repeats what was not answered walks through the story while a process dies at a
random moment of it and is started again. Thirty deaths in all, fifteen on each database.
"""

import asyncio
import hashlib
import json
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
import sqlalchemy as sa

from tests.support.stack import Stack
from tests.support.wire import CAPABILITIES_KEY, EMPTY_OBJECT, ENVELOPE, stateless
from tool_service.db.engine import Database
from tool_service.db.tables import audit_events, execution_outputs, executions
from tool_service.local import demo
from tool_service.local.samples import SAMPLES

STATEMENT = SAMPLES["extrato-novembro.ofx"].read_bytes()
STEPS = ("create", "put", "confirm", "ask", "run", "poll", "download")
ROUNDS = 15
CAN_ASK = {**ENVELOPE, CAPABILITIES_KEY: {"elicitation": EMPTY_OBJECT}}
GIVES_UP_AFTER_SECONDS = 90


@dataclass
class Walker:
    """A client that repeats every request until it is answered by the product and not by its absence."""

    stack: Stack
    http: httpx2.AsyncClient
    story: str

    async def walk(self, on_step: Callable[[str], None]) -> dict[str, Any]:
        """The story; the execution as it ended."""
        on_step("create")
        created = await self._tool("kadu_files_create", self._file())
        upload = created["upload"]
        on_step("put")
        await self._until_answered(
            lambda: self.http.request(upload["method"], upload["url"], headers=upload["headers"], content=STATEMENT)
        )
        on_step("confirm")
        await self._tool("kadu_files_confirm", {"id": created["id"]})
        arguments = {
            "id": "resumo-de-extrato",
            "message": "Resuma.",
            "input_file_ids": [created["id"]],
            "external_id": self.story,
        }
        on_step("ask")
        asked = await self._call("kadu_tasks_run", arguments)
        on_step("run")
        answers = {"inputResponses": {"confirm": {"action": "accept", "content": {"confirm": True}}}}
        run = await self._tool("kadu_tasks_run", arguments, requestState=asked["requestState"], **answers)
        on_step("poll")
        execution = await self._ended(run["id"])
        on_step("download")
        for file in execution["output"]["files"]:
            download = await self._tool("kadu_files_download", {"id": file["id"]})
            content = (await self._until_answered(lambda url=download["url"]: self.http.get(url))).content
            assert hashlib.sha256(content).hexdigest() == download["sha256"]
        return execution

    def _file(self) -> dict[str, Any]:
        return {
            "filename": f"{self.story}.ofx",
            "content_type": "application/x-ofx",
            "size_bytes": len(STATEMENT),
            "sha256": hashlib.sha256(STATEMENT).hexdigest(),
        }

    async def _ended(self, execution_id: str) -> dict[str, Any]:
        deadline = time.monotonic() + GIVES_UP_AFTER_SECONDS
        while True:
            execution = await self._tool("kadu_executions_get", {"id": execution_id})
            if execution["next_poll_seconds"] is None:
                return execution
            assert time.monotonic() < deadline, execution
            await asyncio.sleep(0.1)

    async def _tool(self, name: str, arguments: dict[str, Any], **more: Any) -> dict[str, Any]:
        result = await self._call(name, arguments, **more)
        answer = json.loads(result["content"][0]["text"])
        assert "data" in answer, answer
        return answer["data"]

    async def _call(self, name: str, arguments: dict[str, Any], **more: Any) -> dict[str, Any]:
        message = stateless("tools/call", {"name": name, "arguments": arguments, **more}, meta=CAN_ASK)
        response = await self._until_answered(
            lambda: self.http.post(self.stack.mcp_url, headers=list(message.headers), content=message.body)
        )
        answer = response.json()
        assert "result" in answer, answer
        return answer["result"]

    async def _until_answered(self, send: Callable[[], Awaitable[httpx2.Response]]) -> httpx2.Response:
        deadline = time.monotonic() + GIVES_UP_AFTER_SECONDS
        while True:
            try:
                response = await send()
            except httpx2.TransportError:
                response = None
            if response is not None and response.status_code not in {401, 503} and not _in_progress(response):
                assert response.status_code == 200, response.text
                return response
            assert time.monotonic() < deadline, response
            await asyncio.sleep(0.1)


def _in_progress(response: httpx2.Response) -> bool:
    """The first try still holds the key: as the answer says, the same call again in a moment."""
    return b"idempotency_key_in_progress" in response.content


async def _one_death(stack: Stack, dice: random.Random, story: str) -> None:
    """Walk the story while a process dies after a random time in a random step, and comes back."""
    victim, fatal_step, delay_seconds = dice.choice(stack.names), dice.choice(STEPS), dice.uniform(0, 0.06)
    died = asyncio.Event()

    def on_step(step: str) -> None:
        if step == fatal_step:
            asyncio.get_running_loop().call_later(delay_seconds, kill)

    def kill() -> None:
        stack.kill(victim)
        stack.start(victim)
        died.set()

    headers = {"Authorization": f"Bearer {stack.token(demo.OPERATOR)}", "Content-Type": "application/json"}
    async with httpx2.AsyncClient(headers=headers, timeout=20) as http:
        execution = await Walker(stack, http, story).walk(on_step)
        await asyncio.wait_for(died.wait(), timeout=5)
    what = f"{story}: {victim} in {fatal_step} after {delay_seconds:.3f} s"
    assert execution["status"] == "completed", (what, execution)
    assert execution["output"]["data"]["totals"]["count"] == 42, what


@pytest.mark.timeout(900)
async def test_a_process_killed_at_any_moment_loses_nothing_and_runs_nothing_twice(stack: Stack) -> None:
    dice = random.Random(20261201)
    stories = [f"death-{number}" for number in range(ROUNDS)]
    for story in stories:
        await _one_death(stack, dice, story)
    for name in stack.names:
        stack.wait_until_ready(name)
    database = Database(stack.database_url)
    async with database.begin(write=False) as connection:
        ours = executions.c.external_id.in_(stories)
        ran = [
            tuple(row)
            for row in await connection.execute(sa.select(executions.c.external_id, executions.c.status).where(ours))
        ]
        counted = (
            sa.select(sa.func.count())
            .select_from(execution_outputs.join(executions, executions.c.id == execution_outputs.c.execution_id))
            .where(ours)
            .group_by(executions.c.id)
        )
        outputs = list((await connection.scalars(counted)).all())
        confirmed = sa.select(sa.func.count()).where(
            audit_events.c.action == "tasks_run",
            audit_events.c.result == "ok",
            audit_events.c.confirmation_id.is_not(None),
        )
        confirmations = await connection.scalar(confirmed)
    await database.close()
    assert sorted(ran) == sorted((story, "completed") for story in stories)
    assert set(outputs) == {4}
    assert confirmations is not None
    assert confirmations >= ROUNDS
