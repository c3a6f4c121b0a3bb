"""authorization_server.ports.ClientDocuments out of a dictionary."""

import json
from dataclasses import dataclass, field
from typing import Any

from tool_service.authorization_server.ports import ClientDocument, ClientDocumentRefused


@dataclass(slots=True)
class FakeClientDocuments:
    published: dict[str, dict[str, Any]] = field(default_factory=dict)
    fresh_seconds: int = 0
    is_down: bool = False
    fetched: list[str] = field(default_factory=list)

    async def fetch(self, url: str) -> ClientDocument:
        self.fetched.append(url)
        if self.is_down:
            raise ClientDocumentRefused("its server does not answer", is_temporary=True)
        if url not in self.published:
            raise ClientDocumentRefused("its server answered 404")
        return ClientDocument(json.dumps(self.published[url]).encode(), self.fresh_seconds)
