"""Markdown (GFM) in which text of strangers stays text: no markup, no links, no table breaks."""

import re
from collections.abc import Iterable, Sequence

_CELL_LIMIT = 120
# What starts markup inside a line (GFM 0.29, section 6); "&" would start a character reference.
_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|~!&$]")
# What GFM turns into links by itself (section 6.9): the backslash breaks the pattern, and is not shown.
_AUTOLINK = re.compile(r"(?i)(?<=www)\.|(?<=[a-z]):(?=//)|@")


def escape(text: str) -> str:
    """The text, cut to 120 characters, so that it reads as itself within a line of Markdown."""
    if len(text) > _CELL_LIMIT:
        text = f"{text[: _CELL_LIMIT - 1]}…"
    return _AUTOLINK.sub(r"\\\g<0>", _SPECIAL.sub(r"\\\g<0>", text))


def table(headers: Sequence[str], rows: Iterable[Sequence[str]], right: frozenset[int] = frozenset()) -> list[str]:
    """Lines of a table and a blank one after it; `right` holds the places of columns that align right.

    Cells are Markdown already: whoever passes text of strangers escapes it.
    """
    rule = ("---:" if place in right else "---" for place in range(len(headers)))
    return [_row(headers), _row(tuple(rule)), *map(_row, rows), ""]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
