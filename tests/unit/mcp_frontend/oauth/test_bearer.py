"""Who a bearer token stands for, and everything that is no token of ours."""

import base64
import hmac
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from joserfc import jws, jwt
from joserfc.jwk import ECKey

from mcp_frontend.caller import Caller
from mcp_frontend.oauth.bearer import (
    LIMIT_REMEMBERED,
    LIMIT_TOKEN_CHARACTERS,
    OLDER_TOKEN_TYPES,
    RECOGNIZED_SECONDS,
    RECOGNIZED_WITHOUT_ANSWER_SECONDS,
    Authenticator,
)
from mcp_frontend.oauth.challenge import NOT_RECOGNIZED, Challenge
from mcp_frontend.oauth.ports import IssuerUnavailable, MembersUnavailable
from tests.support.clock import NOON, FakeClock
from tests.support.issuer import ISSUER, RESOURCE, FakeIssuer, FakeMembers

NOW = int(NOON.timestamp())
CALLER = Caller(
    issuer=ISSUER,
    subject="person-1",
    organization_id="organization-1",
    client_id="client-1",
    client_name="Some Client",
    scopes=frozenset({"kadu.tasks.read", "kadu.tasks.write"}),
    token_id="token-1",
    expires_at=NOW + 900,
)


def _authenticator(
    issuer: FakeIssuer, clock: FakeClock | None = None, limit_remembered: int = LIMIT_REMEMBERED
) -> Authenticator:
    return Authenticator(
        issuer=ISSUER,
        audience=RESOURCE,
        keys=issuer,
        members=FakeMembers(),
        clock=clock or FakeClock(),
        limit_remembered=limit_remembered,
    )


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


async def _judge(issuer: FakeIssuer, token: str) -> Caller | Challenge:
    return await _authenticator(issuer).authenticate([f"Bearer {token}"])


def _refused(verdict: Caller | Challenge) -> str:
    """The description of an invalid_token challenge."""
    assert isinstance(verdict, Challenge)
    assert verdict.error == "invalid_token"
    assert verdict.scopes == ("kadu.read", "kadu.tasks.run")
    return verdict.description or ""


async def test_a_good_token_is_its_caller() -> None:
    issuer = FakeIssuer()
    assert await _judge(issuer, issuer.token(NOW)) == CALLER


@pytest.mark.requirement("authorization.scheme-any-case")
@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
async def test_the_scheme_is_read_in_any_case(scheme: str) -> None:
    issuer = FakeIssuer()
    assert await _authenticator(issuer).authenticate([f"{scheme}  {issuer.token(NOW)} "]) == CALLER


@pytest.mark.requirement("authorization.no-error-without-token")
@pytest.mark.parametrize("lines", [[], [""], ["Bearer"], ["Bearer "], ["Basic dXNlcjpwdw=="], ["Token abc"]])
async def test_without_a_bearer_token_the_challenge_names_no_error(lines: list[str]) -> None:
    assert await _authenticator(FakeIssuer()).authenticate(lines) == Challenge()


@pytest.mark.requirement("authorization.header-only")
async def test_two_authorization_lines_are_refused_even_when_both_are_good() -> None:
    issuer = FakeIssuer()
    line = f"Bearer {issuer.token(NOW)}"
    assert "one Authorization header" in _refused(await _authenticator(issuer).authenticate([line, line]))


@pytest.mark.requirement("authorization.audience")
@pytest.mark.parametrize("audience", [RESOURCE, RESOURCE + "/", [RESOURCE], ["https://other", RESOURCE + "/"]])
async def test_the_audience_is_the_resource_with_or_without_its_slash(audience: object) -> None:
    issuer = FakeIssuer()
    assert await _judge(issuer, issuer.token(NOW, aud=audience)) == CALLER


@pytest.mark.requirement("authorization.audience")
@pytest.mark.parametrize(
    "audience",
    ["https://mcp.example:8443", "http://mcp.example", "https://mcp.example/api/v1", "https://mcp.example//", [], 7],
)
async def test_a_token_for_another_resource_is_refused(audience: object) -> None:
    issuer = FakeIssuer()
    assert "another resource" in _refused(await _judge(issuer, issuer.token(NOW, aud=audience)))


@pytest.mark.parametrize("claim", ["aud", "iss", "sub", "org", "client_id", "scope", "exp"])
async def test_a_token_without_a_required_claim_is_refused(claim: str) -> None:
    issuer = FakeIssuer()
    changes: dict[str, Any] = {claim: None}
    assert _refused(await _judge(issuer, issuer.token(NOW, **changes)))


@pytest.mark.parametrize("value", [7, True, [], {"a": 1}, ""])
@pytest.mark.parametrize("claim", ["sub", "org", "client_id"])
async def test_a_required_claim_of_the_wrong_type_is_refused(claim: str, value: object) -> None:
    issuer = FakeIssuer()
    changes: dict[str, Any] = {claim: value}
    assert claim in _refused(await _judge(issuer, issuer.token(NOW, **changes)))


@pytest.mark.parametrize("name", ["", None, 7])
async def test_a_client_without_a_usable_name_has_none(name: object) -> None:
    issuer = FakeIssuer()
    assert await _judge(issuer, issuer.token(NOW, client_name=name)) == replace(CALLER, client_name=None)


@pytest.mark.requirement("authorization.issuer")
@pytest.mark.parametrize("issuer_claim", [ISSUER + "/", "https://ISSUER.example", "https://evil.example"])
async def test_the_issuer_is_compared_exactly(issuer_claim: str) -> None:
    issuer = FakeIssuer()
    assert "another issuer" in _refused(await _judge(issuer, issuer.token(NOW, iss=issuer_claim)))


@pytest.mark.requirement("authorization.times")
@pytest.mark.parametrize(("expires_in", "is_good"), [(1, True), (-29, True), (-30, False), (-3600, False)])
async def test_expiry_allows_for_clocks_that_differ_by_less_than_thirty_seconds(expires_in: int, is_good: bool) -> None:
    issuer = FakeIssuer()
    verdict = await _judge(issuer, issuer.token(NOW, exp=NOW + expires_in))
    assert isinstance(verdict, Caller) is is_good


@pytest.mark.requirement("authorization.times")
@pytest.mark.parametrize(("starts_in", "is_good"), [(-10, True), (30, True), (31, False)])
async def test_a_token_that_is_not_valid_yet_is_refused(starts_in: int, is_good: bool) -> None:
    issuer = FakeIssuer()
    verdict = await _judge(issuer, issuer.token(NOW, nbf=NOW + starts_in))
    assert isinstance(verdict, Caller) is is_good


@pytest.mark.parametrize("value", ["soon", True, [], 1e300])
async def test_a_time_that_is_no_time_is_refused(value: object) -> None:
    issuer = FakeIssuer()
    assert "exp" in _refused(await _judge(issuer, issuer.token(NOW, exp=value)))


@pytest.mark.parametrize("token_type", ["at+jwt", "AT+JWT", "application/at+jwt"])
async def test_only_access_tokens_have_the_right_type(token_type: str) -> None:
    issuer = FakeIssuer()
    assert await _judge(issuer, issuer.token(NOW, header={"typ": token_type})) == CALLER


@pytest.mark.requirement("authorization.token-type")
@pytest.mark.parametrize("token_type", ["JWT", "jwt", "", None, "logout+jwt"])
async def test_a_token_of_another_type_is_refused(token_type: str | None) -> None:
    issuer = FakeIssuer()
    assert "kind" in _refused(await _judge(issuer, issuer.token(NOW, header={"typ": token_type})))


@pytest.mark.parametrize("key_id", ["second", None])
async def test_a_token_of_an_unknown_key_is_refused(key_id: str | None) -> None:
    issuer = FakeIssuer()
    assert "unknown key" in _refused(await _judge(issuer, issuer.token(NOW, header={"kid": key_id})))


@pytest.mark.requirement("authorization.signature")
async def test_a_token_signed_by_a_stranger_under_our_key_id_is_refused() -> None:
    assert "signature" in _refused(await _judge(FakeIssuer(), FakeIssuer().token(NOW)))


@pytest.mark.requirement("authorization.signature")
async def test_a_token_signed_with_the_public_key_as_a_secret_is_refused() -> None:
    issuer = FakeIssuer()
    _, payload, _ = issuer.token(NOW).split(".")
    header = _base64url(b'{"alg":"HS256","typ":"at+jwt","kid":"first"}')
    signed = f"{header}.{payload}"
    mac = hmac.digest(issuer.key.as_pem(private=False), signed.encode(), "sha256")
    assert "kind" in _refused(await _judge(issuer, f"{signed}.{_base64url(mac)}"))


@pytest.mark.requirement("authorization.signature")
async def test_an_unsigned_token_is_refused() -> None:
    issuer = FakeIssuer()
    _, payload, _ = issuer.token(NOW).split(".")
    header = _base64url(b'{"alg":"none","typ":"at+jwt","kid":"first"}')
    assert "kind" in _refused(await _judge(issuer, f"{header}.{payload}."))


async def test_a_signed_list_is_no_token() -> None:
    issuer = FakeIssuer()
    header = {"alg": "ES256", "typ": "at+jwt", "kid": "first"}
    token = jws.serialize_compact(header, json.dumps(["sub"]), issuer.key)
    assert "malformed" in _refused(await _judge(issuer, token))


async def test_a_header_that_demands_what_we_do_not_understand_is_refused() -> None:
    issuer = FakeIssuer()
    header = {"alg": "ES256", "typ": "at+jwt", "kid": "first", "crit": ["b64"], "b64": True}
    registry = jws.JWSRegistry(algorithms=["ES256"], strict_check_header=False)
    token = jwt.encode(header, {}, issuer.key, registry=registry)
    assert _refused(await _judge(issuer, token))


@pytest.mark.requirement("authorization.bad-token")
@pytest.mark.parametrize("token", ["x", "not-a-real-token", "a.b.c", "..", "é.é.é", "a b c", "eyJ9.e30.AA"])
async def test_a_text_that_is_no_jwt_is_refused(token: str) -> None:
    assert "malformed" in _refused(await _judge(FakeIssuer(), token))


async def test_a_token_beyond_the_limit_is_refused_unread() -> None:
    issuer = FakeIssuer()
    assert "too long" in _refused(await _judge(issuer, issuer.token(NOW, note="x" * LIMIT_TOKEN_CHARACTERS)))
    assert issuer.asked_for == []


async def test_a_token_is_verified_once_and_remembered() -> None:
    issuer = FakeIssuer()
    authenticator = _authenticator(issuer)
    line = [f"Bearer {issuer.token(NOW)}"]
    assert [await authenticator.authenticate(line) for _ in range(3)] == [CALLER] * 3
    assert issuer.asked_for == ["first"]


@pytest.mark.requirement("authorization.times")
async def test_a_remembered_token_is_judged_again_when_it_expires() -> None:
    issuer, clock = FakeIssuer(), FakeClock()
    authenticator = _authenticator(issuer, clock)
    line = [f"Bearer {issuer.token(NOW)}"]
    await authenticator.authenticate(line)
    clock.advance(timedelta(seconds=900 + 30))
    assert "expired" in _refused(await authenticator.authenticate(line))


async def test_the_least_recently_used_token_is_forgotten_first() -> None:
    issuer = FakeIssuer()
    authenticator = _authenticator(issuer, limit_remembered=2)
    a, b, c = ([f"Bearer {issuer.token(NOW, jti=name)}"] for name in "abc")
    for line in (a, b, a, c):
        await authenticator.authenticate(line)
    issuer.asked_for.clear()
    await authenticator.authenticate(a)
    assert issuer.asked_for == []
    await authenticator.authenticate(b)
    assert issuer.asked_for == ["first"]


async def test_a_refused_token_is_not_remembered() -> None:
    issuer, clock = FakeIssuer(), FakeClock()
    authenticator = _authenticator(issuer, clock)
    line = [f"Bearer {issuer.token(NOW, nbf=NOW + 60)}"]
    assert isinstance(await authenticator.authenticate(line), Challenge)
    clock.advance(timedelta(seconds=60))
    assert await authenticator.authenticate(line) == CALLER


async def test_unreadable_keys_say_nothing_about_the_token() -> None:
    issuer = FakeIssuer()
    issuer.is_down = True
    with pytest.raises(IssuerUnavailable):
        await _judge(issuer, issuer.token(NOW))


async def test_a_key_of_another_curve_verifies_nothing() -> None:
    issuer = FakeIssuer()
    issuer.key = ECKey.generate_key("P-384", {"kid": "first"})
    token = jwt.encode({"alg": "ES384", "typ": "at+jwt", "kid": "first"}, {}, issuer.key, algorithms=["ES384"])
    assert "kind" in _refused(await _judge(issuer, token))


async def test_a_token_without_a_number_is_still_told_from_another() -> None:
    issuer = FakeIssuer()
    callers = [await _judge(issuer, issuer.token(NOW, jti=None, iat=NOW - each)) for each in (0, 0, 1)]
    ids = [each.token_id for each in callers if isinstance(each, Caller)]
    assert ids[0] == ids[1] != ids[2]
    assert len(ids) == 3


async def test_whoever_is_known_no_more_is_refused_within_seconds() -> None:
    issuer, members, clock = FakeIssuer(), FakeMembers(), FakeClock()
    authenticator = _with_members(issuer, members, clock)
    line = f"Bearer {issuer.token(NOW)}"
    assert await authenticator.authenticate([line]) == CALLER
    members.shut_out.add("person-1")
    clock.advance(timedelta(seconds=RECOGNIZED_SECONDS))
    assert await authenticator.authenticate([line]) == NOT_RECOGNIZED
    members.shut_out.clear()
    assert await authenticator.authenticate([line]) == CALLER


async def test_members_are_asked_once_in_a_few_seconds_and_not_for_every_request() -> None:
    issuer, members, clock = FakeIssuer(), FakeMembers(), FakeClock()
    authenticator = _with_members(issuer, members, clock)
    line = f"Bearer {issuer.token(NOW)}"
    for _ in range(10):
        await authenticator.authenticate([line])
        clock.advance(timedelta(seconds=1))
    assert len(members.asked_of) == 4


async def test_who_was_known_a_moment_ago_is_let_in_while_nobody_can_be_asked_but_not_for_long() -> None:
    issuer, members, clock = FakeIssuer(), FakeMembers(), FakeClock()
    authenticator = _with_members(issuer, members, clock)
    line = f"Bearer {issuer.token(NOW)}"
    await authenticator.authenticate([line])
    members.is_down = True
    clock.advance(timedelta(seconds=RECOGNIZED_WITHOUT_ANSWER_SECONDS - 1))
    assert await authenticator.authenticate([line]) == CALLER
    clock.advance(timedelta(seconds=RECOGNIZED_SECONDS))
    for _ in range(2):
        with pytest.raises(MembersUnavailable):
            await authenticator.authenticate([line])


async def test_a_stranger_waits_while_nobody_can_be_asked() -> None:
    issuer, members = FakeIssuer(), FakeMembers()
    members.is_down = True
    with pytest.raises(MembersUnavailable):
        await _with_members(issuer, members, FakeClock()).authenticate([f"Bearer {issuer.token(NOW)}"])


@pytest.mark.parametrize(
    "claims",
    [
        {"scope": None, "scp": "kadu.tasks.read kadu.tasks.write", "client_id": None, "azp": "client-1"},
        {"scope": None, "scp": ["kadu.tasks.read", "kadu.tasks.write"], "client_id": None, "appid": "client-1"},
    ],
)
async def test_what_other_issuers_call_it_is_read_too(claims: dict[str, Any]) -> None:
    issuer = FakeIssuer()
    assert await _judge(issuer, issuer.token(NOW, **claims)) == CALLER


async def test_an_older_kind_of_token_is_read_only_where_the_operator_says_so() -> None:
    issuer = FakeIssuer()
    token = issuer.token(NOW, header={"typ": "JWT"})
    assert "kind" in _refused(await _judge(issuer, token))
    older = Authenticator(
        issuer=ISSUER,
        audience=RESOURCE,
        keys=issuer,
        members=FakeMembers(),
        clock=FakeClock(),
        token_types=OLDER_TOKEN_TYPES,
    )
    assert await older.authenticate([f"Bearer {token}"]) == CALLER


def _with_members(issuer: FakeIssuer, members: FakeMembers, clock: FakeClock) -> Authenticator:
    return Authenticator(issuer=ISSUER, audience=RESOURCE, keys=issuer, members=members, clock=clock)
