"""Who a bearer token stands for: JWT access tokens of RFC 9068, verified once and remembered.

The token is checked for this resource, this issuer and this moment, and then forgotten
but for its digest: nothing behind this room sees it.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from mcp_frontend.caller import Caller, Person
from mcp_frontend.oauth.challenge import NOT_RECOGNIZED, Challenge
from mcp_frontend.oauth.claims import BadToken, Verified, read_claims, read_signed
from mcp_frontend.oauth.ports import KeySource, MemberDirectory, MembersUnavailable
from mcp_frontend.ports import Clock

# RFC 9068 2.1. Issuers of before it say JWT, or nothing; their ID tokens are told apart by the audience.
TOKEN_TYPES = ("at+jwt", "application/at+jwt")
OLDER_TOKEN_TYPES = (*TOKEN_TYPES, "jwt", "none")
LIMIT_TOKEN_CHARACTERS = 8 * 1024
LIMIT_REMEMBERED = 16 * 1024
# After so long a person is asked for again, so that whatever ends an access is felt within seconds.
RECOGNIZED_SECONDS = 3
# And for so long who was known is still let in while nobody can be asked.
RECOGNIZED_WITHOUT_ANSWER_SECONDS = 60

_NO_TOKEN = Challenge()


@dataclass(slots=True)
class _Remembered:
    verified: Verified
    caller: Caller
    asked_at: float
    answered_at: float


class Authenticator:
    """Verifies the tokens of one issuer for one resource, and knows the members behind them."""

    def __init__(
        self,
        *,
        issuer: str,
        audience: str,
        keys: KeySource,
        members: MemberDirectory,
        clock: Clock,
        token_types: Sequence[str] = TOKEN_TYPES,
        limit_remembered: int = LIMIT_REMEMBERED,
    ) -> None:
        self._issuer = issuer
        self._audience = audience
        self._keys = keys
        self._members = members
        self._clock = clock
        self._token_types = token_types
        self._limit_remembered = limit_remembered
        self._remembered: OrderedDict[bytes, _Remembered] = OrderedDict()

    async def authenticate(self, authorization: Sequence[str]) -> Caller | Challenge:
        """The caller behind the Authorization header lines of one request, or what to answer 401 with.

        Raises:
            IssuerUnavailable: the token could not be judged.
            MembersUnavailable: nobody could say whose it is.
        """
        token = _bearer_token(authorization)
        if not isinstance(token, str):
            return token
        digest = hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
        known = self._recall(digest)
        if known is not None:
            return await self._again(digest, known)
        try:
            verified = await self._verify(token)
        except BadToken as bad:
            return _invalid_token(str(bad))
        person = await self._members.recognize(verified.subject)
        if person is None:
            return NOT_RECOGNIZED
        now = self._now()
        known = _Remembered(verified, _caller(verified, person), now, now)
        self._remember(digest, known)
        return known.caller

    async def _again(self, digest: bytes, known: _Remembered) -> Caller | Challenge:
        now = self._now()
        if now < known.asked_at + RECOGNIZED_SECONDS:
            return known.caller
        # Before the answer: of many requests at once one asks, the others go on with what was known a moment ago.
        known.asked_at = now
        try:
            person = await self._members.recognize(known.verified.subject)
        except MembersUnavailable:
            if now < known.answered_at + RECOGNIZED_WITHOUT_ANSWER_SECONDS:
                return known.caller
            known.asked_at = float("-inf")
            raise
        if person is None:
            self._remembered.pop(digest, None)
            return NOT_RECOGNIZED
        known.caller, known.answered_at = _caller(known.verified, person), now
        return known.caller

    async def _verify(self, token: str) -> Verified:
        if len(token) > LIMIT_TOKEN_CHARACTERS:
            raise BadToken("The access token is too long.")
        claims = await read_signed(token, self._keys, self._token_types)
        return read_claims(claims, issuer=self._issuer, audience=self._audience, now=self._now())

    def _now(self) -> float:
        return self._clock.now().timestamp()

    def _recall(self, digest: bytes) -> _Remembered | None:
        known = self._remembered.get(digest)
        if known is None:
            return None
        if self._now() >= known.caller.expires_at:
            # Not refused yet: within the leeway the whole judgement is made again.
            del self._remembered[digest]
            return None
        self._remembered.move_to_end(digest)
        return known

    def _remember(self, digest: bytes, known: _Remembered) -> None:
        self._remembered[digest] = known
        if len(self._remembered) > self._limit_remembered:
            self._remembered.popitem(last=False)


def _caller(verified: Verified, person: Person) -> Caller:
    return Caller(
        issuer=verified.subject.issuer,
        subject=person.person_id,
        organization_id=person.organization_id,
        client_id=verified.client_id,
        client_name=verified.client_name,
        scopes=verified.scopes,
        token_id=verified.token_id,
        expires_at=verified.expires_at,
        grant_id=verified.subject.grant_id,
    )


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
