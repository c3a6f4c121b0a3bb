"""The page of field reports, the tests named after them and the code that cites them hold each other."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGE, NOT_YET = (ROOT / "docs/reference/field-reports.md").read_text(encoding="utf-8").split("## Not here yet")
ROW = re.compile(r"^\| \[(D\d\d)\]\(https://", re.MULTILINE)
SOURCES = [path for folder in ("mcp_frontend", "tool_service", "tests") for path in (ROOT / folder).rglob("*.py")]


def _reports_with_tests() -> set[str]:
    names = [
        node.name
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return {found[1].upper() for name in names if (found := re.match(r"test_(d\d\d)_", name))}


def test_every_report_is_on_the_page_once() -> None:
    assert ROW.findall(PAGE) + ROW.findall(NOT_YET) == sorted(set(ROW.findall(PAGE))) + sorted(
        set(ROW.findall(NOT_YET))
    )
    assert set(ROW.findall(PAGE)) | set(ROW.findall(NOT_YET)) == {f"D{number:02}" for number in range(1, 45)}


def test_a_report_has_tests_of_its_number_exactly_when_it_is_done() -> None:
    assert _reports_with_tests() == set(ROW.findall(PAGE))


def test_the_code_cites_only_reports_that_are_done() -> None:
    cited = {number for path in SOURCES for number in re.findall(r"report (D\d\d)", path.read_text(encoding="utf-8"))}
    assert cited - set(ROW.findall(PAGE)) == set()
