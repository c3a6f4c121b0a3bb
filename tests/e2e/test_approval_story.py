"""A client of 2025 gets the link, its person approves it in a browser, and the client reads what came of it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import mcp_types as types
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.support.asgi_client import HttpReply
from tests.support.browse import led_to
from tests.support.sign_in import forms
from tests.support.stack import Stack
from tool_service.local import demo


@asynccontextmanager
async def client_of_2025(stack: Stack) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {stack.token(demo.OPERATOR)}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30, trust_env=False) as http,
        Client(streamable_http_client(stack.mcp_url, http_client=http), mode="legacy") as client,
    ):
        yield client


async def call(client: Client, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    content = result.content[0]
    assert isinstance(content, types.TextContent)
    return {"is_error": result.is_error, **json.loads(content.text)}


def decide(stack: Stack, link: str, decision: str) -> str:
    """From the link alone, signed in nowhere: sign in, read, press; the page that follows."""
    with httpx2.Client(trust_env=False, timeout=30) as browser:
        first = browser.get(link)
        assert first.is_redirect
        assert "Resumo" not in first.text
        typed = {"email": demo.OPERATOR.email, "password": demo.PASSWORD}
        assert led_to(browser, str(first.url.join(first.headers["Location"])), typed, link) == link
        page = browser.get(link)
        [form] = [each for each in forms(HttpReply(200, (), page.content)) if each.action.startswith("/approvals/")]
        pressed = browser.post(
            page.url.join(form.action), data={**form.values, "decision": decision}, headers={"Origin": stack.mcp_url}
        )
        assert pressed.status_code == 303
        return browser.get(link).text


async def test_a_link_is_approved_in_a_browser_and_the_client_reads_the_outcome(stack: Stack) -> None:
    arguments = {"id": "resumo-de-extrato", "message": "Resuma.", "external_id": "by-link"}
    async with client_of_2025(stack) as client:
        assert client.protocol_version == "2025-06-18"
        told = await call(client, "kadu_tasks_run", arguments)
        assert not told["is_error"]
        assert told["data"]["summary"] == "Rodar a tarefa «Resumo de extrato» (até R$ 5,00)"
        waiting = await call(client, "kadu_approvals_get", {"id": told["data"]["id"]})
        assert waiting["data"]["status"] == "pending"
        page = await asyncio.to_thread(decide, stack, told["data"]["approval_url"], "continue")
        assert "<h1>Feito</h1>" in page
        outcome = (await call(client, "kadu_approvals_get", {"id": told["data"]["id"]}))["data"]
        assert (outcome["status"], outcome["result"]["status"]) == ("completed", 202)
        execution = outcome["result"]["body"]["data"]
        assert execution["external_id"] == "by-link"
        assert (await call(client, "kadu_executions_get", {"id": execution["id"]}))["data"]["id"] == execution["id"]
        read = await client.read_resource(f"kobana://kadu/approvals/{told['data']['id']}")
        assert json.loads(read.contents[0].text)["data"]["status"] == "completed"  # type: ignore[union-attr]


async def test_a_link_that_is_canceled_runs_nothing_and_the_client_hears_it(stack: Stack) -> None:
    arguments = {"id": "resumo-de-extrato", "message": "Resuma.", "external_id": "not-by-link"}
    async with client_of_2025(stack) as client:
        told = await call(client, "kadu_tasks_run", arguments)
        page = await asyncio.to_thread(decide, stack, told["data"]["approval_url"], "cancel")
        assert "<h1>Cancelado</h1>" in page
        repeated = await call(client, "kadu_tasks_run", arguments)
        assert repeated["errors"][0]["code"] == "confirmation_declined"
        listed = await call(client, "kadu_executions_list", {"external_id": "not-by-link"})
        assert listed["data"] == []
