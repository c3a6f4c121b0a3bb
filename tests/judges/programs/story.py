"""One walk through the server, told as JSON; the Python clients give it their own way to do each step."""

import json
import sys
from typing import Any, Protocol

TOLD = json.loads(sys.argv[1])
HEADERS = {"Authorization": f"Bearer {TOLD['token']}"}
ACTION = TOLD.get("answer", "accept")
ANSWER = {"action": ACTION, **({"content": {"confirm": True}} if ACTION == "accept" else {})}


class Steps(Protocol):
    """What a client can do; every answer is the SDK's own object."""

    version: str
    server: str
    instructions: str | None
    questions: list[str]

    async def tools(self) -> list[Any]: ...
    async def resources(self) -> list[Any]: ...
    async def templates(self) -> list[Any]: ...
    async def prompts(self) -> list[Any]: ...
    async def call(self, name: str, arguments: dict[str, Any]) -> Any: ...
    async def read(self, uri: str) -> Any: ...
    async def prompt(self, name: str, arguments: dict[str, str]) -> Any: ...
    async def complete(self, prompt: str, argument: str, value: str) -> list[str]: ...


def _wire(found: Any) -> dict[str, Any]:
    return found.model_dump(mode="json", by_alias=True, exclude_none=True)


async def tell(client: Steps) -> None:
    """Print what the client saw."""
    try:
        await client.call("kadu_no_such_tool", {})
        unknown = "answered"
    except Exception as error:
        unknown = getattr(error, "error", error).code
    story = {
        "version": client.version,
        "server": client.server,
        "instructions": client.instructions,
        "tools": [each.name for each in await client.tools()],
        "resources": [_wire(each)["uri"] for each in await client.resources()],
        "templates": [_wire(each)["uriTemplate"] for each in await client.templates()],
        "prompts": [each.name for each in await client.prompts()],
        "organization": (await client.call("kadu_organization_get", {})).content[0].text,
        "document": (await client.read("kobana://kadu/organization"))[0].text,
        "prompt": (await client.prompt("kadu_run_task", {"task": "resumo-de-extrato"})).messages[0].content.text,
        "completed": await client.complete("kadu_run_task", "task", "resumo"),
        "unknown_tool": unknown,
    }
    told = _wire(await client.call("kadu_tasks_delete", {"id": TOLD["taskId"]}))
    print(json.dumps({**story, "questions": client.questions, "ended": ended(told)}))


def ended(told: dict[str, Any]) -> str:
    """How a destructive call ended, as its model reads it."""
    text = told["content"][0]["text"]
    return "refused" if told.get("isError") else "waits at a link" if "approval_url" in text else "done"
