"""Codes, refresh tokens and their revocation: what each gives, and what ends it."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from joserfc import jwt

from tests.support import world
from tests.support.asgi_client import HttpReply
from tests.support.faces import AUDIENCE, KEY, MCP_RESOURCE, PUBLIC_URL, Faces
from tests.support.sign_in import VERIFIER, Program
from tool_service.authorization_server.grants import CODE_LIFETIME, ROTATION_GRACE
from tool_service.authorization_server.provider import REFRESH_TOKEN_LIFETIME
from tool_service.db.account_tables import oauth_codes, oauth_grants, oauth_refresh_tokens
from tool_service.db.tables import audit_events, members

MOMENT = timedelta(seconds=1)


def claims(token: str) -> dict[str, Any]:
    decoded = jwt.decode(token, KEY, algorithms=["ES256"])
    return {**decoded.claims, "typ": decoded.header["typ"], "kid": decoded.header["kid"]}


def refused(reply: HttpReply) -> tuple[int, str]:
    assert reply.header("Cache-Control") == "no-store"
    return reply.status, reply.json()["error"]


async def signed_in(program: Program) -> dict[str, Any]:
    reply = await program.redeem(await program.code())
    assert reply.status == 200, reply.body
    return reply.json()


async def audited(faces: Faces) -> list[tuple[str, Any]]:
    statement = sa.select(audit_events.c.action, audit_events.c.changes).order_by(audit_events.c.created_at)
    async with faces.database.begin(write=False) as connection:
        rows = await connection.execute(statement.where(audit_events.c.resource_type == "oauth_grant"))
        return [(row.action, row.changes[0]["to"]) for row in rows]


async def test_a_code_becomes_an_access_token_of_rfc_9068_for_the_mcp_endpoint(program: Program) -> None:
    reply = await program.redeem(await program.code())
    token = reply.json()
    assert reply.header("Cache-Control") == "no-store"
    assert (token["token_type"], token["expires_in"]) == ("Bearer", 900)
    said = claims(token["access_token"])
    organization_id, person_id = world.identity("manager")
    assert (said["iss"], said["aud"], said["typ"]) == (PUBLIC_URL, MCP_RESOURCE, "at+jwt")
    assert (said["sub"], said["org"], said["client_id"]) == (str(person_id), str(organization_id), program.client_id)
    assert said["exp"] - said["iat"] == 900
    assert said["scope"] == token["scope"]
    assert "kadu.tasks.run" in said["scope"].split()
    assert "kadu.tasks.write" not in said["scope"].split()


async def test_who_asks_for_openid_also_learns_who_signed_in(program: Program) -> None:
    code = await program.code(scope="openid email kadu.read", nonce="n-1\x00")
    token = (await program.redeem(code)).json()
    said = claims(token["id_token"])
    assert (said["iss"], said["aud"], said["nonce"]) == (PUBLIC_URL, program.client_id, "n-1")
    assert (said["sub"], said["email"]) == (str(world.PEOPLE["manager"]), "manager@example.com")
    assert {"openid", "email"} <= set(token["scope"].split())


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_verifier": "another-verifier-that-is-long-enough-for-the-rule"}, "invalid_grant"),
        ({"code_verifier": None}, "invalid_request"),
        ({"redirect_uri": "http://127.0.0.1:7777/other"}, "invalid_grant"),
        ({"redirect_uri": None}, "invalid_grant"),
        ({"resource": "https://another.example"}, "invalid_target"),
        ({"resource": [MCP_RESOURCE, "https://another.example"]}, "invalid_target"),
        ({"client_id": "somebody-else"}, "invalid_client"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"code": "no-such-code"}, "invalid_grant"),
        ({"code": "with a \x00 in it"}, "invalid_grant"),
        ({"code": None}, "invalid_request"),
    ],
)
async def test_a_code_is_only_for_whom_and_for_what_it_was_given(
    program: Program, changes: dict[str, Any], error: str
) -> None:
    code = await program.code()
    reply = await program.token(
        **{
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": "http://127.0.0.1:7777/callback",
            "code_verifier": VERIFIER,
            **changes,
        }
    )
    assert refused(reply)[1] == error
    assert refused(reply)[0] in (400, 401)


async def test_a_wrong_verifier_burns_the_code(program: Program) -> None:
    code = await program.code()
    await program.redeem(code, code_verifier="another-verifier-that-is-long-enough-for-the-rule")
    assert refused(await program.redeem(code)) == (400, "invalid_grant")


async def test_a_code_is_good_for_two_minutes(program: Program) -> None:
    code = await program.code()
    program.faces.clock.advance(CODE_LIFETIME)
    assert refused(await program.redeem(code)) == (400, "invalid_grant")


async def test_a_code_used_twice_ends_all_that_came_from_it(program: Program) -> None:
    code = await program.code()
    token = (await program.redeem(code)).json()
    assert refused(await program.redeem(code)) == (400, "invalid_grant")
    assert refused(await program.refresh(token["refresh_token"])) == (400, "invalid_grant")
    assert ("oauth_grant_revoked", "code_used_twice") in await audited(program.faces)


async def test_a_code_of_one_client_is_worth_nothing_to_another_and_stays_good(program: Program) -> None:
    code = await program.code()
    thief = Program(program.faces)
    await thief.register(client_name="Outro")
    assert refused(await thief.redeem(code)) == (400, "invalid_grant")
    assert (await program.redeem(code)).status == 200


async def test_a_refresh_gives_new_tokens_of_the_same_grant(program: Program) -> None:
    first = await signed_in(program)
    second = (await program.refresh(first["refresh_token"])).json()
    assert second["refresh_token"] != first["refresh_token"]
    assert claims(second["access_token"])["grant"] == claims(first["access_token"])["grant"]
    assert claims(second["access_token"])["jti"] != claims(first["access_token"])["jti"]
    assert second["scope"] == first["scope"]


async def test_d17_within_the_grace_a_refresh_token_works_again_and_nothing_is_lost(program: Program) -> None:
    first = await signed_in(program)
    answers = [await program.refresh(first["refresh_token"])]
    program.faces.clock.advance(ROTATION_GRACE)
    answers.append(await program.refresh(first["refresh_token"]))
    assert [each.status for each in answers] == [200, 200]
    for each in answers:
        assert (await program.refresh(each.json()["refresh_token"])).status == 200


async def test_d17_fifty_refreshes_at_once_are_all_answered_and_one_family(program: Program) -> None:
    first = await signed_in(program)
    answers = await asyncio.gather(*(program.refresh(first["refresh_token"]) for _ in range(50)))
    assert {each.status for each in answers} == {200}
    assert len({claims(each.json()["access_token"])["grant"] for each in answers}) == 1
    assert len({each.json()["refresh_token"] for each in answers}) == 50


async def test_d17_after_the_grace_a_reused_token_ends_the_family_and_is_put_on_record(program: Program) -> None:
    first = await signed_in(program)
    second = (await program.refresh(first["refresh_token"])).json()
    program.faces.clock.advance(ROTATION_GRACE + MOMENT)
    assert refused(await program.refresh(first["refresh_token"])) == (400, "invalid_grant")
    assert refused(await program.refresh(second["refresh_token"])) == (400, "invalid_grant")
    assert [name for name, _ in await audited(program.faces)] == ["oauth_grant_created", "oauth_grant_revoked"]
    assert (await audited(program.faces))[-1][1] == "refresh_token_reused"


async def test_using_it_again_within_the_grace_does_not_prolong_the_grace(program: Program) -> None:
    token = (await signed_in(program))["refresh_token"]
    await program.refresh(token)
    program.faces.clock.advance(ROTATION_GRACE - MOMENT)
    assert (await program.refresh(token)).status == 200
    program.faces.clock.advance(ROTATION_GRACE - MOMENT)
    assert refused(await program.refresh(token)) == (400, "invalid_grant")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"resource": "https://another.example"}, "invalid_target"),
        ({"scope": "kadu.tasks.write"}, "invalid_scope"),
        ({"scope": "nobody.knows.this"}, "invalid_scope"),
        ({"refresh_token": "no-such-token"}, "invalid_grant"),
        ({"refresh_token": None}, "invalid_request"),
    ],
)
async def test_a_refresh_asks_for_no_more_than_there_is(program: Program, changes: dict[str, Any], error: str) -> None:
    token = (await signed_in(program))["refresh_token"]
    reply = await program.token(**{"grant_type": "refresh_token", "refresh_token": token, **changes})
    assert refused(reply) == (400, error)


async def test_a_refresh_may_ask_for_fewer_scopes(program: Program) -> None:
    token = (await signed_in(program))["refresh_token"]
    narrower = (await program.refresh(token, scope="kadu.tasks.read")).json()
    assert narrower["scope"] == "kadu.tasks.read"


async def test_a_refresh_token_ends_after_thirty_days(program: Program) -> None:
    token = (await signed_in(program))["refresh_token"]
    program.faces.clock.advance(REFRESH_TOKEN_LIFETIME)
    assert refused(await program.refresh(token)) == (400, "invalid_grant")


async def test_a_disabled_member_gets_no_new_token(program: Program) -> None:
    token = (await signed_in(program))["refresh_token"]
    async with program.faces.database.begin(write=True) as connection:
        disable = sa.update(members).where(members.c.id == world.MEMBERS["manager"]).values(status="disabled")
        await connection.execute(disable)
    assert refused(await program.refresh(token)) == (400, "invalid_grant")


@pytest.mark.parametrize("which", ["refresh_token", "access_token"])
@pytest.mark.parametrize("hint", [None, "access_token", "refresh_token", "something_else"])
async def test_revoking_any_token_ends_the_family(program: Program, which: str, hint: str | None) -> None:
    token = await signed_in(program)
    assert (await program.revoke(token[which], token_type_hint=hint)).status == 200
    assert refused(await program.refresh(token["refresh_token"])) == (400, "invalid_grant")
    assert (await audited(program.faces))[-1] == ("oauth_grant_revoked", "revoked_by_client")


async def test_revoking_what_is_no_token_or_of_another_client_is_ok_and_ends_nothing(program: Program) -> None:
    token = await signed_in(program)
    stranger = Program(program.faces)
    await stranger.register(client_name="Outro")
    assert (await program.revoke("no-such-token")).status == 200
    await stranger.revoke(token["refresh_token"])
    assert (await program.refresh(token["refresh_token"])).status == 200


async def test_a_client_with_a_secret_must_bring_it(program: Program) -> None:
    web = Program(program.faces)
    await web.register(application_type="web", redirect_uris=["http://127.0.0.1:7777/callback"])
    assert web.secret
    code = await web.code()
    assert refused(await web.redeem(code, client_secret=None)) == (401, "invalid_client")
    assert refused(await web.redeem(code, client_secret="wrong")) == (401, "invalid_client")
    assert (await web.redeem(code)).status == 200


async def test_no_secret_lies_in_the_database_as_it_is(program: Program) -> None:
    code = await program.code()
    token = (await program.redeem(code)).json()
    async with program.faces.database.begin(write=False) as connection:
        rows = [
            str(row)
            for table in (oauth_codes, oauth_grants, oauth_refresh_tokens, audit_events)
            for row in await connection.execute(sa.select(table))
        ]
    for secret in (code, token["refresh_token"], token["access_token"]):
        assert not [row for row in rows if secret in row]


async def test_each_resource_refuses_the_tokens_of_the_other(program: Program) -> None:
    token = await signed_in(program)
    headers = [("Authorization", f"Bearer {token['access_token']}")]
    assert (await program.send("GET", "/api/v1/tasks", headers)).status == 401
    assert claims(token["access_token"])["aud"] != AUDIENCE
