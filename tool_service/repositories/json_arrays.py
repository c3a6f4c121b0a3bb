"""Membership in a JSON array column, the same on SQLite and PostgreSQL."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler


class _Contains(sa.ColumnElement[bool]):
    """True where the array holds the text."""

    inherit_cache = True
    type = sa.Boolean()

    def __init__(self, array: sa.ColumnElement[Any], text: str) -> None:
        self.array = array
        self.text = sa.literal(text, sa.String)

    _traverse_internals = [  # noqa: RUF012 (SQLAlchemy's own form, read when statements are cached)
        ("array", sa.sql.visitors.InternalTraversal.dp_clauseelement),
        ("text", sa.sql.visitors.InternalTraversal.dp_clauseelement),
    ]


@compiles(_Contains, "sqlite")
def _on_sqlite(element: _Contains, compiler: SQLCompiler, **kw: Any) -> str:
    array, text = compiler.process(element.array, **kw), compiler.process(element.text, **kw)
    return f"EXISTS (SELECT 1 FROM json_each({array}) AS item WHERE item.value = {text})"


@compiles(_Contains, "postgresql")
def _on_postgresql(element: _Contains, compiler: SQLCompiler, **kw: Any) -> str:
    array, text = compiler.process(element.array, **kw), compiler.process(element.text, **kw)
    # jsonb_exists() is the operator "?", whose sign drivers take for a parameter.
    return f"jsonb_exists({array}, {text})"


def contains_any(array: sa.ColumnElement[Any], texts: Sequence[str]) -> sa.ColumnElement[bool]:
    """True where the JSON array column holds at least one of the texts."""
    return sa.or_(sa.false(), *(_Contains(array, text) for text in texts))


def contains_all(array: sa.ColumnElement[Any], texts: Sequence[str]) -> sa.ColumnElement[bool]:
    """True where the JSON array column holds every one of the texts."""
    return sa.and_(sa.true(), *(_Contains(array, text) for text in texts))
