"""The grants of OAuth 2.1 over our records: Authlib runs the protocol, these answer its questions."""

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from authlib.oauth2.rfc6749 import InvalidGrantError, InvalidRequestError, InvalidScopeError, OAuth2Error
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant, ClientCredentialsGrant, RefreshTokenGrant
from authlib.oauth2.rfc7636 import CodeChallenge

from tool_service.authorization_server.clients import digest
from tool_service.authorization_server.records import Code, Grant, RefreshToken
from tool_service.authorization_server.resources import names_resource
from tool_service.domain.third_party_text import harmless_line

if TYPE_CHECKING:
    from tool_service.authorization_server.provider import Provider

# OpenID Connect's own; they open nothing of Kadu.
IDENTITY_SCOPES = frozenset({"openid", "profile", "email", "offline_access"})
CODE_LIFETIME = timedelta(minutes=2)
# Two requests of one client that cross each other must not cost the person a sign-in (field report D17).
ROTATION_GRACE = timedelta(seconds=30)
AUTHENTICATION_METHODS_WITH_SECRET = ["client_secret_basic", "client_secret_post"]
AUTHENTICATION_METHODS = ["none", *AUTHENTICATION_METHODS_WITH_SECRET]
_CHALLENGE_METHODS = ["S256"]


class InvalidTargetError(OAuth2Error):
    """RFC 8707 2."""

    error = "invalid_target"


class _ForOneResource:
    """RFC 8707: the token is for the resource that the request names, and that must be ours."""

    request: Any

    def require_resource(self, resource: str) -> None:
        for named in self.request.payload.datalist.get("resource", []):
            if not names_resource(named, resource):
                raise InvalidTargetError(f"The only resource here is {resource}")


class KaduAuthorizationCodeGrant(_ForOneResource, AuthorizationCodeGrant):
    server: "Provider"
    TOKEN_ENDPOINT_AUTH_METHODS = AUTHENTICATION_METHODS

    @staticmethod
    def validate_authorization_redirect_uri(request: Any, client: Any) -> str:
        named = request.payload.redirect_uri
        if named and not client.check_redirect_uri(named):
            raise InvalidRequestError("The redirect_uri is not one that the client registered.")
        redirect_uri = named or client.get_default_redirect_uri()
        if not redirect_uri:
            raise InvalidRequestError("The redirect_uri is missing, and the client registered several.")
        return redirect_uri

    def generate_authorization_code(self) -> str:
        return secrets.token_urlsafe(32)

    def save_authorization_code(self, code: str, request: Any) -> None:
        provider, data = self.server, request.payload.data
        grant: Grant = request.user
        provider.records.add_grant(grant, active=False)
        nonce = data.get("nonce")
        provider.records.add_code(
            digest(code),
            Code(
                grant=grant,
                client_id=request.client.client_id,
                redirect_uri=self.redirect_uri or request.payload.redirect_uri,
                redirect_uri_was_named=bool(request.payload.redirect_uri),
                code_challenge=data["code_challenge"],
                scope=" ".join(sorted(grant.scopes | (frozenset((request.scope or "").split()) & IDENTITY_SCOPES))),
                nonce=harmless_line(nonce, 255) if nonce else None,
                signed_in_at=provider.signed_in_at or provider.records.now,
                expires_at=provider.records.now + CODE_LIFETIME,
                redeemed_at=None,
            ),
        )

    def validate_token_request(self) -> None:
        super().validate_token_request()
        self.require_resource(self.request.authorization_code.grant.audience)

    def query_authorization_code(self, code: str, client: Any) -> Code | None:
        records, found = self.server.records, self.server.records.lock_code(digest(code))
        if found is None or found.client_id != client.client_id:
            return None
        if found.redeemed_at is not None:
            # RFC 6749 4.1.2: somebody else may have it too.
            self.server.revoke(found.grant, "code_used_twice")
            return None
        # Burnt by whatever comes of it: a verifier cannot be tried twice.
        records.mark_redeemed(digest(code))
        good = found.expires_at > records.now and found.grant.revoked_at is None
        return found if good else None

    def authenticate_user(self, authorization_code: Code) -> Grant | None:
        grant = authorization_code.grant
        return grant if self.server.records.is_active_member(grant) else None

    def create_token_response(self) -> Any:
        status, token, headers = super().create_token_response()
        if "openid" in self.request.authorization_code.scope.split():
            token["id_token"] = self.server.id_token(self.request.authorization_code)
        return status, token, headers

    def delete_authorization_code(self, authorization_code: Code) -> None:
        """It is kept, marked as redeemed: so a second use is seen."""


class KaduRefreshTokenGrant(_ForOneResource, RefreshTokenGrant):
    server: "Provider"
    TOKEN_ENDPOINT_AUTH_METHODS = AUTHENTICATION_METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def validate_token_request(self) -> None:
        super().validate_token_request()
        self.require_resource(self.request.refresh_token.grant.audience)

    def authenticate_refresh_token(self, refresh_token: str) -> RefreshToken | None:
        now, found = self.server.records.now, self.server.records.lock_refresh_token(digest(refresh_token))
        if found is None or found.grant.client_id != self.server.client_of(self.request):
            return None
        if found.rotated_at is not None and now > found.rotated_at + ROTATION_GRACE:
            # RFC 9700 4.14.2: one of the two who have it is a thief, and nobody knows which.
            self.server.revoke(found.grant, "refresh_token_reused")
            return None
        good = found.expires_at > now and found.grant.expires_at > now and found.grant.revoked_at is None
        return found if good else None

    def _validate_token_scope(self, token: RefreshToken) -> None:
        # A client may name what it first asked for, though the person allowed less: it gets what was allowed.
        named = self.request.payload.scope
        if named and not self.server.scopes_asked(named) & token.grant.scopes:
            raise InvalidScopeError()

    def authenticate_user(self, refresh_token: RefreshToken) -> Grant:
        if not self.server.records.is_active_member(refresh_token.grant):
            raise InvalidGrantError("The person is no active member any more.")
        return refresh_token.grant

    def revoke_old_credential(self, refresh_token: RefreshToken) -> None:
        self.server.records.mark_rotated(refresh_token)


class KaduClientCredentialsGrant(_ForOneResource, ClientCredentialsGrant):
    """A program's own token, for /api/v1 only."""

    server: "Provider"
    TOKEN_ENDPOINT_AUTH_METHODS = AUTHENTICATION_METHODS_WITH_SECRET

    def validate_token_request(self) -> None:
        super().validate_token_request()
        grant = self.server.records.grant_of_service(self.request.client.client_id)
        if grant is None or not self.server.records.is_active_member(grant):
            raise InvalidGrantError("The access of this service was revoked.")
        self.require_resource(grant.audience)
        # Without a scope it asks for all that it was given (RFC 6749 3.3 leaves the default to us).
        named = self.request.payload.scope
        if named and not self.server.scopes_asked(named) <= grant.scopes:
            raise InvalidScopeError("The service was given fewer scopes.")
        self.request.user = grant

    def create_token_response(self) -> Any:
        token = self.generate_token(
            user=self.request.user, scope=self.request.payload.scope, include_refresh_token=False
        )
        return 200, token, self.TOKEN_RESPONSE_HEADER


class OurResource:
    """The authorization request too names no resource but ours, so that a person is asked about nothing in vain."""

    def __call__(self, grant: Any) -> None:
        grant.register_hook("after_validate_authorization_request_payload", self.validate_resource)

    @staticmethod
    def validate_resource(grant: Any, redirect_uri: str) -> None:
        grant.require_resource(grant.server.mcp_resource)


class S256Challenge(CodeChallenge):
    """PKCE of RFC 7636 with S256, which nobody can leave out."""

    DEFAULT_CODE_CHALLENGE_METHOD = "S256"
    SUPPORTED_CODE_CHALLENGE_METHOD = _CHALLENGE_METHODS

    def validate_code_challenge(self, grant: Any, redirect_uri: str) -> None:
        data = grant.request.payload.data
        if not data.get("code_challenge"):
            raise InvalidRequestError("PKCE is required: send code_challenge with the method S256.")
        if data.get("code_challenge_method") != "S256":
            raise InvalidRequestError("The code_challenge_method must be S256.")
        super().validate_code_challenge(grant, redirect_uri)
