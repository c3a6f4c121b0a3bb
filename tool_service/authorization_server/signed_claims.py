"""Signed claims, read strictly: the one place where a JWT becomes something to believe.

Nothing of the text counts before its signature does; then type, issuer, audience and times;
then every claim that we use, with its type.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from tool_service.authorization_server.public_keys import ALGORITHM
from tool_service.domain.caller import Channel, Identity, Subject
from tool_service.domain.scopes import expand

LIMIT_CHARACTERS = 8 * 1024
# How far the clock of the machine that signed may be ahead of ours.
CLOCK_SKEW = timedelta(seconds=30)


class Refusal(StrEnum):
    """Why a token is not believed. For logs and tests: a caller only learns that it was refused."""

    MALFORMED = "malformed"
    FORGED = "forged"
    WRONG_TYPE = "wrong_type"
    WRONG_ISSUER = "wrong_issuer"
    WRONG_AUDIENCE = "wrong_audience"
    EXPIRED = "expired"
    NOT_YET_VALID = "not_yet_valid"
    LIVES_TOO_LONG = "lives_too_long"
    BAD_CLAIM = "bad_claim"


class TokenRefused(Exception):
    """The token proves nothing."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(reason.value)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Expected:
    """What the token must say about itself, and the claim that holds its id."""

    type: str
    issuer: str
    audience: str
    token_id_claim: str
    lifetime_limit: timedelta | None = None


def read_signed_claims(text: str, keys: KeySet, expected: Expected, now: datetime) -> Mapping[str, Any]:
    """The claims of a JWT that one of the keys signed and that is what we expect, at this moment.

    Raises:
        TokenRefused: with the first reason that was found.
    """
    if not text or len(text) > LIMIT_CHARACTERS:
        raise TokenRefused(Refusal.MALFORMED)
    try:
        token = jwt.decode(text, keys, algorithms=[ALGORITHM])
    except (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise TokenRefused(Refusal.FORGED) from error
    # Without a kid a ring of one key would be tried, and tokens would break once there are two.
    if token.header.get("typ") != expected.type or "kid" not in token.header:
        raise TokenRefused(Refusal.WRONG_TYPE)
    claims = token.claims
    if claims.get("iss") != expected.issuer:
        raise TokenRefused(Refusal.WRONG_ISSUER)
    if claims.get("aud") != expected.audience:
        raise TokenRefused(Refusal.WRONG_AUDIENCE)
    _require_time(claims, expected, now)
    return claims


def identity_of(claims: Mapping[str, Any], channel: Channel, expected: Expected) -> Identity:
    """Who the claims speak of; scopes that nobody knows are left out.

    Raises:
        TokenRefused: a claim is missing, or of another type.
    """
    client_name = claims.get("client_name")
    return Identity(
        organization_id=_uuid(claims, "org"),
        person_id=_uuid(claims, "sub"),
        scopes=expand(frozenset(_text(claims, "scope", empty=True).split())),
        channel=channel,
        client_id=_text(claims, "client_id"),
        client_name=None if client_name is None else _text(claims, "client_name"),
        token_id=_text(claims, expected.token_id_claim),
        grant_id=_uuid(claims, "grant") if claims.get("grant") is not None else None,
    )


def subject_of(claims: Mapping[str, Any]) -> Subject:
    """Of whom the claims speak; the e-mail only counts where the issuer verified it.

    Raises:
        TokenRefused: a claim is missing, or of another type.
    """
    verified = claims.get("email_verified") is True
    return Subject(
        issuer=_text(claims, "idp"),
        subject=_text(claims, "sub"),
        organization_id=_uuid(claims, "org") if claims.get("org") is not None else None,
        grant_id=_uuid(claims, "grant") if claims.get("grant") is not None else None,
        verified_email=_text(claims, "email") if verified and claims.get("email") is not None else None,
    )


def _require_time(claims: Mapping[str, Any], expected: Expected, now: datetime) -> None:
    seconds = now.timestamp()
    issued, expires = _seconds(claims, "iat"), _seconds(claims, "exp")
    if expires <= seconds:
        raise TokenRefused(Refusal.EXPIRED)
    if issued > seconds + CLOCK_SKEW.total_seconds():
        raise TokenRefused(Refusal.NOT_YET_VALID)
    if expected.lifetime_limit is not None and expires - issued > expected.lifetime_limit.total_seconds():
        raise TokenRefused(Refusal.LIVES_TOO_LONG)


def _seconds(claims: Mapping[str, Any], name: str) -> int:
    value = claims.get(name)
    # bool is an int in Python, and no time.
    if not isinstance(value, int) or isinstance(value, bool):
        raise TokenRefused(Refusal.BAD_CLAIM)
    return value


def _text(claims: Mapping[str, Any], name: str, *, empty: bool = False) -> str:
    value = claims.get(name)
    if not isinstance(value, str) or not (value or empty):
        raise TokenRefused(Refusal.BAD_CLAIM)
    return value


def _uuid(claims: Mapping[str, Any], name: str) -> UUID:
    text = _text(claims, name)
    try:
        value = UUID(text)
    except ValueError:
        raise TokenRefused(Refusal.BAD_CLAIM) from None
    # UUID() also reads braces, urn: and capitals; one person must have one spelling.
    if str(value) != text:
        raise TokenRefused(Refusal.BAD_CLAIM)
    return value
