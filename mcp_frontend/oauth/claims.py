"""What an issuer's signed token says (RFC 9068, and its cousins of before it): believed only after its signature."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from joserfc import jws
from joserfc.errors import JoseError

from mcp_frontend.caller import Subject
from mcp_frontend.oauth.ports import KeySource
from mcp_frontend.oauth.resources import canonical_resource

# Two hosts' clocks may disagree this much about exp and nbf.
LEEWAY_SECONDS = 30


class BadToken(Exception):
    """Its message is the error_description, so it never quotes the token."""


@dataclass(frozen=True, slots=True)
class Verified:
    """An access token that is good for this resource at this moment."""

    subject: Subject
    client_id: str
    client_name: str | None
    scopes: frozenset[str]
    token_id: str
    expires_at: int
    """Unix seconds."""


async def read_signed(token: str, keys: KeySource, types: Sequence[str]) -> Mapping[str, Any]:
    """The claims of a compact JWS that a key of the issuer signed, by an algorithm that is that key's.

    Raises:
        BadToken: it is malformed, of another kind, or not signed by the issuer.
        IssuerUnavailable: that cannot be judged.
    """
    try:
        signed = jws.extract_compact(token.encode("ascii"))
    except (JoseError, ValueError):
        raise BadToken("The access token is malformed.") from None
    header = signed.headers()
    if str(header.get("typ")).lower() not in types:
        raise BadToken("The access token is not of the expected kind.")
    key_id = header.get("kid")
    found = await keys.find(key_id) if isinstance(key_id, str) else None
    if found is None:
        raise BadToken("The access token is signed with an unknown key.")
    if header.get("alg") not in found.algorithms:
        raise BadToken("The access token is not of the expected kind.")
    try:
        jws.deserialize_compact(token, found.key, algorithms=sorted(found.algorithms))
        claims = json.loads(signed.payload)
    except (JoseError, ValueError):
        raise BadToken("The signature of the access token is wrong.") from None
    if not isinstance(claims, Mapping):
        raise BadToken("The access token is malformed.")
    return claims


def read_claims(claims: Mapping[str, Any], *, issuer: str, audience: str, now: float) -> Verified:
    """Raises: BadToken, with the first fault that was found."""
    require_issuer_and_time(claims, issuer, now)
    said = claims.get("aud")
    named = {text for text in (said if isinstance(said, list) else [said]) if isinstance(text, str)}
    # An audience that is no URL, as some issuers give, is compared as it stands.
    wanted = canonical_resource(audience) or audience
    if wanted not in {canonical_resource(text) or text for text in named}:
        raise BadToken("The access token was issued for another resource.")
    return Verified(
        subject=subject_of(claims, issuer),
        client_id=_first_text(claims, "client_id", "azp", "appid"),
        client_name=_optional_text(claims, "client_name"),
        scopes=_scopes(claims),
        token_id=_token_id(claims),
        expires_at=_seconds(claims, "exp"),
    )


def subject_of(claims: Mapping[str, Any], issuer: str) -> Subject:
    """Of whom they speak."""
    return Subject(
        issuer=issuer,
        subject=_first_text(claims, "sub"),
        organization_id=_optional_text(claims, "org"),
        grant_id=_optional_text(claims, "grant"),
        email=_optional_text(claims, "email"),
        email_verified=claims.get("email_verified") is True,
    )


def require_issuer_and_time(claims: Mapping[str, Any], issuer: str, now: float) -> None:
    """Raises: BadToken."""
    if claims.get("iss") != issuer:
        raise BadToken("The access token is from another issuer.")
    if now >= _seconds(claims, "exp") + LEEWAY_SECONDS:
        raise BadToken("The access token has expired.")
    if "nbf" in claims and now < _seconds(claims, "nbf") - LEEWAY_SECONDS:
        raise BadToken("The access token is not valid yet.")


def _scopes(claims: Mapping[str, Any]) -> frozenset[str]:
    # RFC 9068 2.2.3; Entra ID says scp, and some say it as a list.
    said = claims.get("scope", claims.get("scp"))
    if isinstance(said, list) and all(isinstance(each, str) for each in said):
        return frozenset(said)
    if not isinstance(said, str):
        raise BadToken("The access token has no usable scope claim.")
    return frozenset(said.split())


def _token_id(claims: Mapping[str, Any]) -> str:
    for name in ("jti", "uti"):
        if (text := _optional_text(claims, name)) is not None:
            return text[:100]
    # Not every issuer numbers its tokens; one is still told from another by all that it says.
    return hashlib.sha256(json.dumps(claims, sort_keys=True).encode()).hexdigest()[:32]


def _first_text(claims: Mapping[str, Any], *names: str) -> str:
    for name in names:
        if (text := _optional_text(claims, name)) is not None:
            return text
    raise BadToken(f"The access token has no usable {names[0]} claim.")


def _optional_text(claims: Mapping[str, Any], name: str) -> str | None:
    value = claims.get(name)
    return value if isinstance(value, str) and value else None


def _seconds(claims: Mapping[str, Any], name: str) -> int:
    value = claims.get(name)
    # bool is an int to Python, and never a time; json reads 1e400 as inf.
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 2**53:
        raise BadToken(f"The access token has no usable {name} claim.")
    return int(value)
