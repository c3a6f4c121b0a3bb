"""The assertion that crosses in place of the token: its claims, its life, its keys."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey

from mcp_frontend.adapters.caller_assertion import AssertionKeyError, CallerAssertions
from mcp_frontend.caller import Caller
from tests.support.clock import NOON, FakeClock
from tests.support.keys import jwk_set

NOW = int(NOON.timestamp())
KEY = ECKey.generate_key("P-256", {"kid": "a1"})
CALLER = Caller(
    issuer="https://issuer",
    subject="person-1",
    organization_id="organization-1",
    client_id="client-1",
    client_name="Some Client",
    scopes=frozenset({"b", "a"}),
    token_id="token-1",
    expires_at=NOW + 900,
)


def _assertions(clock: FakeClock | None = None, **limits: int) -> CallerAssertions:
    return CallerAssertions(jwk_set(KEY, ECKey.generate_key("P-256", {"kid": "a0"})), clock or FakeClock(), **limits)


def test_an_assertion_says_who_calls_and_that_we_say_so() -> None:
    token = jwt.decode(_assertions().assertion_for(CALLER), KEY, algorithms=["ES256"])
    assert token.header == {"typ": "JWT", "alg": "ES256", "kid": "a1"}
    assert token.claims == {
        "iss": "mcp-frontend",
        "aud": "tool-service",
        "sub": "person-1",
        "org": "organization-1",
        "scope": "a b",
        "client_id": "client-1",
        "client_name": "Some Client",
        "tid": "token-1",
        "grant": None,
        "iat": NOW,
        "exp": NOW + 60,
    }


def test_an_assertion_is_minted_once_and_renewed_before_it_runs_out() -> None:
    clock = FakeClock()
    assertions = _assertions(clock)
    first = assertions.assertion_for(CALLER)
    clock.advance(timedelta(seconds=39))
    assert assertions.assertion_for(CALLER) == first
    clock.advance(timedelta(seconds=1))
    renewed = jwt.decode(assertions.assertion_for(CALLER), KEY, algorithms=["ES256"])
    assert renewed.claims["exp"] == NOW + 40 + 60


@pytest.mark.parametrize(
    "other",
    [
        replace(CALLER, subject="person-2"),
        replace(CALLER, organization_id="organization-2"),
        replace(CALLER, scopes=frozenset({"a"})),
        replace(CALLER, token_id="token-2"),
        replace(CALLER, issuer="https://other"),
    ],
)
def test_another_caller_never_gets_the_same_assertion(other: Caller) -> None:
    assertions = _assertions()
    assert assertions.assertion_for(CALLER) != assertions.assertion_for(other)


def test_only_so_many_are_remembered() -> None:
    clock = FakeClock()
    assertions = _assertions(clock, limit_remembered=1)
    first = assertions.assertion_for(CALLER)
    assertions.assertion_for(replace(CALLER, token_id="token-2"))
    clock.advance(timedelta(seconds=1))
    assert assertions.assertion_for(CALLER) != first


@pytest.mark.parametrize(
    ("ring", "reason"),
    [
        ("", "no JWK Set"),
        ("[]", "no JWK Set"),
        (jwk_set(OctKey.generate_key(256, {"kid": "s"})), "private P-256"),
        (jwk_set(ECKey.generate_key("P-384", {"kid": "s"})), "private P-256"),
        (json.dumps({"keys": [KEY.as_dict(private=False)]}), "private P-256"),
    ],
    ids=["no JSON", "a list", "an oct key", "another curve", "a public key"],
)
def test_a_ring_that_cannot_sign_is_refused_with_its_reason(ring: str, reason: str) -> None:
    with pytest.raises(AssertionKeyError, match=reason):
        CallerAssertions(ring, FakeClock())
