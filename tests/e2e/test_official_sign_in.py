"""The official Python client signs in from nothing but the URL: challenge, metadata, registration, code, refresh."""

from tests.support.client_home import ClientHome
from tests.support.http_sign_in import PersonAtBrowser
from tests.support.official_client import Kept, signed_in, tools
from tests.support.stack import Stack
from tool_service.local import demo


async def test_the_url_is_enough(stack: Stack) -> None:
    person, kept = PersonAtBrowser(stack.issuer, demo.OPERATOR), Kept()
    async with signed_in(stack.mcp_url, person, kept) as (client, _):
        assert "kadu_tasks_list" in await tools(client)
        assert not (await client.call_tool("kadu_tasks_list", {})).is_error
    assert len(person.asked) == 1
    assert kept.client is not None
    # The next start of the program asks nobody.
    async with signed_in(stack.mcp_url, person, kept) as (client, _):
        assert not (await client.call_tool("kadu_tasks_list", {})).is_error
    assert len(person.asked) == 1


async def test_a_client_with_a_metadata_document_registers_nowhere(stack: Stack, home: ClientHome) -> None:
    person, kept = PersonAtBrowser(stack.issuer, demo.OPERATOR), Kept()
    async with signed_in(stack.mcp_url, person, kept, home.client_id) as (client, context):
        assert not (await client.call_tool("kadu_tasks_list", {})).is_error
        context.token_expiry_time = 1
        assert "kadu_tasks_list" in await tools(client)
    assert kept.client is not None
    assert kept.client.client_id == home.client_id
    assert len(kept.all_tokens) == 2
    assert len(person.asked) == 1


async def test_an_access_token_that_ended_is_refreshed_and_nobody_is_asked(stack: Stack) -> None:
    person, kept = PersonAtBrowser(stack.issuer, demo.OPERATOR), Kept()
    async with signed_in(stack.mcp_url, person, kept) as (client, context):
        context.token_expiry_time = 1
        assert "kadu_tasks_list" in await tools(client)
    first, second = kept.all_tokens
    assert first.refresh_token != second.refresh_token
    assert first.access_token != second.access_token
    assert len(person.asked) == 1


async def test_a_person_who_allowed_less_is_asked_for_more_when_a_tool_needs_it(stack: Stack) -> None:
    person, kept = PersonAtBrowser(stack.issuer, demo.OPERATOR, frozenset({"kadu.tasks.read"})), Kept()
    async with signed_in(stack.mcp_url, person, kept) as (client, _):
        assert "kadu_executions_get" not in await tools(client)
        person.allows = None
        result = await client.call_tool("kadu_tasks_run", {"id": "nothing"})
        assert result.is_error
    assert len(person.asked) == 2
    assert {"kadu.tasks.read", "kadu.tasks.run"} <= person.asked[1]
