"""The documents say what the code does, and the same in both languages."""

import re

import pytest

from tests.support.faces import REGISTRY
from tool_service.documents.figures import figures
from tool_service.documents.shelf import head_of, read_documents
from tool_service.domain.documents import Document
from tool_service.domain.error_catalogue import CATALOGUE
from tool_service.domain.executions import Status
from tool_service.domain.language import Language

DOCUMENTS = read_documents(REGISTRY)
URIS = {each.uri for each in DOCUMENTS}

each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)


def _text(name: str, language: Language) -> str:
    return next(each for each in DOCUMENTS if each.name == name).text.in_(language)


@each_document
def test_both_languages_name_the_same_tools_documents_and_fields(document: Document) -> None:
    portuguese, english = (set(re.findall(r"`([^`\n]+)`", document.text.in_(each))) for each in Language)
    assert portuguese == english


@each_document
def test_both_languages_have_the_same_sections_rows_and_steps(document: Document) -> None:
    portuguese, english = (re.findall(r"^(#+|\||-|\d+\.) ", document.text.in_(each), re.MULTILINE) for each in Language)
    assert portuguese == english


@each_document
def test_every_tool_and_document_that_is_named_exists(document: Document) -> None:
    for language in Language:
        text = document.text.in_(language)
        tools = {each.tool_name for each in REGISTRY.operations}
        # The error catalogue also gives hints about tools that come with later operations.
        named = set(re.findall(r"kadu_[a-z_]+", text)) - set(re.findall(r"kadu_[a-z_]+", _hints()))
        assert named - tools == set()
        assert set(re.findall(r"kobana://kadu/[a-z/-]+", text)) - URIS == set()


def _hints() -> str:
    return " ".join(entry.hint or "" for entry in CATALOGUE.values())


@each_document
def test_the_title_and_the_description_are_the_head_of_the_text(document: Document) -> None:
    for language in Language:
        head = f"# {document.title.in_(language)}\n\n{document.description.in_(language)}\n"
        assert document.text.in_(language).startswith(head)
        assert "$" not in document.text.in_(language).replace("R$", "")


@pytest.mark.parametrize("language", list(Language))
def test_every_state_and_whether_it_is_final_stands_in_the_life_of_an_execution(language: Language) -> None:
    over = {Language.PORTUGUESE: {"sim": True, "não": False}, Language.ENGLISH: {"yes": True, "no": False}}[language]
    rows = re.findall(r"^\| `(\w+)` \| .* \| (\w+) \|$", _text("execution-lifecycle", language), re.MULTILINE)
    assert {state: over[said] for state, said in rows} == {each.value: each.terminal for each in Status}


@pytest.mark.parametrize("language", list(Language))
def test_every_code_stands_in_the_errors_with_its_status(language: Language) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (.+?) \|", _text("errors", language), re.MULTILINE)
    expected = {(code, str(entry.status), entry.title.in_(language)) for code, entry in CATALOGUE.items()}
    assert set(rows) == expected


@pytest.mark.parametrize("language", list(Language))
def test_every_destructive_tool_is_named_where_confirmation_is_explained(language: Language) -> None:
    named = set(re.findall(r"`(kadu_\w+)`", _text("confirmation", language)))
    assert named - {"kadu_approvals_get"} == {each.tool_name for each in REGISTRY.operations if each.destructive}


def test_every_figure_is_used() -> None:
    shown = {each.text.in_(Language.ENGLISH) for each in DOCUMENTS}
    unused = {
        name: text
        for name, text in figures(Language.ENGLISH, REGISTRY).items()
        if not any(text in document for document in shown)
    }
    assert unused == {}


@pytest.mark.parametrize("text", ["", "Title\n\nTells.\n", "# Title\nTells.\n", "# Title\n\n"])
def test_a_text_without_title_and_description_is_no_document(text: str) -> None:
    with pytest.raises(ValueError, match="begins with"):
        head_of(text)
