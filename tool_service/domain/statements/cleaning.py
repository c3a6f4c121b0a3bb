"""Text of strangers, made harmless to show and easy to compare."""

import re
import unicodedata

# Control and format characters, bidi overrides among them, change how the text round them is seen.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_BLANKS = frozenset({"Zs", "Zl", "Zp"})
_NOT_WORD = re.compile(r"[^0-9a-z]+")


def clean(text: str, limit: int) -> str:
    """The text on one line without control, format and bidi characters, cut to `limit` characters."""
    if not text.isprintable():
        text = "".join(map(_seen, text))
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def fold(text: str) -> str:
    """Lower-case words without accents or signs, one blank between: "Crédito (R$)" gives "credito r"."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = "".join(each for each in text if not unicodedata.combining(each))
    return _NOT_WORD.sub(" ", text.lower()).strip()


def brief(text: str, limit: int = 40) -> str:
    """A quotation for a message: clean, and short enough to stay readable."""
    return clean(text, limit)


def _seen(character: str) -> str:
    # Line feeds and tabs are controls too; as blanks they keep words apart.
    if character in "\t\n\r":
        return " "
    category = unicodedata.category(character)
    if category in _BLANKS:
        return " "
    return "" if category in _UNSEEN else character
