"""What the welcome text tells people to paste, as a shell understands it."""

import ast
import json
import subprocess
from pathlib import Path

import pytest

from tool_service.local.layout import Layout
from tool_service.local.welcome import SAMPLES, welcome

TOKEN = "a.ready.token"
HEADER = f"Authorization: Bearer {TOKEN}"
URL = "http://127.0.0.1:8000"


@pytest.fixture
def text(tmp_path: Path) -> str:
    # Spaces and quotes are in the paths of real people.
    layout = Layout(tmp_path / "it's my folder")
    layout.tokens.mkdir(parents=True)
    (layout.tokens / "owner").write_text(TOKEN)
    return welcome(layout, TOKEN)


def _pasted(text: str, program: str) -> list[str]:
    """The arguments that a shell hands to the program when its line is pasted."""
    line = next(line for line in text.splitlines() if line.startswith(program + " "))
    script = f'{program}() {{ printf "%s\\0" "$@"; }}\n{line}'
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split("\0")[:-1]


def test_claude_code_is_told_url_and_token(text: str) -> None:
    assert _pasted(text, "claude") == ["mcp", "add", "--transport", "http", "kadu", URL, "--header", HEADER]


def test_vs_code_is_given_json_with_url_and_token(text: str) -> None:
    option, configuration = _pasted(text, "code")
    assert (option, json.loads(configuration)) == (
        "--add-mcp",
        {"name": "kadu", "type": "http", "url": URL, "headers": {"Authorization": f"Bearer {TOKEN}"}},
    )


def test_the_inspector_lists_tools_with_the_token(text: str) -> None:
    assert _pasted(text, "npx") == [
        *("@modelcontextprotocol/inspector", "--cli", URL, "--transport", "http"),
        *("--method", "tools/list", "--header", HEADER),
    ]


def test_curl_posts_one_message_with_the_token(text: str) -> None:
    *options, message = _pasted(text, "curl")
    expected = ["-sS", URL, "--header", HEADER, "--header", "Content-Type: application/json", "--data"]
    assert (options, json.loads(message)) == (expected, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})


def test_cursor_is_given_json(text: str) -> None:
    line = next(line for line in text.splitlines() if line.startswith('{"mcpServers"'))
    assert json.loads(line)["mcpServers"]["kadu"]["url"] == URL


def test_the_python_client_is_python(text: str) -> None:
    ast.parse(text.split("<<'END'\n")[1].split("\nEND\n")[0])


def test_the_owners_token_stands_on_a_line_of_its_own(text: str) -> None:
    assert TOKEN in text.splitlines()


def test_the_sample_statements_are_where_the_text_says() -> None:
    assert SAMPLES.is_dir()
