"""The caller assertion: what crosses to the tool service in place of the access token.

A JWT of our own key that lives a minute. It is minted once per access token and renewed
before it runs out, so signing costs nothing per call.
"""

import json
from collections import OrderedDict
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, KeySet

from mcp_frontend.caller import Caller, Subject
from mcp_frontend.ports import Clock

ISSUER = "mcp-frontend"
AUDIENCE = "tool-service"
SUBJECT_AUDIENCE = "tool-service/subjects"
LIFETIME_SECONDS = 60
# A call takes its assertion along for as long as it may last in a queue.
RENEW_BEFORE_SECONDS = 20
LIMIT_REMEMBERED = 16 * 1024


class AssertionKeyError(ValueError):
    """The key ring cannot sign; the message says why and shows no key."""


class CallerAssertions:
    def __init__(self, jwk_set: str, clock: Clock, limit_remembered: int = LIMIT_REMEMBERED) -> None:
        """Take the signing key from a JWK Set text: the first one signs.

        Raises:
            AssertionKeyError: the text is no JWK Set, or its first key no private P-256 key with an id.
        """
        self._key = _signing_key(jwk_set)
        self._clock = clock
        self._limit_remembered = limit_remembered
        self._minted: OrderedDict[Caller, tuple[float, str]] = OrderedDict()

    def assertion_for(self, caller: Caller) -> str:
        """A JWT that is good for at least RENEW_BEFORE_SECONDS."""
        now = self._clock.now().timestamp()
        renew_at, assertion = self._minted.get(caller, (float("-inf"), ""))
        if now >= renew_at:
            assertion = self._mint(caller, int(now))
            self._minted[caller] = (int(now) + LIFETIME_SECONDS - RENEW_BEFORE_SECONDS, assertion)
            if len(self._minted) > self._limit_remembered:
                self._minted.popitem(last=False)
        self._minted.move_to_end(caller)
        return assertion

    def assertion_of(self, subject: Subject) -> str:
        """A JWT that asks who the subject is; it opens nothing else."""
        now = int(self._clock.now().timestamp())
        claims = {
            "iss": ISSUER,
            "aud": SUBJECT_AUDIENCE,
            "idp": subject.issuer,
            "sub": subject.subject,
            "org": subject.organization_id,
            "grant": subject.grant_id,
            "email": subject.email,
            "email_verified": subject.email_verified,
            "iat": now,
            "exp": now + LIFETIME_SECONDS,
        }
        return self._sign(claims)

    def _mint(self, caller: Caller, now: int) -> str:
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": caller.subject,
            "org": caller.organization_id,
            "scope": " ".join(sorted(caller.scopes)),
            "client_id": caller.client_id,
            "client_name": caller.client_name,
            "tid": caller.token_id,
            "grant": caller.grant_id,
            "iat": now,
            "exp": now + LIFETIME_SECONDS,
        }
        return self._sign(claims)

    def _sign(self, claims: dict[str, Any]) -> str:
        return jwt.encode({"alg": "ES256", "kid": self._key.kid}, claims, self._key)


def _signing_key(jwk_set: str) -> ECKey:
    try:
        keys = KeySet.import_key_set(json.loads(jwk_set)).keys
    except (ValueError, KeyError, TypeError, AttributeError, JoseError):
        raise AssertionKeyError("the assertion keys are no JWK Set") from None
    match keys:
        case [ECKey(curve_name="P-256", is_private=True, kid=str()) as key, *_]:
            return key
        case _:
            raise AssertionKeyError("the first assertion key must be a private P-256 key with a kid")
