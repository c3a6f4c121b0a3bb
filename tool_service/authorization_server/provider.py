"""Authlib's authorization server on the connection of one transaction: made for one request, and dropped with it."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from authlib.oauth2 import AuthorizationServer
from authlib.oauth2 import OAuth2Request as AuthlibRequest
from authlib.oauth2.rfc6749 import InvalidRequestError, InvalidScopeError
from authlib.oauth2.rfc6749.requests import OAuth2Payload
from authlib.oauth2.rfc7009 import RevocationEndpoint

from tool_service.authorization_server.clients import OAuthClient, digest
from tool_service.authorization_server.grants import (
    AUTHENTICATION_METHODS,
    IDENTITY_SCOPES,
    KaduAuthorizationCodeGrant,
    KaduClientCredentialsGrant,
    KaduRefreshTokenGrant,
    OurResource,
    S256Challenge,
)
from tool_service.authorization_server.records import Code, FamilyToken, Grant, Records, RefreshToken
from tool_service.authorization_server.tokens import AccessTokens, TokenRefused
from tool_service.domain.scopes import ALIASES, ALL, expand

ACCESS_TOKEN_LIFETIME = timedelta(minutes=15)
REFRESH_TOKEN_LIFETIME = timedelta(days=30)
GRANT_LIFETIME = timedelta(days=365)
BASELINE_SCOPES = frozenset({"kadu.read", "kadu.tasks.run"})


@dataclass(frozen=True, slots=True)
class FormRequest:
    """One request to the authorization or the token endpoint; every value of a name that came more than once."""

    method: str
    path: str
    values: Mapping[str, Sequence[str]]
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer; `body` is JSON to be, or empty."""

    status: int
    body: Any
    headers: Mapping[str, str]

    @property
    def location(self) -> str | None:
        return self.headers.get("Location")


@dataclass(frozen=True, slots=True)
class Revoked:
    """A family that this request revoked, to be put on record."""

    grant: Grant
    reason: str


class _Payload(OAuth2Payload):
    def __init__(self, values: Mapping[str, Sequence[str]]) -> None:
        self._values = {name: list(each) for name, each in values.items()}

    @property
    def data(self) -> dict[str, str]:
        return {name: each[0] for name, each in self._values.items()}

    @property
    def datalist(self) -> Any:
        return self._values


class _Request(AuthlibRequest):
    def __init__(self, request: FormRequest) -> None:
        # Whether the issuer may be reached without TLS is a matter of the settings, and TLS may end before us.
        super().__init__(request.method, f"https://issuer{request.path}", headers=dict(request.headers))
        self.payload = _Payload(request.values)

    @property
    def form(self) -> dict[str, str]:
        return self.payload.data


class Provider(AuthorizationServer):
    def __init__(
        self,
        records: Records,
        tokens: AccessTokens,
        *,
        mcp_resource: str,
        api_audience: str,
        own_client: OAuthClient,
        signed_in_at: datetime | None = None,
    ) -> None:
        super().__init__()
        self.records = records
        self.mcp_resource = mcp_resource
        self.api_audience = api_audience
        self.signed_in_at = signed_in_at
        self.revoked: list[Revoked] = []
        self._tokens = tokens
        self._own_client = own_client
        self.register_grant(KaduAuthorizationCodeGrant, [S256Challenge(), OurResource()])
        self.register_grant(KaduRefreshTokenGrant)
        self.register_grant(KaduClientCredentialsGrant)
        self.register_endpoint(_Revocation)

    def create_oauth2_request(self, request: FormRequest) -> _Request:
        return _Request(request)

    def handle_response(self, status: int, body: Any, headers: Any) -> Answer:
        return Answer(status, dict(body) if isinstance(body, list) else body, dict(headers))

    def send_signal(self, name: str, *args: object, **kwargs: object) -> None:
        """Nobody listens."""

    def query_client(self, client_id: str) -> OAuthClient | None:
        return self._own_client if client_id == self._own_client.client_id else self.records.client(client_id)

    def save_token(self, token: Mapping[str, Any], request: Any) -> None:
        """A refresh token was kept when it was made; an access token is kept nowhere."""

    def validate_requested_scope(self, scope: str | None) -> None:
        """Unknown scopes are left out, as RFC 6749 3.3 allows; one that is known there must be."""
        self.scopes_asked(scope)

    def scopes_asked(self, scope: str | None) -> frozenset[str]:
        """The scopes of Kadu that a request names, aliases expanded; without any, those for a start.

        Raises:
            InvalidScopeError: it names only what nobody knows.
        """
        named = frozenset((scope or "").split())
        known = named & (ALL | ALIASES.keys())
        if not known and named - IDENTITY_SCOPES:
            raise InvalidScopeError()
        return expand(known or BASELINE_SCOPES)

    def client_of(self, request: Any) -> str:
        """The client that authenticated itself for this token request."""
        return str(request.client.client_id)

    def revoke(self, grant: Grant, reason: str) -> None:
        if self.records.revoke(grant.id, reason):
            self.revoked.append(Revoked(grant, reason))

    def generate_token(
        self,
        grant_type: str,
        client: Any,
        user: Any = None,
        scope: str | None = None,
        expires_in: int | None = None,
        include_refresh_token: bool = True,
    ) -> dict[str, Any]:
        """The token response (RFC 6749 5.1); its scope names what was given, which may be less than was asked."""
        grant: Grant = user
        named = frozenset((scope or "").split())
        scopes = expand(named) & grant.scopes or grant.scopes
        self.records.mark_used(grant)
        token: dict[str, Any] = {
            "access_token": self._tokens.mint(
                person_id=grant.person_id,
                organization_id=grant.organization_id,
                audience=grant.audience,
                client_id=grant.client_id,
                client_name=grant.client_name,
                scopes=scopes,
                lifetime=ACCESS_TOKEN_LIFETIME,
                grant_id=grant.id,
            ),
            "token_type": "Bearer",
            "expires_in": int(ACCESS_TOKEN_LIFETIME.total_seconds()),
            "scope": " ".join(
                sorted(scopes | (named & IDENTITY_SCOPES if grant_type == "authorization_code" else set()))
            ),
        }
        if include_refresh_token:
            token["refresh_token"] = self._new_refresh_token(grant)
        return token

    def id_token(self, code: Code) -> str:
        """Who signed in to allow this, for the client itself."""
        person = self.records.person(code.grant.person_id)
        return self._tokens.mint_id_token(
            person_id=person["id"],
            organization_id=code.grant.organization_id,
            grant_id=code.grant.id,
            client_id=code.client_id,
            name=person["name"],
            email=person["email"],
            nonce=code.nonce,
            signed_in_at=code.signed_in_at,
            lifetime=ACCESS_TOKEN_LIFETIME,
        )

    def access_token(self, text: str) -> FamilyToken | None:
        """The access token with its grant locked; None when it is not ours, or comes from no grant."""
        for audience in (self.mcp_resource, self.api_audience):
            try:
                grant_id = self._tokens.verify(text, audience).grant_id
            except TokenRefused:
                continue
            return None if grant_id is None else FamilyToken(self.records.lock_grant(grant_id))
        return None

    def _new_refresh_token(self, grant: Grant) -> str:
        secret = secrets.token_urlsafe(32)
        expires_at = min(self.records.now + REFRESH_TOKEN_LIFETIME, grant.expires_at)
        self.records.add_refresh_token(RefreshToken(grant, digest(secret), expires_at, None))
        return secret


class _Revocation(RevocationEndpoint):
    """RFC 7009: whichever token of the family is named, all of it ends."""

    server: Provider
    CLIENT_AUTH_METHODS = AUTHENTICATION_METHODS

    def check_params(self, request: Any, client: Any) -> None:
        # A hint is no more than that (RFC 7009 2.1): we look everywhere, and refuse none.
        if not request.form.get("token"):
            raise InvalidRequestError("The token is missing.")

    def query_token(self, token_string: str, token_type_hint: str | None) -> FamilyToken | None:
        found = self.server.records.lock_refresh_token(digest(token_string))
        return found or self.server.access_token(token_string)

    def revoke_token(self, token: Any, request: Any) -> None:
        self.server.revoke(token.grant, "revoked_by_client")
