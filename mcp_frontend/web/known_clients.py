"""The clients that people use, and how each takes a remote MCP server. One value per client; the page is a loop.

As of December 2026. Our tests drive none of these programs but the Inspector, so a report that a menu moved counts.
"""

import base64
import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from mcp_frontend.web.words import Localized

L = Localized
SERVER_NAME = "kadu"


@dataclass(frozen=True, slots=True)
class Step:
    text: Localized
    snippet: str = ""
    """To copy and paste."""
    link: str = ""
    """Opens the client itself."""


@dataclass(frozen=True, slots=True)
class KnownClient:
    name: str | Localized
    steps: tuple[Step, ...]

    def named(self, language: str) -> str:
        return self.name if isinstance(self.name, str) else self.name.in_(language)


def known_clients(url: str) -> Sequence[KnownClient]:
    """What each needs to add the server at that URL."""
    word = shlex.quote(url)
    vscode = {"name": SERVER_NAME, "type": "http", "url": url}
    cursor = base64.b64encode(json.dumps({"url": url}).encode()).decode()
    return (
        KnownClient(
            "Claude",
            (
                Step(
                    L(
                        "Em Configurações, Conectores, escolha Adicionar conector personalizado e cole o endereço. "
                        "Em uma equipe, quem administra acrescenta; cada pessoa entra com a própria conta.",
                        "In Settings, Connectors, choose Add custom connector and paste the address. "
                        "In a team, an owner adds it; each person signs in with their own account.",
                    )
                ),
            ),
        ),
        KnownClient(
            "ChatGPT",
            (
                Step(
                    L(
                        "Em Configurações, Apps e conectores, Avançado, ligue o modo de desenvolvedor; depois escolha "
                        "Criar, cole o endereço e a autenticação OAuth.",
                        "In Settings, Apps & Connectors, Advanced, turn on developer mode; then choose Create, paste "
                        "the address, and OAuth as authentication.",
                    )
                ),
            ),
        ),
        KnownClient(
            "Claude Code",
            (
                Step(
                    L("No terminal:", "In a terminal:"),
                    f"claude mcp add --transport http {SERVER_NAME} {word}",
                ),
                Step(L("Depois, dentro dele, para entrar:", "Then, inside it, to sign in:"), "/mcp"),
            ),
        ),
        KnownClient(
            "Cursor",
            (
                Step(
                    L("Em um clique:", "In one click:"),
                    link="cursor://anysphere.cursor-deeplink/mcp/install?"
                    + urlencode({"name": SERVER_NAME, "config": cursor}),
                ),
                Step(L("Ou em .cursor/mcp.json:", "Or in .cursor/mcp.json:"), _settings("mcpServers", {"url": url})),
            ),
        ),
        KnownClient(
            "VS Code",
            (
                Step(L("Em um clique:", "In one click:"), link=f"vscode:mcp/install?{quote(json.dumps(vscode))}"),
                Step(L("Ou no terminal:", "Or in a terminal:"), f"code --add-mcp {shlex.quote(json.dumps(vscode))}"),
            ),
        ),
        KnownClient(
            "Codex",
            (
                Step(
                    L("No terminal:", "In a terminal:"),
                    f"codex mcp add {SERVER_NAME} --url {word}\ncodex mcp login {SERVER_NAME}",
                ),
            ),
        ),
        KnownClient(
            "Gemini CLI",
            (
                Step(
                    L("No terminal:", "In a terminal:"),
                    f"gemini mcp add --transport http {SERVER_NAME} {word}",
                ),
            ),
        ),
        KnownClient(
            "Windsurf",
            (
                Step(
                    L("Em ~/.codeium/windsurf/mcp_config.json:", "In ~/.codeium/windsurf/mcp_config.json:"),
                    _settings("mcpServers", {"serverUrl": url}),
                ),
            ),
        ),
        KnownClient(
            "MCP Inspector",
            (
                Step(
                    L("Para ver cada mensagem, no terminal:", "To see every message, in a terminal:"),
                    f"npx @modelcontextprotocol/inspector --transport http --server-url {word}",
                ),
            ),
        ),
        KnownClient(
            L("Outros programas", "Other programs"),
            (
                Step(
                    L(
                        "Todo cliente que fala MCP por Streamable HTTP serve, com os SDKs oficiais também: só precisa "
                        "do endereço. Se ele pede um arquivo, é quase sempre assim:",
                        "Every client that speaks MCP over Streamable HTTP will do, the official SDKs too: all that it "
                        "needs is the address. Where it asks for a file, it is nearly always this:",
                    ),
                    _settings("mcpServers", {"type": "http", "url": url}),
                ),
            ),
        ),
    )


def _settings(group: str, server: dict[str, str]) -> str:
    return json.dumps({group: {SERVER_NAME: server}}, indent=2)
