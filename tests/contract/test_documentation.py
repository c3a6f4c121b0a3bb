"""The documents say what the code says: settings, errors, tools, rooms, commands, links."""

import ast
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from mcp_frontend.settings import PREFIX as FRONTEND_PREFIX
from mcp_frontend.settings import SETTINGS as FRONTEND_SETTINGS
from tool_service.settings import PREFIX as TOOL_SERVICE_PREFIX
from tool_service.settings import Settings as ToolServiceSettings

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def _read(*parts: str) -> str:
    return DOCS.joinpath(*parts).read_text(encoding="utf-8")


def _documented_settings(prefix: str) -> dict[str, str]:
    """Name and default of every row whose first cell is a setting with the prefix."""
    rows = re.findall(rf"^\| `({prefix}\w+)` \| (.*?) \|", _read("reference", "settings.md"), re.MULTILINE)
    return {name: default.strip("`") for name, default in rows}


def test_every_setting_of_the_tool_service_is_documented_with_its_default() -> None:
    def shown(default: object) -> str:
        text = str(default)
        return text.lower() if isinstance(default, bool) else text

    expected = {TOOL_SERVICE_PREFIX + field.name.upper(): shown(field.default) for field in fields(ToolServiceSettings)}
    assert _documented_settings(TOOL_SERVICE_PREFIX) == expected


def test_every_setting_of_the_front_end_is_documented_with_its_default() -> None:
    expected = {FRONTEND_PREFIX + setting.name: setting.default for setting in FRONTEND_SETTINGS}
    assert _documented_settings(FRONTEND_PREFIX) == expected


def test_the_generated_pages_are_current() -> None:
    check = subprocess.run(
        [sys.executable, ".ci/reference.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (check.returncode, check.stderr) == (0, "")


def _rooms_drawn(folder: str) -> set[str]:
    """What the tree of the architecture page shows one step below a top folder."""
    tree = _read("architecture.md").split("## The rooms")[1].split("```")[1]
    below = re.search(rf"^{folder}/\n((?:  .*\n)+)", tree, re.MULTILINE)
    assert below is not None
    return {line.split()[0].rstrip("/") for line in below[1].splitlines()}


@pytest.mark.parametrize("service", ["mcp_frontend", "tool_service", "tests"])
def test_the_tree_of_the_architecture_page_is_the_real_one(service: str) -> None:
    ignored = {"__init__.py", "__pycache__", "Dockerfile", "conftest.py"}
    assert _rooms_drawn(service) == {path.name for path in (ROOT / service).iterdir()} - ignored


def test_every_make_command_in_the_documents_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    named = {name for text in texts for name in re.findall(r"(?:^|`)make ([a-z-]+)", text, re.MULTILINE)}
    assert named - targets == set()


def test_every_target_that_people_call_has_a_line_of_help() -> None:
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    helped = set(re.findall(r"^([a-z-]+):.*## \S", MAKEFILE, re.MULTILINE))
    assert targets - helped == {"ready-to-run", "ready-to-test"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_and_every_file_named_in_a_document_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = {page.parent / link for link in re.findall(r"\]\(([^)#:]+)\)", text)}
    # An example of a file that the reader is about to write is no claim.
    named = {ROOT / name for name in re.findall(r"`((?:tests|tool_service|mcp_frontend|docs|protos)/[\w./-]+)`", text)}
    examples = {ROOT / "tool_service/operations/tasks_archive.py"}
    assert {str(path) for path in (links | named) - examples if not path.exists()} == set()


def test_every_decision_has_a_number_of_its_own() -> None:
    numbers = [int(path.name[:4]) for path in sorted((DOCS / "decisions").glob("*.md"))]
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_examples_in_the_documents_are_python() -> None:
    for page in PAGES:
        for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            ast.parse(re.sub(r"^   ", "", block, flags=re.MULTILINE))
