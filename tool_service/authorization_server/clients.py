"""A registered client, as Authlib asks about it."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from authlib.oauth2.rfc6749 import ClientMixin

from tool_service.authorization_server.redirects import matches


class Registration(StrEnum):
    """How we came to know the client: RFC 7591, a metadata document, an operator's command, or it is ours."""

    DYNAMIC = "dynamic"
    DOCUMENT = "document"
    SERVICE = "service"
    OWN = "own"


@dataclass(frozen=True, slots=True)
class OAuthClient(ClientMixin):
    client_id: str
    registration: Registration
    name: str
    redirect_uris: tuple[str, ...]
    grant_types: tuple[str, ...]
    authentication_method: str
    secret_digest: str | None
    member_id: UUID | None
    """The member as whom a service acts."""
    fresh_until: datetime | None
    """Until when our copy of its document need not be read again."""

    def get_client_id(self) -> str:
        return self.client_id

    def get_default_redirect_uri(self) -> str | None:
        """The only one there is; among several the client has to choose."""
        return self.redirect_uris[0] if len(self.redirect_uris) == 1 else None

    def get_allowed_scope(self, scope: str | None) -> str:
        # What a person may allow is theirs to say, not the client's registration.
        return scope or ""

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return any(matches(registered, redirect_uri) for registered in self.redirect_uris)

    def check_client_secret(self, client_secret: str) -> bool:
        return self.secret_digest is not None and secrets.compare_digest(self.secret_digest, digest(client_secret))

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        # Who has a secret may send it either way: some clients register for one and use the other.
        if self.authentication_method == "none":
            return method == "none"
        return method in ("client_secret_basic", "client_secret_post")

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code" and "authorization_code" in self.grant_types

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type in self.grant_types


def digest(secret: str) -> str:
    """What we keep of a random secret of our own making: 256 bits need no slow hash."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
