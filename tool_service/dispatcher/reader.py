"""Who reads, lists, fills in or completes."""

from dataclasses import dataclass

from tool_service.domain.caller import Identity


@dataclass(frozen=True, slots=True)
class Reader:
    """A proven identity, the request, and the language that the client prefers."""

    identity: Identity
    request_id: str
    accept_language: str
