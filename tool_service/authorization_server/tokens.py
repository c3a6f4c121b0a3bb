"""The two tokens that the tool service believes: its own access tokens, and the front end's caller assertions."""

import secrets
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from joserfc import jwt
from joserfc.jwk import KeySet

from tool_service.authorization_server.public_keys import ALGORITHM, public_key_set
from tool_service.authorization_server.signed_claims import (
    Expected,
    Refusal,
    TokenRefused,
    identity_of,
    read_signed_claims,
    subject_of,
)
from tool_service.domain.caller import Channel, Identity, Subject
from tool_service.domain.scopes import expand
from tool_service.ports import Clock

__all__ = ["AccessTokens", "CallerAssertions", "Refusal", "SubjectAssertions", "TokenRefused"]

ACCESS_TOKEN_TYPE = "at+jwt"
ID_TOKEN_TYPE = "JWT"
ASSERTION_TYPE = "JWT"
ASSERTION_ISSUER = "mcp-frontend"
ASSERTION_AUDIENCE = "tool-service"
SUBJECT_AUDIENCE = "tool-service/subjects"
ASSERTION_LIFETIME = timedelta(seconds=60)
REMEMBERED_LIMIT = 16 * 1024


class AccessTokens:
    """RFC 9068 access tokens of the embedded issuer: minted here, verified here for /api/v1.

    The MCP endpoint verifies those for its own audience from `public_keys`.
    """

    def __init__(self, ring: KeySet, issuer: str, clock: Clock) -> None:
        """Sign with the first, private key of the ring; verify with all."""
        self._ring = ring
        self._issuer = issuer
        self._clock = clock
        self._remembered = _Remembered()

    def mint(
        self,
        *,
        person_id: UUID,
        organization_id: UUID,
        audience: str,
        client_id: str,
        client_name: str | None,
        scopes: frozenset[str],
        lifetime: timedelta,
        grant_id: UUID | None = None,
    ) -> str:
        """A token for the resource at that URL, good while its grant is.

        Aliases are expanded, unknown scopes are dropped.
        """
        claims: dict[str, Any] = {
            **self._times(lifetime),
            "sub": str(person_id),
            "aud": audience,
            "jti": secrets.token_urlsafe(16),
            "client_id": client_id,
            "client_name": client_name,
            "scope": " ".join(sorted(expand(scopes))),
            "org": str(organization_id),
        }
        return self._sign(ACCESS_TOKEN_TYPE, claims | ({} if grant_id is None else {"grant": str(grant_id)}))

    def mint_id_token(
        self,
        *,
        person_id: UUID,
        organization_id: UUID,
        grant_id: UUID,
        client_id: str,
        name: str,
        email: str,
        nonce: str | None,
        signed_in_at: datetime,
        lifetime: timedelta,
    ) -> str:
        """Who signed in, for the client itself (OpenID Connect Core 2); it opens no resource."""
        claims: dict[str, Any] = {
            **self._times(lifetime),
            "sub": str(person_id),
            "aud": client_id,
            "auth_time": int(signed_in_at.timestamp()),
            # As in the access token: for which company, and what takes it back.
            "org": str(organization_id),
            "grant": str(grant_id),
            "name": name,
            "email": email,
            "email_verified": True,
        }
        return self._sign(ID_TOKEN_TYPE, claims | ({} if nonce is None else {"nonce": nonce}))

    def _times(self, lifetime: timedelta) -> dict[str, Any]:
        issued = int(self._clock.now().timestamp())
        return {"iss": self._issuer, "iat": issued, "exp": issued + int(lifetime.total_seconds())}

    def _sign(self, kind: str, claims: dict[str, Any]) -> str:
        key = self._ring.keys[0]
        return jwt.encode({"alg": ALGORITHM, "typ": kind, "kid": key.kid}, claims, key)

    def verify(self, token: str, audience: str) -> Identity:
        """Whose token it is.

        Raises:
            TokenRefused: it is not ours, not for this audience, or not good at this moment.
        """
        expected = Expected(ACCESS_TOKEN_TYPE, self._issuer, audience, token_id_claim="jti")
        return self._remembered.identity(
            (token, audience), self._clock.now(), lambda now: _verified(token, self._ring, expected, Channel.API, now)
        )

    def public_keys(self) -> dict[str, Any]:
        """The JWKS document (RFC 7517): the public halves, with kid, alg and use."""
        return public_key_set(self._ring)


class CallerAssertions:
    """What the front end says of its caller: a JWT that lives a minute and stands in for the access token."""

    _EXPECTED = Expected(
        ASSERTION_TYPE,
        ASSERTION_ISSUER,
        ASSERTION_AUDIENCE,
        token_id_claim="tid",
        lifetime_limit=ASSERTION_LIFETIME,
    )

    def __init__(self, ring: KeySet, clock: Clock) -> None:
        """Verify with the front end's public keys."""
        self._ring = ring
        self._clock = clock
        self._remembered = _Remembered()

    def verify(self, text: str) -> Identity:
        """Who calls through the front end.

        Raises:
            TokenRefused: the front end did not say this, or not for this moment.
        """
        return self._remembered.identity(
            (text, ASSERTION_AUDIENCE),
            self._clock.now(),
            lambda now: _verified(text, self._ring, self._EXPECTED, Channel.MCP, now),
        )


class SubjectAssertions:
    """What the front end says of the subject of an issuer's token, before anybody knows who that is."""

    _EXPECTED = Expected(
        ASSERTION_TYPE,
        ASSERTION_ISSUER,
        SUBJECT_AUDIENCE,
        token_id_claim="tid",
        lifetime_limit=ASSERTION_LIFETIME,
    )

    def __init__(self, ring: KeySet, clock: Clock) -> None:
        """Verify with the front end's public keys."""
        self._ring = ring
        self._clock = clock

    def verify(self, text: str) -> Subject:
        """Of whom the front end asks.

        Raises:
            TokenRefused: the front end did not say this, or not for this moment.
        """
        return subject_of(read_signed_claims(text, self._ring, self._EXPECTED, self._clock.now()))


def _verified(text: str, ring: KeySet, expected: Expected, channel: Channel, now: datetime) -> tuple[Identity, float]:
    """The identity, and the Unix time until which it holds."""
    claims = read_signed_claims(text, ring, expected, now)
    return identity_of(claims, channel, expected), float(claims["exp"])


class _Remembered:
    """Identities by token until the token expires: a signature is checked once and not for every call.

    Only what was verified is kept, the least recently used is dropped first.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], tuple[Identity, float]] = OrderedDict()

    def identity(
        self, key: tuple[str, str], now: datetime, verify: Callable[[datetime], tuple[Identity, float]]
    ) -> Identity:
        known = self._known.get(key)
        if known is not None and now.timestamp() < known[1]:
            self._known.move_to_end(key)
            return known[0]
        # An expired one is verified anew: that says why it is refused.
        self._known.pop(key, None)
        verified = verify(now)
        self._known[key] = verified
        if len(self._known) > REMEMBERED_LIMIT:
            self._known.popitem(last=False)
        return verified[0]
