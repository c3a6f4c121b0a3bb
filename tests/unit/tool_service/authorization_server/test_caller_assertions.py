"""Caller assertions: what the front end says of its caller, for a minute."""

from datetime import timedelta
from typing import Any

import pytest

from tests.support.clock import NOON, FakeClock, fake_id
from tests.unit.tool_service.authorization_server.signed import HandSigner, ring
from tool_service.authorization_server.tokens import CallerAssertions, Refusal, TokenRefused
from tool_service.domain.caller import Channel, Identity

SIGNER = HandSigner("front-end")
NOON_SECONDS = int(NOON.timestamp())
CLAIMS: dict[str, Any] = {
    "iss": "mcp-frontend",
    "aud": "tool-service",
    "sub": str(fake_id(1)),
    "org": str(fake_id(2)),
    "scope": "kadu.tasks.read",
    "client_id": "client-1",
    "client_name": "Claude",
    "tid": "token-1",
    "iat": NOON_SECONDS,
    "exp": NOON_SECONDS + 60,
}
IDENTITY = Identity(
    organization_id=fake_id(2),
    person_id=fake_id(1),
    scopes=frozenset({"kadu.tasks.read"}),
    channel=Channel.MCP,
    client_id="client-1",
    client_name="Claude",
    token_id="token-1",
)


def _assertions(clock: FakeClock | None = None) -> CallerAssertions:
    return CallerAssertions(ring(SIGNER, private=False), clock or FakeClock())


def test_an_assertion_of_the_front_end_identifies_its_caller_for_a_minute() -> None:
    clock = FakeClock()
    assertions = _assertions(clock)
    text = SIGNER.sign(CLAIMS, typ="JWT")
    assert assertions.verify(text) == IDENTITY
    clock.advance(timedelta(seconds=60, microseconds=-1))
    assert assertions.verify(text) == IDENTITY
    clock.advance(timedelta(microseconds=1))
    with pytest.raises(TokenRefused, match="expired"):
        assertions.verify(text)


@pytest.mark.parametrize(
    ("header", "claims", "refusal"),
    [
        ({"typ": "at+jwt"}, {}, Refusal.WRONG_TYPE),
        ({}, {"iss": "http://127.0.0.1:8001"}, Refusal.WRONG_ISSUER),
        ({}, {"aud": "http://127.0.0.1:8000"}, Refusal.WRONG_AUDIENCE),
        ({}, {"exp": NOON_SECONDS + 61}, Refusal.LIVES_TOO_LONG),
        ({}, {"iat": NOON_SECONDS - 3600}, Refusal.LIVES_TOO_LONG),
        ({}, {"tid": ""}, Refusal.BAD_CLAIM),
    ],
)
def test_an_assertion_that_is_not_exactly_one_is_refused(
    header: dict[str, Any], claims: dict[str, Any], refusal: Refusal
) -> None:
    with pytest.raises(TokenRefused) as refused:
        _assertions().verify(SIGNER.sign({**CLAIMS, **claims}, **{"typ": "JWT", **header}))
    assert refused.value.reason is refusal


def test_an_assertion_signed_by_anybody_else_is_refused() -> None:
    with pytest.raises(TokenRefused, match="forged"):
        _assertions().verify(HandSigner("front-end").sign(CLAIMS, typ="JWT"))


def test_a_caller_without_an_assertion_is_refused() -> None:
    with pytest.raises(TokenRefused, match="malformed"):
        _assertions().verify("")
