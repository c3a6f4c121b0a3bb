"""What the specification, the page and public reports demand of this server, as data: one module per area.

Tests claim requirements by id with the marker `requirement`; test_coverage.py holds the two together.
An id is `area.what-is-demanded` and never changes its meaning.
"""

import importlib
import pkgutil
from dataclasses import dataclass

_REPOSITORY = "https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/"


@dataclass(frozen=True)
class Requirement:
    """One demand in one sentence, with the place that makes it."""

    id: str
    sentence: str
    source: str


def stateless_text(path: str, section: str = "") -> str:
    """A section of the 2026-07-28 text, or a whole page of it."""
    return f"{_REPOSITORY}docs/specification/2026-07-28/{path}" + (f" ({section})" if section else "")


def handshake_text(path: str, section: str) -> str:
    """A section of the 2025-06-18 text."""
    return f"{_REPOSITORY}docs/specification/2025-06-18/{path} ({section})"


def schema(revision: str, type_name: str) -> str:
    """A type of the official schema."""
    return f"{_REPOSITORY}schema/{revision}/schema.ts#{type_name}"


def page(section: str) -> str:
    """A section of Kadu's own page on its MCP transport, which goes before every other text."""
    return f"Kadu, Transporte ({section})"


def report(repository: str, number: int) -> str:
    """A public report of somebody whom a server like this one failed."""
    return f"https://github.com/{repository}/issues/{number}"


def requirements() -> tuple[Requirement, ...]:
    """All of them, area by area."""
    areas = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    return tuple(requirement for area in areas for requirement in area.REQUIREMENTS)
