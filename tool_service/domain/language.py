"""Texts that people read, in every language that Kadu speaks."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Language(StrEnum):
    PORTUGUESE = "pt-BR"
    ENGLISH = "en"


DEFAULT_LANGUAGE = Language.PORTUGUESE


@dataclass(frozen=True, slots=True)
class Localized:
    """One text in both languages; a missing translation cannot be written."""

    pt: str
    en: str

    def in_(self, language: Language) -> str:
        return self.pt if language is Language.PORTUGUESE else self.en


def choose_language(accept_language: str, *preferences: str | None) -> Language:
    """The first language that Kadu speaks: of the header by weight, then of the preferences in order."""
    for tag in (*_by_weight(accept_language), *preferences):
        match (tag or "").replace("_", "-").lower().split("-")[0]:
            case "pt":
                return Language.PORTUGUESE
            case "en":
                return Language.ENGLISH
    return DEFAULT_LANGUAGE


def _by_weight(accept_language: str) -> Iterable[str]:
    weighted: list[tuple[float, str]] = []
    for item in accept_language.split(",")[:20]:
        tag, _, weight = item.partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=")) if weight else 1.0
        except ValueError:
            continue
        if quality > 0:
            weighted.append((-quality, tag.strip()))
    # sorted() is stable: equal weights keep the order of the header.
    return [tag for _, tag in sorted(weighted, key=lambda pair: pair[0])]
