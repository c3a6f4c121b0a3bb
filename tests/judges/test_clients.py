"""Every client that people use sees the same server, and deletes nothing without a yes."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from mcp_frontend.protocol.server_description import INSTRUCTIONS
from tests.judges.clients import CLIENTS, HANDSHAKE, RealClient, story_of
from tests.support.stack import Stack
from tool_service.local import demo

UNKNOWN_TOOL = -32602
QUESTION = "Excluir a tarefa «Tarefa descartável». Execuções na fila são canceladas; o histórico fica."

Ask = Callable[[str, dict[str, Any]], dict[str, Any]]


@pytest.fixture(scope="module")
def ask(stack: Stack) -> Ask:
    """One raw message of the handshake era as the owner; its result."""
    headers = {"Authorization": f"Bearer {stack.token(demo.OWNER)}", "MCP-Protocol-Version": HANDSHAKE}

    def send(method: str, params: dict[str, Any]) -> dict[str, Any]:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = httpx2.post(stack.mcp_url, headers=headers, json=message, timeout=10)
        result: dict[str, Any] = answer.json()["result"]
        return result

    return send


@pytest.fixture
def task_id(stack: Stack) -> str:
    """A task of the owner's own that nobody minds losing."""
    api = f"{stack.issuer}/api/v1"
    answer = httpx2.post(
        f"{api}/tasks",
        headers={"Authorization": f"Bearer {stack.token(demo.OWNER, audience=api)}"},
        json={"name": "Tarefa descartável", "instructions": "Pode ser apagada."},
        timeout=10,
    )
    return str(answer.json()["data"]["id"])


def _told_by_the_wire(ask: Ask) -> dict[str, Any]:
    document = {"ref": {"type": "ref/prompt", "name": "kadu_run_task"}, "argument": {"name": "task", "value": "resumo"}}
    prompt = {"name": "kadu_run_task", "arguments": {"task": "resumo-de-extrato"}}
    return {
        "tools": [each["name"] for each in ask("tools/list", {})["tools"]],
        "resources": [each["uri"] for each in ask("resources/list", {})["resources"]],
        "templates": [each["uriTemplate"] for each in ask("resources/templates/list", {})["resourceTemplates"]],
        "prompts": [each["name"] for each in ask("prompts/list", {})["prompts"]],
        "document": ask("resources/read", {"uri": "kobana://kadu/organization"})["contents"][0]["text"],
        "organization": ask("tools/call", {"name": "kadu_organization_get"})["content"][0]["text"],
        "prompt": ask("prompts/get", prompt)["messages"][0]["content"]["text"],
        "completed": ask("completion/complete", document)["completion"]["values"],
    }


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_a_client_goes_the_whole_way(client: RealClient, packages: None, stack: Stack, ask: Ask, task_id: str) -> None:
    story = story_of(client, stack.mcp_url, stack.token(demo.OWNER), task_id)
    expected = {
        **_told_by_the_wire(ask),
        "questions": [QUESTION] if client.asks_in_chat else [],
        "ended": "done" if client.asks_in_chat else "waits at a link",
    }
    if client.program == "inspector.py":
        # Its command line prints results and not how it connected, and knows no completion.
        del expected["completed"]
    else:
        about = {"version": client.speaks, "server": "kadu", "instructions": INSTRUCTIONS}
        expected |= {**about, "unknown_tool": UNKNOWN_TOOL}
    assert story == expected
    tasks = ask("tools/call", {"name": "kadu_tasks_get", "arguments": {"id": task_id}})
    assert tasks.get("isError", False) is client.asks_in_chat


@pytest.mark.parametrize("answer", ["decline", "cancel"])
@pytest.mark.parametrize("client", [each for each in CLIENTS if each.asks_in_chat], ids=lambda client: client.name)
def test_a_person_who_says_no_in_the_chat_is_obeyed(
    client: RealClient, answer: str, packages: None, stack: Stack, ask: Ask, task_id: str
) -> None:
    story = story_of(client, stack.mcp_url, stack.token(demo.OWNER), task_id, answer)
    assert (story["questions"], story["ended"]) == ([QUESTION], "refused")
    assert not ask("tools/call", {"name": "kadu_tasks_get", "arguments": {"id": task_id}}).get("isError", False)
