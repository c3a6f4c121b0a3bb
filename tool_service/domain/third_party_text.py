"""Text that others wrote, made harmless to show: it stays text, and it cannot hide or reorder anything.

Applied where such text is stored, so that every reader gets the same.
"""

import unicodedata
from collections.abc import Mapping
from typing import Any

# Controls, private "format" characters (bidi overrides and isolates, zero-width ones), lone surrogates.
_HIDDEN = frozenset({"Cc", "Cf", "Cs"})
_LAYOUT = frozenset("\n\t")


def harmless(text: str) -> str:
    """The text without control, invisible and direction characters; line breaks and tabs stay."""
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    if unified.isascii() and unified.isprintable():
        return unified
    return "".join(each for each in unified if each in _LAYOUT or unicodedata.category(each) not in _HIDDEN)


def harmless_line(text: str, length: int) -> str:
    """The same on one line, cut to a length."""
    return " ".join(harmless(text).split())[:length].rstrip()


def harmless_json(value: Any) -> Any:
    """A JSON value with every text in it, keys too, made harmless."""
    match value:
        case str():
            return harmless(value)
        case Mapping():
            return {harmless(str(key)): harmless_json(item) for key, item in value.items()}
        case list() | tuple():
            return [harmless_json(item) for item in value]
        case _:
            return value
