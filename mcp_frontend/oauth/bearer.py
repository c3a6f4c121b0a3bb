"""Who a bearer token stands for: JWT access tokens of RFC 9068, verified once and remembered.

The token is checked for this resource, this issuer and this moment, and then forgotten
but for its digest: nothing behind this room sees it.
"""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from joserfc import jws
from joserfc.errors import JoseError

from mcp_frontend.caller import Caller
from mcp_frontend.oauth.challenge import Challenge
from mcp_frontend.oauth.ports import KeySource
from mcp_frontend.oauth.resources import canonical_resource
from mcp_frontend.ports import Clock

ALGORITHMS = ("ES256",)
TOKEN_TYPES = ("at+jwt", "application/at+jwt")
# Two hosts' clocks may disagree this much about exp and nbf.
LEEWAY_SECONDS = 30
LIMIT_TOKEN_CHARACTERS = 8 * 1024
LIMIT_REMEMBERED = 16 * 1024

_NO_TOKEN = Challenge()


class _BadToken(Exception):
    """Its message is the error_description, so it never quotes the token."""


class Authenticator:
    """Verifies the tokens of one issuer for one resource."""

    def __init__(
        self, *, issuer: str, resource: str, keys: KeySource, clock: Clock, limit_remembered: int = LIMIT_REMEMBERED
    ) -> None:
        self._issuer = issuer
        self._resource = canonical_resource(resource) or resource
        self._keys = keys
        self._clock = clock
        self._limit_remembered = limit_remembered
        self._remembered: OrderedDict[bytes, Caller] = OrderedDict()

    async def authenticate(self, authorization: Sequence[str]) -> Caller | Challenge:
        """The caller behind the Authorization header lines of one request, or what to answer 401 with.

        Raises:
            KeysUnavailable: the token could not be judged.
        """
        token = _bearer_token(authorization)
        if not isinstance(token, str):
            return token
        digest = hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
        remembered = self._recall(digest)
        if remembered is not None:
            return remembered
        try:
            caller = await self._verify(token)
        except _BadToken as bad:
            return _invalid_token(str(bad))
        self._remember(digest, caller)
        return caller

    async def _verify(self, token: str) -> Caller:
        if len(token) > LIMIT_TOKEN_CHARACTERS:
            raise _BadToken("The access token is too long.")
        try:
            signed = jws.extract_compact(token.encode("ascii"))
        except (JoseError, ValueError):
            raise _BadToken("The access token is malformed.") from None
        header = signed.headers()
        if header.get("alg") not in ALGORITHMS or str(header.get("typ")).lower() not in TOKEN_TYPES:
            raise _BadToken("The access token is not of the expected kind.")
        key_id = header.get("kid")
        key = await self._keys.find(key_id) if isinstance(key_id, str) else None
        if key is None:
            raise _BadToken("The access token is signed with an unknown key.")
        try:
            jws.deserialize_compact(token, key, algorithms=list(ALGORITHMS))
            claims = json.loads(signed.payload)
        except (JoseError, ValueError):
            raise _BadToken("The signature of the access token is wrong.") from None
        return self._read_claims(claims)

    def _read_claims(self, claims: Any) -> Caller:
        if not isinstance(claims, Mapping):
            raise _BadToken("The access token is malformed.")
        if claims.get("iss") != self._issuer:
            raise _BadToken("The access token is from another issuer.")
        audience = claims.get("aud")
        named = _texts(audience if isinstance(audience, list) else [audience])
        if self._resource not in {canonical_resource(text) for text in named}:
            raise _BadToken("The access token was issued for another resource.")
        now = self._clock.now().timestamp()
        expires_at = _seconds(claims, "exp")
        if now >= expires_at + LEEWAY_SECONDS:
            raise _BadToken("The access token has expired.")
        if "nbf" in claims and now < _seconds(claims, "nbf") - LEEWAY_SECONDS:
            raise _BadToken("The access token is not valid yet.")
        client_name = claims.get("client_name")
        return Caller(
            issuer=self._issuer,
            subject=_text(claims, "sub"),
            organization_id=_text(claims, "org"),
            client_id=_text(claims, "client_id"),
            client_name=client_name if isinstance(client_name, str) and client_name else None,
            scopes=frozenset(_text(claims, "scope", may_be_empty=True).split()),
            token_id=_text(claims, "jti"),
            expires_at=expires_at,
        )

    def _recall(self, digest: bytes) -> Caller | None:
        caller = self._remembered.get(digest)
        if caller is None:
            return None
        if self._clock.now().timestamp() >= caller.expires_at:
            # Not refused yet: within the leeway the whole judgement is made again.
            del self._remembered[digest]
            return None
        self._remembered.move_to_end(digest)
        return caller

    def _remember(self, digest: bytes, caller: Caller) -> None:
        self._remembered[digest] = caller
        if len(self._remembered) > self._limit_remembered:
            self._remembered.popitem(last=False)


def _bearer_token(authorization: Sequence[str]) -> str | Challenge:
    if not authorization:
        return _NO_TOKEN
    if len(authorization) > 1:
        return _invalid_token("Send one Authorization header.")
    scheme, _, token = authorization[0].strip().partition(" ")
    if scheme.lower() != "bearer":
        return _NO_TOKEN
    return token.strip() or _NO_TOKEN


def _invalid_token(description: str) -> Challenge:
    return Challenge(error="invalid_token", description=description)


def _texts(values: Sequence[object]) -> set[str]:
    return {value for value in values if isinstance(value, str)}


def _text(claims: Mapping[str, Any], name: str, *, may_be_empty: bool = False) -> str:
    value = claims.get(name)
    if not isinstance(value, str) or not (value or may_be_empty):
        raise _BadToken(f"The access token has no usable {name} claim.")
    return value


def _seconds(claims: Mapping[str, Any], name: str) -> int:
    value = claims.get(name)
    # bool is an int to Python, and never a time; json reads 1e400 as inf.
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 2**53:
        raise _BadToken(f"The access token has no usable {name} claim.")
    return int(value)
