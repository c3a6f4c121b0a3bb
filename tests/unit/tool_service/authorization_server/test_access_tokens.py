"""Access tokens: what is minted is what RFC 9068 asks for, and only that is believed."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.clock import NOON, FakeClock, fake_id
from tests.unit.tool_service.authorization_server.signed import HandSigner, ring
from tool_service.authorization_server.tokens import AccessTokens, Refusal, TokenRefused
from tool_service.domain.caller import Channel, Identity
from tool_service.domain.scopes import READ

ISSUER = "http://127.0.0.1:8001"
API = "http://127.0.0.1:8001/api/v1"
MCP = "http://127.0.0.1:8000"
PERSON, ORGANIZATION = fake_id(1), fake_id(2)
SIGNER = HandSigner("first")
NOON_SECONDS = int(NOON.timestamp())
CLAIMS: dict[str, Any] = {
    "iss": ISSUER,
    "sub": str(PERSON),
    "aud": API,
    "exp": NOON_SECONDS + 3600,
    "iat": NOON_SECONDS,
    "jti": "token-1",
    "client_id": "client-1",
    "client_name": "Claude",
    "scope": "kadu.tasks.read kadu.tasks.run",
    "org": str(ORGANIZATION),
}


def _tokens(clock: FakeClock | None = None, *signers: HandSigner) -> AccessTokens:
    return AccessTokens(ring(*(signers or (SIGNER,))), ISSUER, clock or FakeClock())


def _mint(tokens: AccessTokens, **overrides: Any) -> str:
    facts: dict[str, Any] = {
        "person_id": PERSON,
        "organization_id": ORGANIZATION,
        "audience": API,
        "client_id": "client-1",
        "client_name": "Claude",
        "scopes": frozenset({"kadu.tasks.read"}),
        "lifetime": timedelta(hours=1),
    }
    return tokens.mint(**{**facts, **overrides})


def _parts(token: str) -> tuple[dict[str, Any], dict[str, Any]]:
    header, claims = (json.loads(urlsafe_b64decode(part + "==")) for part in token.split(".")[:2])
    return header, claims


def _refusal(token: str, audience: str = API, clock: FakeClock | None = None) -> Refusal:
    with pytest.raises(TokenRefused) as refused:
        _tokens(clock).verify(token, audience)
    return refused.value.reason


def test_a_minted_token_has_the_header_and_claims_of_rfc_9068_and_its_organization() -> None:
    header, claims = _parts(_mint(_tokens()))
    token_id = claims.pop("jti")
    assert header == {"alg": "ES256", "typ": "at+jwt", "kid": "first"}
    assert claims == {
        "iss": ISSUER,
        "sub": str(PERSON),
        "aud": API,
        "exp": NOON_SECONDS + 3600,
        "iat": NOON_SECONDS,
        "client_id": "client-1",
        "client_name": "Claude",
        "scope": "kadu.tasks.read",
        "org": str(ORGANIZATION),
    }
    assert len(token_id) >= 22


def test_two_tokens_never_share_an_id() -> None:
    tokens = _tokens()
    assert _parts(_mint(tokens))[1]["jti"] != _parts(_mint(tokens))[1]["jti"]


def test_an_alias_is_minted_as_its_scopes_and_an_unknown_scope_not_at_all() -> None:
    _, claims = _parts(_mint(_tokens(), scopes=frozenset({"kadu.read", "kadu.tasks.run", "openid"})))
    assert claims["scope"].split(" ") == sorted(READ | {"kadu.tasks.run"})


def test_a_minted_token_identifies_its_person_until_it_expires() -> None:
    clock = FakeClock()
    tokens = _tokens(clock)
    token = _mint(tokens, client_name=None, lifetime=timedelta(minutes=10))
    clock.advance(timedelta(minutes=10, microseconds=-1))
    assert tokens.verify(token, API) == Identity(
        organization_id=ORGANIZATION,
        person_id=PERSON,
        scopes=frozenset({"kadu.tasks.read"}),
        channel=Channel.API,
        client_id="client-1",
        client_name=None,
        token_id=_parts(token)[1]["jti"],
    )
    clock.advance(timedelta(microseconds=1))
    with pytest.raises(TokenRefused, match="expired"):
        tokens.verify(token, API)


def test_a_token_for_the_mcp_endpoint_is_no_token_for_the_api_even_when_it_is_known() -> None:
    tokens = _tokens()
    token = _mint(tokens, audience=MCP)
    tokens.verify(token, MCP)
    with pytest.raises(TokenRefused, match="wrong_audience"):
        tokens.verify(token, API)


def test_after_a_rotation_the_new_key_signs_and_tokens_of_the_old_one_still_hold() -> None:
    old, new = HandSigner("old"), HandSigner("new")
    token_before = _mint(_tokens(None, old))
    rotated = _tokens(None, new, old)
    assert _parts(_mint(rotated))[0]["kid"] == "new"
    assert rotated.verify(token_before, API).person_id == PERSON


def test_the_public_keys_hold_no_private_part() -> None:
    old, new = HandSigner("old"), HandSigner("new")
    expected = [{**signer.jwk(private=False), "alg": "ES256", "use": "sig"} for signer in (new, old)]
    assert _tokens(None, new, old).public_keys() == {"keys": expected}


def test_a_token_signed_elsewhere_with_our_key_is_believed() -> None:
    token = SIGNER.sign(CLAIMS, typ="at+jwt")
    assert _tokens().verify(token, API) == Identity(
        organization_id=ORGANIZATION,
        person_id=PERSON,
        scopes=frozenset({"kadu.tasks.read", "kadu.tasks.run"}),
        channel=Channel.API,
        client_id="client-1",
        client_name="Claude",
        token_id="token-1",
    )


@pytest.mark.parametrize(
    ("header", "refusal"),
    [
        ({"typ": "JWT"}, Refusal.WRONG_TYPE),
        ({"typ": None}, Refusal.WRONG_TYPE),
        ({"typ": "AT+JWT"}, Refusal.WRONG_TYPE),
        ({"kid": None}, Refusal.WRONG_TYPE),
        ({"kid": "unknown"}, Refusal.FORGED),
        ({"kid": 7}, Refusal.FORGED),
        ({"alg": "none"}, Refusal.FORGED),
        ({"alg": "HS256"}, Refusal.FORGED),
        ({"alg": "ES384"}, Refusal.FORGED),
        ({"alg": None}, Refusal.FORGED),
        ({"crit": ["exp"]}, Refusal.FORGED),
        ({"jwk": HandSigner("evil").jwk(private=False), "kid": "unknown"}, Refusal.FORGED),
    ],
)
def test_a_header_that_is_not_ours_is_refused(header: dict[str, Any], refusal: Refusal) -> None:
    assert _refusal(SIGNER.sign(CLAIMS, **{"typ": "at+jwt", **header})) is refusal


@pytest.mark.parametrize(
    ("claims", "refusal"),
    [
        ({"iss": ISSUER + "/"}, Refusal.WRONG_ISSUER),
        ({"iss": None}, Refusal.WRONG_ISSUER),
        ({"aud": MCP}, Refusal.WRONG_AUDIENCE),
        ({"aud": [API]}, Refusal.WRONG_AUDIENCE),
        ({"aud": None}, Refusal.WRONG_AUDIENCE),
        ({"exp": NOON_SECONDS}, Refusal.EXPIRED),
        ({"exp": NOON_SECONDS + 0.5}, Refusal.BAD_CLAIM),
        ({"exp": str(NOON_SECONDS + 60)}, Refusal.BAD_CLAIM),
        ({"exp": True}, Refusal.BAD_CLAIM),
        ({"exp": None}, Refusal.BAD_CLAIM),
        ({"iat": NOON_SECONDS + 31}, Refusal.NOT_YET_VALID),
        ({"iat": None}, Refusal.BAD_CLAIM),
        ({"sub": "ana"}, Refusal.BAD_CLAIM),
        ({"sub": str(PERSON).upper()}, Refusal.BAD_CLAIM),
        ({"sub": f"urn:uuid:{PERSON}"}, Refusal.BAD_CLAIM),
        ({"sub": 1}, Refusal.BAD_CLAIM),
        ({"org": None}, Refusal.BAD_CLAIM),
        ({"scope": ["kadu.tasks.read"]}, Refusal.BAD_CLAIM),
        ({"scope": None}, Refusal.BAD_CLAIM),
        ({"client_id": ""}, Refusal.BAD_CLAIM),
        ({"client_name": 5}, Refusal.BAD_CLAIM),
        ({"jti": None}, Refusal.BAD_CLAIM),
    ],
)
def test_a_claim_that_is_missing_or_not_ours_is_refused(claims: dict[str, Any], refusal: Refusal) -> None:
    changed = {name: value for name, value in {**CLAIMS, **claims}.items() if value is not None}
    assert _refusal(SIGNER.sign(changed, typ="at+jwt")) is refusal


def test_a_clock_ahead_of_ours_by_up_to_thirty_seconds_is_forgiven() -> None:
    token = SIGNER.sign({**CLAIMS, "iat": NOON_SECONDS + 30}, typ="at+jwt")
    assert _tokens().verify(token, API).token_id == "token-1"


def test_a_token_without_any_scope_is_genuine_and_may_do_nothing() -> None:
    token = SIGNER.sign({**CLAIMS, "scope": ""}, typ="at+jwt")
    assert _tokens().verify(token, API).scopes == frozenset()


def test_a_key_of_somebody_else_under_our_kid_is_refused() -> None:
    assert _refusal(HandSigner("first").sign(CLAIMS, typ="at+jwt")) is Refusal.FORGED


def test_changed_claims_under_a_genuine_signature_are_refused() -> None:
    header, _, signature = SIGNER.sign(CLAIMS, typ="at+jwt").split(".")
    claims = urlsafe_b64encode(json.dumps({**CLAIMS, "sub": str(UUID(int=9))}).encode()).rstrip(b"=").decode()
    assert _refusal(f"{header}.{claims}.{signature}") is Refusal.FORGED


@pytest.mark.parametrize("claims", [[], "text", 5, None])
def test_signed_json_that_is_no_object_is_refused(claims: Any) -> None:
    assert _refusal(SIGNER.sign(claims, typ="at+jwt")) is Refusal.FORGED


def test_a_header_nested_deeper_than_python_can_read_is_refused() -> None:
    deep = urlsafe_b64encode(b"[" * 5000).rstrip(b"=").decode()
    assert _refusal(f"{deep}.e30.e30") is Refusal.FORGED


@pytest.mark.parametrize("text", ["", "a" * 8193], ids=["empty", "endless"])
def test_no_token_and_an_endless_one_are_refused_unread(text: str) -> None:
    assert _refusal(text) is Refusal.MALFORMED


@given(st.text(max_size=200) | st.from_regex(r"[\w-]{0,40}(\.[\w-]{0,40}){0,4}", fullmatch=True))
def test_any_text_at_all_is_refused(text: str) -> None:
    assert _refusal(text) in Refusal


def test_scopes_that_nobody_knows_are_not_believed() -> None:
    token = SIGNER.sign({**CLAIMS, "scope": "kadu.tasks.read openid kadu.everything"}, typ="at+jwt")
    assert _tokens().verify(token, API).scopes == {"kadu.tasks.read"}


@pytest.mark.parametrize("text", ["\ud800.\ud800.\ud800", "..", "e30.e30.", "\x00"])
def test_text_that_is_no_jwt_is_refused(text: str) -> None:
    assert _refusal(text) is Refusal.FORGED
