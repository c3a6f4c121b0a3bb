"""Reads the documents from their files, once, at the start of a process.

A file `name.language.md` holds a title line ("# Title"), a blank line, one line that says what the
document tells, and then the rest; every language of Kadu has one.
"""

from collections.abc import Mapping
from importlib import resources
from string import Template

from tool_service.documents.figures import figures
from tool_service.domain.documents import Document
from tool_service.domain.language import Language, Localized
from tool_service.registry import Registry

_SUFFIX = f".{Language.ENGLISH}.md"


def read_documents(registry: Registry) -> tuple[Document, ...]:
    """All documents by name.

    Raises:
        ValueError: a text names a figure that does not exist, or does not begin as it must.
        FileNotFoundError: a document is missing in a language.
    """
    names = [each.name for each in resources.files("tool_service.documents").iterdir() if each.name.endswith(_SUFFIX)]
    return tuple(_document(name.removesuffix(_SUFFIX), registry) for name in sorted(names))


def _document(name: str, registry: Registry) -> Document:
    texts = {language: _text(name, language, figures(language, registry)) for language in Language}
    heads = {language: head_of(text) for language, text in texts.items()}
    pt, en = Language.PORTUGUESE, Language.ENGLISH
    return Document(
        name=name,
        title=Localized(pt=heads[pt][0], en=heads[en][0]),
        description=Localized(pt=heads[pt][1], en=heads[en][1]),
        text=Localized(pt=texts[pt], en=texts[en]),
    )


def _text(name: str, language: Language, values: Mapping[str, str]) -> str:
    filename = f"{name}.{language}.md"
    written = resources.files("tool_service.documents").joinpath(filename).read_text(encoding="utf-8")
    try:
        return Template(written).substitute(values)
    except KeyError as error:
        raise ValueError(f"{filename} names a figure that does not exist: {error}") from error


def head_of(text: str) -> tuple[str, str]:
    """Title and description.

    Raises:
        ValueError: the text does not begin with a title line, a blank line and a description.
    """
    title, blank, description = [*text.splitlines(), "", "", ""][:3]
    if not title.startswith("# ") or blank or not description:
        raise ValueError(f"a document begins with a title line, a blank line and a description, not {title[:40]!r}")
    return title.removeprefix("# "), description
