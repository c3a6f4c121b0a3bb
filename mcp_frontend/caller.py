"""Who is behind a request, as proven by the access token."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caller:
    """The claims of a verified access token. The token itself is not kept: it never crosses to the tool service.

    issuer, subject, client_id and organization_id together are the principal.
    """

    issuer: str
    subject: str
    organization_id: str
    client_id: str
    client_name: str | None
    scopes: frozenset[str]
    token_id: str
    expires_at: int
    """Unix seconds."""
