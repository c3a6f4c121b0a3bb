"""House rules that no linter knows, as loops over every module of both services and of the tests."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("mcp_frontend", "tool_service")
LINES_LIMIT = 400
BANNED_NAMES = {"utils", "helpers", "common", "base", "misc", "core", "types", "manager"}

# Where a process catches whatever it did not foresee, so that one request or one turn fails and not
# all of them. At most one `except Exception` each.
PROCESS_RIMS = {
    "mcp_frontend/web/mcp_endpoint.py",
    "tool_service/approvals/keeper.py",
    "tool_service/execution/turns.py",
    "tool_service/execution/worker.py",
    "tool_service/grpc_api/interceptors.py",
}

# Every revision that the protocol has had, spoken here or not.
REVISIONS = re.compile(r"2024-11-05|2025-03-26|2025-06-18|2025-11-25|2026-07-28")
HOME_OF_REVISIONS = "mcp_frontend/protocol/eras/"

# Folders in which people and machines keep their own things; the project works in any folder.
MACHINE_PATH = re.compile(r"(?<![\w.:}/-])/(?:root|home|tmp|work|Users|opt|mnt)/\w")
TEXT_SUFFIXES = {".py", ".md", ".toml", ".yml", ".yaml", ".proto", ".html", ".mako", ".ini", ".json", ""}
OUR_HIDDEN_FOLDERS = {".ci"}
NOT_OURS = {"node_modules", "__pycache__", "LICENSE"}


def _modules(*folders: str) -> Iterator[tuple[str, str]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def _texts() -> Iterator[tuple[str, str]]:
    for path in sorted(ROOT.rglob("*")):
        relative = path.relative_to(ROOT)
        hidden = any(part.startswith(".") and part not in OUR_HIDDEN_FOLDERS for part in relative.parts[:-1])
        if not hidden and NOT_OURS.isdisjoint(relative.parts) and path.suffix in TEXT_SUFFIXES and path.is_file():
            yield str(relative), path.read_text(encoding="utf-8", errors="replace")


SOURCES = list(_modules(*PACKAGES))
SOURCES_AND_TESTS = [*SOURCES, *_modules("tests")]


def test_the_rules_look_at_modules_of_both_services_and_of_the_tests() -> None:
    # A loop over nothing would keep every rule below.
    assert {path.split("/")[0] for path, _ in SOURCES_AND_TESTS} == {*PACKAGES, "tests"}


def test_no_module_is_longer_than_people_read_in_one_go() -> None:
    long = {path: lines for path, text in SOURCES_AND_TESTS if (lines := text.count("\n")) > LINES_LIMIT}
    assert long == {}


def test_no_module_has_a_name_that_could_hold_anything() -> None:
    parts = {path: set(path.removesuffix(".py").split("/")) for path, _ in SOURCES_AND_TESTS}
    assert [path for path, names in parts.items() if names & BANNED_NAMES] == []


def test_every_module_has_a_sign_on_its_door() -> None:
    # The empty __init__.py of a tests folder has no door.
    silent = [path for path, text in SOURCES_AND_TESTS if text.strip() and not ast.get_docstring(ast.parse(text))]
    assert silent == []


def test_every_package_of_the_services_has_a_sign_on_its_door() -> None:
    assert [path for path, text in SOURCES if path.endswith("__init__.py") and not text.strip()] == []


def test_only_the_eras_know_a_protocol_revision() -> None:
    knowing = [path for path, text in SOURCES if REVISIONS.search(text)]
    assert [path for path in knowing if not path.startswith(HOME_OF_REVISIONS)] == []


def _swallows_everything(node: ast.AST) -> bool:
    """Whether it is an `except` for whatever there may be that does not raise it again as it came."""
    if not isinstance(node, ast.ExceptHandler):
        return False
    last = node.body[-1]
    if isinstance(last, ast.Raise) and last.exc is None:
        return False
    caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    names = {each.id if isinstance(each, ast.Name) else None for each in caught if not isinstance(each, ast.Attribute)}
    return bool(names & {None, "Exception", "BaseException"})


def test_everything_is_caught_only_at_the_rim_of_a_process_and_once() -> None:
    counts = Counter[str]()
    for path, text in SOURCES:
        counts[path] += sum(_swallows_everything(node) for node in ast.walk(ast.parse(text)))
    caught = {path: count for path, count in counts.items() if count}
    assert {path: count for path, count in caught.items() if path not in PROCESS_RIMS or count > 1} == {}


@pytest.mark.parametrize("call", ["print", "breakpoint"])
def test_no_service_prints(call: str) -> None:
    def calls(text: str) -> bool:
        nodes = (node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
        return any(isinstance(function, ast.Name) and function.id == call for function in nodes)

    assert [path for path, text in SOURCES if calls(text)] == []


def test_no_file_names_a_folder_of_one_machine() -> None:
    found = {path: match.group() for path, text in _texts() if (match := MACHINE_PATH.search(text))}
    assert found.keys() - {"tests/unit/test_architecture.py"} == set()
