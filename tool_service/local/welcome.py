"""The text that a newcomer reads when the local stack is ready. Every command in it works when pasted."""

import json
import shlex
from pathlib import Path

from tool_service.local import demo
from tool_service.local.layout import Layout

SAMPLES = Path(__file__).parent / "samples"


def welcome(layout: Layout, owner_token: str) -> str:
    """The block: URLs, people, tokens, and one way in for each well-known client.

    Commands read the token from its file, so that they stay short and no secret is in the shell's history.
    """
    url = layout.mcp_url
    token_file = layout.tokens.absolute() / "owner"
    token = f"$(cat {shlex.quote(str(token_file))})"
    header = f'--header "Authorization: Bearer {token}"'
    vscode = {"name": "kadu", "type": "http", "url": url, "headers": {"Authorization": "Bearer TOKEN"}}
    cursor = {"mcpServers": {"kadu": {"url": url, "headers": {"Authorization": "Bearer ${env:KADU_TOKEN}"}}}}
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    hours = demo.TOKEN_LIFETIME.total_seconds() // 3600
    return f"""
Kadu is running. Ctrl-C stops it; its data stays in {layout.folder}, its logs are in {layout.logs}.

  MCP URL            {url}
  REST API           {layout.api_url}
  sample statements  {SAMPLES}

  how to connect     {url}/connect
  your account       {layout.issuer}/account

People, all made up; each signs in with the password {demo.PASSWORD}
{_people()}

Tokens, good for {hours:.0f} hours, one file each in {token_file.parent}
  MCP: owner, manager, operator, viewer    REST: api
  The owner's, to paste where a program asks for one:
{owner_token}

Claude Code
claude mcp add --transport http kadu {url} {header}

VS Code
code --add-mcp {_in_double_quotes(json.dumps(vscode)).replace("TOKEN", token)}

Cursor: this in .cursor/mcp.json, with KADU_TOKEN in its environment
{json.dumps(cursor)}

MCP Inspector
npx @modelcontextprotocol/inspector --cli {url} --transport http --method tools/list {header}

curl
curl -sS {url} {header} --header "Content-Type: application/json" --data '{message}'

Python (pip install "mcp>=2.3")
python3 - <<'END'
{_client(url, token_file)}
END
"""


def _people() -> str:
    return "\n".join(
        f"  {person.role.value:<9} {person.name:<17} {person.email:<20} {person.organization.name}"
        for person in demo.PEOPLE
    )


def _in_double_quotes(text: str) -> str:
    """The text as one word of a shell, in which a command can still be put."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _client(url: str, token_file: Path) -> str:
    return f"""import asyncio, pathlib, httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

async def main():
    token = pathlib.Path({str(token_file)!r}).read_text()
    async with httpx2.AsyncClient(headers={{"Authorization": "Bearer " + token}}) as http:
        async with Client(streamable_http_client({url!r}, http_client=http)) as kadu:
            print([tool.name for tool in (await kadu.list_tools()).tools])

asyncio.run(main())"""
