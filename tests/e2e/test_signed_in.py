"""Signed in at real processes: refreshing from everywhere at once, and roles and audiences where they are enforced."""

import asyncio
from collections.abc import Iterator

import httpx2
import pytest
import sqlalchemy as sa

from tests.support.http_sign_in import sign_in
from tests.support.stack import Stack
from tool_service.authorization_server.grants import ROTATION_GRACE
from tool_service.db.account_tables import oauth_refresh_tokens
from tool_service.db.engine import sync_engine
from tool_service.db.tables import audit_events, members
from tool_service.local import demo

REFRESHES = 50
FELT_WITHIN_SECONDS = 20


@pytest.fixture
def second_replica(postgres_stack: Stack) -> Iterator[str]:
    """One more tool service on the same database and keys, behind the same issuer URL; where this one listens."""
    names = {
        "TOOL_SERVICE_PUBLIC_URL": postgres_stack.issuer,
        "TOOL_SERVICE_MCP_RESOURCE": postgres_stack.mcp_url,
        "TOOL_SERVICE_IN_PROCESS_WORKER": "false",
    }
    replica = Stack(postgres_stack.folder, postgres_stack.database_url, True, names)
    try:
        replica.start("tool_service")
        replica.wait_until_ready("tool_service")
        yield replica.issuer
    finally:
        replica.stop_all()


async def test_fifty_refreshes_at_once_over_two_replicas_leave_one_family_in_which_everybody_goes_on(
    postgres_stack: Stack, second_replica: str
) -> None:
    tokens = await asyncio.to_thread(sign_in, postgres_stack, demo.OPERATOR, "kadu.tasks.read")
    form = {"grant_type": "refresh_token", "client_id": tokens.client_id}

    async with httpx2.AsyncClient(timeout=60, trust_env=False) as client:

        async def refreshed(number: int, token: str) -> httpx2.Response:
            replica = (postgres_stack.issuer, second_replica)[number % 2]
            return await client.post(f"{replica}/token", data={**form, "refresh_token": token})

        first = await asyncio.gather(*(refreshed(n, tokens.refresh_token) for n in range(REFRESHES)))
        assert {each.status_code for each in first} == {200}
        # Each of the fifty goes on with what it got, at the other replica.
        again = await asyncio.gather(*(refreshed(n + 1, each.json()["refresh_token"]) for n, each in enumerate(first)))
        assert {each.status_code for each in again} == {200}
        revoked = await client.post(
            f"{second_replica}/revoke", data={"client_id": tokens.client_id, "token": again[0].json()["refresh_token"]}
        )
        assert revoked.status_code == 200
        # One family: what one of them gave back is gone for all.
        last = await asyncio.gather(*(refreshed(n, each.json()["refresh_token"]) for n, each in enumerate(again)))
        assert {each.json()["error"] for each in last} == {"invalid_grant"}


def _let_the_grace_pass(stack: Stack) -> None:
    """As if every refresh so far were a while ago."""
    engine = sync_engine(stack.database_url)
    with engine.begin() as connection:
        rotated_at = oauth_refresh_tokens.c.rotated_at
        for row in connection.execute(sa.select(oauth_refresh_tokens).where(rotated_at.is_not(None))).all():
            same = oauth_refresh_tokens.c.token_digest == row.token_digest
            earlier = row.rotated_at - ROTATION_GRACE
            connection.execute(sa.update(oauth_refresh_tokens).where(same).values(rotated_at=earlier))
    engine.dispose()


def _grants_ended_by_reuse(stack: Stack) -> int:
    engine = sync_engine(stack.database_url)
    with engine.begin() as connection:
        changes = connection.scalars(
            sa.select(audit_events.c.changes).where(audit_events.c.action == "oauth_grant_revoked")
        ).all()
    engine.dispose()
    return sum(each[0]["to"] == "refresh_token_reused" for each in changes)


async def test_a_token_that_comes_back_much_later_ends_the_family_on_every_replica_and_is_audited_once(
    postgres_stack: Stack, second_replica: str
) -> None:
    tokens = await asyncio.to_thread(sign_in, postgres_stack, demo.OPERATOR, "kadu.tasks.read")
    form = {"grant_type": "refresh_token", "client_id": tokens.client_id}
    before = _grants_ended_by_reuse(postgres_stack)

    async with httpx2.AsyncClient(timeout=60, trust_env=False) as client:

        async def refreshed(replica: str, token: str) -> httpx2.Response:
            return await client.post(f"{replica}/token", data={**form, "refresh_token": token})

        newest = (await refreshed(postgres_stack.issuer, tokens.refresh_token)).json()
        _let_the_grace_pass(postgres_stack)
        # Whoever stole the old one tries it everywhere at once.
        thefts = await asyncio.gather(
            *(refreshed((postgres_stack.issuer, second_replica)[n % 2], tokens.refresh_token) for n in range(REFRESHES))
        )
        assert {(each.status_code, each.json()["error"]) for each in thefts} == {(400, "invalid_grant")}
        owner = await refreshed(second_replica, newest["refresh_token"])
        assert (owner.status_code, owner.json()["error"]) == (400, "invalid_grant")
    assert _grants_ended_by_reuse(postgres_stack) == before + 1
    async with asyncio.timeout(FELT_WITHIN_SECONDS):
        while (await asyncio.to_thread(_call, postgres_stack, newest["access_token"], "tools/list")).status_code != 401:
            """The front end may remember for a moment whom it recognized; every look is a call of its own."""


def _call(stack: Stack, token: str, method: str, **params: object) -> httpx2.Response:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    headers = {"Authorization": f"Bearer {token}", "MCP-Protocol-Version": "2025-06-18"}
    return httpx2.post(stack.mcp_url, json=message, headers=headers)


def _set_role(stack: Stack, person: demo.DemoPerson, role: str) -> None:
    engine = sync_engine(stack.database_url)
    with engine.begin() as connection:
        statement = sa.update(members).where(members.c.person_id == person.id)
        connection.execute(statement.values(role=role))
    engine.dispose()


async def test_a_role_that_is_lowered_between_list_and_call_is_refused(stack: Stack) -> None:
    person = demo.MANAGER
    token = (await asyncio.to_thread(sign_in, stack, person, "kadu.manage")).access_token
    listed = await asyncio.to_thread(_call, stack, token, "tools/list")
    assert "kadu_tasks_delete" in {tool["name"] for tool in listed.json()["result"]["tools"]}
    _set_role(stack, person, "viewer")
    try:
        async with asyncio.timeout(FELT_WITHIN_SECONDS):
            while True:
                called = await asyncio.to_thread(
                    _call, stack, token, "tools/call", name="kadu_tasks_delete", arguments={"id": "nothing"}
                )
                # What is not listed does not exist.
                if called.json().get("error", {}).get("message") == "Unknown tool: kadu_tasks_delete":
                    break
        relisted = await asyncio.to_thread(_call, stack, token, "tools/list")
        assert "kadu_tasks_delete" not in {tool["name"] for tool in relisted.json()["result"]["tools"]}
    finally:
        _set_role(stack, person, "manager")


async def test_a_token_opens_only_what_it_is_for(stack: Stack) -> None:
    for_mcp = (await asyncio.to_thread(sign_in, stack, demo.OPERATOR, "kadu.tasks.read")).access_token
    for_api = stack.token(demo.OPERATOR, f"{stack.issuer}/api/v1")
    async with httpx2.AsyncClient(trust_env=False) as client:
        for token, status in ((for_api, 200), (for_mcp, 401)):
            headers = {"Authorization": f"Bearer {token}"}
            assert (await client.get(f"{stack.issuer}/api/v1/tasks", headers=headers)).status_code == status
    assert (await asyncio.to_thread(_call, stack, for_mcp, "tools/list")).status_code == 200
    refused = await asyncio.to_thread(_call, stack, for_api, "tools/list")
    assert refused.status_code == 401
    assert 'error="invalid_token"' in refused.headers["WWW-Authenticate"]
