"""The official Python client signs in from nothing but the URL: challenge, metadata, registration, code, refresh."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.auth.oauth2 import OAuthContext
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from tests.support.client_home import ClientHome
from tests.support.http_sign_in import PersonAtBrowser
from tests.support.sign_in import REDIRECT_URI
from tests.support.stack import Stack
from tool_service.local import demo


@dataclass
class Kept:
    """mcp.client.auth.TokenStorage: what the program keeps between its starts."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None
    all_tokens: list[OAuthToken] = field(default_factory=list)

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens
        self.all_tokens.append(tokens)

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@asynccontextmanager
async def signed_in(
    stack: Stack, person: PersonAtBrowser, kept: Kept, document: str | None = None
) -> AsyncIterator[tuple[Client, OAuthContext]]:
    opened: list[str] = []

    async def open_browser(url: str) -> None:
        opened.append(url)

    async def wait_for_answer() -> AuthorizationCodeResult:
        answer = await asyncio.to_thread(person.answer, opened[-1])
        return AuthorizationCodeResult(code=answer["code"], state=answer["state"], iss=answer["iss"])

    metadata = OAuthClientMetadata(client_name="Official client", redirect_uris=[AnyUrl(REDIRECT_URI)])
    provider = OAuthClientProvider(
        stack.mcp_url, metadata, kept, open_browser, wait_for_answer, client_metadata_url=document
    )
    async with (
        httpx2.AsyncClient(auth=provider, timeout=30, trust_env=False) as http,
        Client(streamable_http_client(stack.mcp_url, http_client=http), mode="auto") as client,
    ):
        yield client, provider.context


async def tools(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}


async def test_the_url_is_enough(stack: Stack) -> None:
    person, kept = PersonAtBrowser(stack.issuer, demo.OPERATOR), Kept()
    async with signed_in(stack, person, kept) as (client, _):
        assert "kadu_tasks_list" in await tools(client)
        assert not (await client.call_tool("kadu_tasks_list", {})).is_error
    assert len(person.asked) == 1
    assert kept.client is not None
    # The next start of the program asks nobody.
    async with signed_in(stack, person, kept) as (client, _):
        assert not (await client.call_tool("kadu_tasks_list", {})).is_error
    assert len(person.asked) == 1


async def test_a_client_with_a_metadata_document_registers_nowhere(stack: Stack, home: ClientHome) -> None:
    person, kept = PersonAtBrowser(stack.issuer, demo.OPERATOR), Kept()
    async with signed_in(stack, person, kept, home.client_id) as (client, context):
        assert not (await client.call_tool("kadu_tasks_list", {})).is_error
        context.token_expiry_time = 1
        assert "kadu_tasks_list" in await tools(client)
    assert kept.client is not None
    assert kept.client.client_id == home.client_id
    assert len(kept.all_tokens) == 2
    assert len(person.asked) == 1


async def test_an_access_token_that_ended_is_refreshed_and_nobody_is_asked(stack: Stack) -> None:
    person, kept = PersonAtBrowser(stack.issuer, demo.OPERATOR), Kept()
    async with signed_in(stack, person, kept) as (client, context):
        context.token_expiry_time = 1
        assert "kadu_tasks_list" in await tools(client)
    first, second = kept.all_tokens
    assert first.refresh_token != second.refresh_token
    assert first.access_token != second.access_token
    assert len(person.asked) == 1


async def test_a_person_who_allowed_less_is_asked_for_more_when_a_tool_needs_it(stack: Stack) -> None:
    person, kept = PersonAtBrowser(stack.issuer, demo.OPERATOR, frozenset({"kadu.tasks.read"})), Kept()
    async with signed_in(stack, person, kept) as (client, _):
        assert "kadu_executions_get" not in await tools(client)
        person.allows = None
        result = await client.call_tool("kadu_tasks_run", {"id": "nothing"})
        assert result.is_error
    assert len(person.asked) == 2
    assert {"kadu.tasks.read", "kadu.tasks.run"} <= person.asked[1]
