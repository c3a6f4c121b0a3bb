"""The official Python client, which signs in by itself where the server leads it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.auth.oauth2 import OAuthContext
from mcp.client.session import ElicitationFnT
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from tests.support.sign_in import REDIRECT_URI


class PersonWhoIsAsked(Protocol):
    def answer(self, authorization_url: str) -> dict[str, str]:
        """What the client gets at its redirect URI."""


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
    mcp_url: str, person: PersonWhoIsAsked, kept: Kept, document: str | None = None, asked: ElicitationFnT | None = None
) -> AsyncIterator[tuple[Client, OAuthContext]]:
    opened: list[str] = []

    async def open_browser(url: str) -> None:
        opened.append(url)

    async def wait_for_answer() -> AuthorizationCodeResult:
        answer = await asyncio.to_thread(person.answer, opened[-1])
        return AuthorizationCodeResult(code=answer["code"], state=answer["state"], iss=answer["iss"])

    metadata = OAuthClientMetadata(client_name="Official client", redirect_uris=[AnyUrl(REDIRECT_URI)])
    provider = OAuthClientProvider(mcp_url, metadata, kept, open_browser, wait_for_answer, client_metadata_url=document)
    async with (
        httpx2.AsyncClient(auth=provider, timeout=30, trust_env=False) as http,
        Client(streamable_http_client(mcp_url, http_client=http), mode="auto", elicitation_callback=asked) as client,
    ):
        yield client, provider.context


async def tools(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}
