"""`python -m tool_service demo-env`: shell assignments for programs that try the running local stack from outside."""

import secrets
import shlex

import httpx2

from tool_service.local import demo
from tool_service.local.layout import Layout
from tool_service.local.preflight import LocalFault
from tool_service.local.tokens import mint_demo_tokens


def assignments(layout: Layout) -> str:
    """One NAME=value a line, quoted for a shell; makes a task that the caller may delete.

    Raises:
        LocalFault: no stack runs there, or it does not take its own tokens.
    """
    layout = layout.as_remembered()
    tokens = mint_demo_tokens(layout) if layout.keys.exists() else {}
    values = {
        "KADU_URL": layout.mcp_url,
        "KADU_TOKEN": tokens.get("owner", ""),
        "KADU_SECOND_TOKEN": tokens.get("manager", ""),
        "KADU_VIEWER_TOKEN": tokens.get("viewer", ""),
        "KADU_API_URL": layout.api_url,
        "KADU_API_TOKEN": tokens.get("api", ""),
        "KADU_TASK_ID": str(demo.STATEMENT_SUMMARY.id),
        "KADU_DISPOSABLE_TASK_ID": _disposable_task(layout, tokens.get("api", "")),
    }
    return "\n".join(f"{name}={shlex.quote(value)}" for name, value in values.items())


def _disposable_task(layout: Layout, api_token: str) -> str:
    slug = f"descartavel-{secrets.token_hex(4)}"
    try:
        answer = httpx2.post(
            f"{layout.api_url}/tasks",
            headers={"Authorization": f"Bearer {api_token}"},
            json={"name": f"Tarefa descartável {slug}", "slug": slug, "instructions": "Pode ser apagada."},
            timeout=10,
        )
    except httpx2.TransportError as error:
        raise LocalFault(
            f"Kadu does not run at {layout.issuer}: start it in another terminal with: make run"
        ) from error
    if answer.status_code != httpx2.codes.CREATED:
        raise LocalFault(
            f"{layout.api_url}/tasks answered {answer.status_code}, so it is not the stack of {layout.folder}: "
            "end what listens there, then: make run"
        )
    return str(answer.json()["data"]["id"])
