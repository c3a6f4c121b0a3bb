"""`python -m tool_service demo-env`: shell assignments for programs that try the running local stack from outside."""

import secrets
import shlex

import httpx2

from tool_service.local import demo
from tool_service.local.layout import Layout
from tool_service.local.preflight import LocalFault
from tool_service.local.tokens import mint_demo_tokens

_HOW_TO_START = "start it in another terminal with: make run"


def assignments(layout: Layout) -> str:
    """One NAME=value a line, quoted for a shell; makes a task that the caller may delete.

    Raises:
        LocalFault: no stack runs there, or it does not take its own tokens.
    """
    if not layout.keys.exists():
        raise LocalFault(f"No local stack was ever started in {layout.folder}; {_HOW_TO_START}")
    layout = layout.as_remembered()
    tokens = mint_demo_tokens(layout)
    values = {
        "KADU_URL": layout.mcp_url,
        "KADU_TOKEN": tokens["owner"],
        "KADU_SECOND_TOKEN": tokens["manager"],
        "KADU_VIEWER_TOKEN": tokens["viewer"],
        "KADU_API_URL": layout.api_url,
        "KADU_API_TOKEN": tokens["api"],
        "KADU_TASK_ID": str(demo.STATEMENT_SUMMARY.id),
        "KADU_DISPOSABLE_TASK_ID": _disposable_task(layout, tokens["api"]),
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
        raise LocalFault(f"Kadu does not answer at {layout.issuer}; {_HOW_TO_START}") from error
    if answer.status_code != httpx2.codes.CREATED:
        raise LocalFault(
            f"{layout.api_url}/tasks answered {answer.status_code}, so it is not the stack of {layout.folder}; "
            f"end what listens there, then {_HOW_TO_START}"
        )
    return str(answer.json()["data"]["id"])
