"""Every error that is raised has a row in the catalogue, and every class of errors a kind on the wire."""

import ast
import importlib
import pkgutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import tool_service
from tool_service.domain.error_catalogue import CATALOGUE
from tool_service.domain.errors import InvalidArguments, OperationError, Problem
from tool_service.grpc_api.status import FAILURE_KINDS

ROOT = Path(tool_service.__path__[0])
# Raised only where no tool call is: gRPC has its own words for these, or never sees them.
NOT_IN_TOOL_CALLS = {
    "MalformedBody": "a REST body",
    "UnsupportedMediaType": "a REST body",
    "Unauthorized": "a REST token; over gRPC the status UNAUTHENTICATED",
    "NoSuchMethod": "a REST method",
    "Unavailable": "REST; over gRPC the status UNAVAILABLE",
    "InternalError": "REST; over gRPC the status INTERNAL",
    "SignedUrlInvalid": "the URL of a file",
    "SignedUrlExpired": "the URL of a file",
    "UploadRefused": "the URL of a file",
    "UploadClosed": "the URL of a file",
}


def error_classes() -> list[type[OperationError]]:
    for module in pkgutil.walk_packages(tool_service.__path__, "tool_service."):
        # Migrations run where they are imported.
        if ".migrations" not in module.name:
            importlib.import_module(module.name)
    return list(subclasses(OperationError))


def subclasses(of: type[OperationError]) -> Iterator[type[OperationError]]:
    for each in of.__subclasses__():
        yield each
        yield from subclasses(each)


def codes_in_source() -> Iterator[tuple[str, str]]:
    """File and code of every literal that makes an error or one of its problems."""
    makers = {each.__name__ for each in error_classes()} | {"OperationError", "Problem"}
    for path in sorted(ROOT.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = [(call, name_of(call.func) in makers) for call in ast.walk(tree) if isinstance(call, ast.Call)]
        for definition in ast.walk(tree):
            if isinstance(definition, ast.ClassDef) and definition.name in makers:
                inside = (call for call in ast.walk(definition) if isinstance(call, ast.Call))
                calls += [(call, True) for call in inside if name_of(call.func) == "__init__"]
        for call, makes_an_error in calls:
            given = [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "code")]
            for code in given if makes_an_error else []:
                if isinstance(code, ast.Constant) and isinstance(code.value, str):
                    yield str(path.relative_to(ROOT)), code.value


def name_of(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def test_every_class_of_errors_has_a_kind_or_a_reason_to_have_none() -> None:
    names = Counter(each.__name__ for each in error_classes())
    assert names.keys() == FAILURE_KINDS.keys() | NOT_IN_TOOL_CALLS.keys()
    # The kind is found by the name, so it must mean one class.
    assert [name for name, count in names.items() if count > 1] == []


def test_every_code_in_the_source_is_in_the_catalogue() -> None:
    found = list(codes_in_source())
    assert len({code for _, code in found}) > 20
    assert [(path, code) for path, code in found if code not in CATALOGUE] == []


@pytest.mark.parametrize("code", CATALOGUE)
def test_an_entry_is_whole_in_both_languages(code: str) -> None:
    entry = CATALOGUE[code]
    assert code == code.lower()
    assert 400 <= entry.status < 600
    for text in (entry.title.pt, entry.title.en, entry.hint or "x"):
        assert text
        assert [name for _, name, _, _ in Formatter().parse(text) if name is not None] == []


def test_several_problems_make_one_error_that_is_known_by_its_first() -> None:
    problems = [Problem("invalid_get_param", param="a"), Problem("validation_error", param="b")]
    error = InvalidArguments.of(problems)
    assert error.code == "invalid_get_param"
    assert list(error.problems) == problems
