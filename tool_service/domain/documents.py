"""Fixed documents about Kadu itself, in every language that it speaks."""

from dataclasses import dataclass

from tool_service.domain.language import Localized
from tool_service.domain.resource_uris import ROOT

MARKDOWN = "text/markdown"
JSON = "application/json"
# What one read of a resource may bring into a model's context, in UTF-8 bytes.
READ_LIMIT_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Document:
    """One markdown text; `name` ends its URI, such as "getting-started"."""

    name: str
    title: Localized
    description: Localized
    text: Localized

    @property
    def uri(self) -> str:
        return f"{ROOT}docs/{self.name}"
