"""IssuerSource: the fake issuer and the HTTP adapter say the same of it; and what the adapter does not believe."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import httpx2
import pytest

from mcp_frontend.adapters.issuer_metadata import WELL_KNOWN_PATH, DiscoveredIssuer
from mcp_frontend.oauth.ports import IssuerSource, IssuerUnavailable
from tests.support.clock import FakeClock
from tests.support.http_peer import HttpPeer, serve
from tests.support.issuer import ISSUER, FakeIssuer

DOCUMENT: dict[str, Any] = {
    "issuer": ISSUER,
    "authorization_endpoint": f"{ISSUER}/authorize",
    "token_endpoint": f"{ISSUER}/token",
    "jwks_uri": f"{ISSUER}/keys",
    "account_management_uri": f"{ISSUER}/account",
}


@pytest.fixture
async def peer() -> AsyncIterator[HttpPeer]:
    async with serve(HttpPeer()) as peer:
        yield peer


@pytest.fixture
async def client() -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(trust_env=False) as client:
        yield client


def discovered(peer: HttpPeer, client: httpx2.AsyncClient, named: str = ISSUER, **said: Any) -> DiscoveredIssuer:
    """An issuer that lives at the peer, whatever it calls itself."""
    kept = {name: value for name, value in {**DOCUMENT, **said}.items() if value is not ...}
    peer.body = json.dumps(kept).encode()
    return DiscoveredIssuer(named, peer.url, client, FakeClock())


@pytest.fixture(params=["fake", "http"])
async def source(request: pytest.FixtureRequest) -> AsyncIterator[IssuerSource]:
    async with AsyncExitStack() as stack:
        if request.param == "fake":
            yield FakeIssuer()
            return
        peer = await stack.enter_async_context(serve(HttpPeer()))
        client = await stack.enter_async_context(httpx2.AsyncClient(trust_env=False))
        yield discovered(peer, client)


async def test_browsers_are_sent_to_the_public_url_and_each_place_is_known(source: IssuerSource) -> None:
    metadata = await source.metadata()
    assert metadata.authorization_url == f"{ISSUER}/authorize"
    assert metadata.account_url == f"{ISSUER}/account"
    assert metadata.end_session_url is None
    assert not metadata.sends_issuer
    assert json.loads(metadata.document)["issuer"] == ISSUER


async def test_this_process_reaches_the_issuer_by_its_own_way(peer: HttpPeer, client: httpx2.AsyncClient) -> None:
    metadata = await discovered(peer, client).metadata()
    assert peer.requests == [f"GET {WELL_KNOWN_PATH} HTTP/1.1"]
    assert (metadata.token_url, metadata.keys_url) == (f"{peer.url}/token", f"{peer.url}/keys")


async def test_what_lies_elsewhere_stays_there(peer: HttpPeer, client: httpx2.AsyncClient) -> None:
    keys = "https://issuer.example.attacker.example/keys"
    assert (await discovered(peer, client, jwks_uri=keys).metadata()).keys_url == keys


async def test_a_trailing_slash_is_part_of_the_name(peer: HttpPeer, client: httpx2.AsyncClient) -> None:
    metadata = await discovered(peer, client, f"{ISSUER}/", issuer=f"{ISSUER}/").metadata()
    assert metadata.token_url == f"{peer.url}/token"
    with pytest.raises(IssuerUnavailable):
        await discovered(peer, client, f"{ISSUER}/").metadata()


@pytest.mark.parametrize(
    "said",
    [
        {"issuer": "https://other.example"},
        {"issuer": ...},
        {"authorization_endpoint": ...},
        {"token_endpoint": 7},
        {"jwks_uri": "file:///etc/passwd"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"account_management_uri": "javascript:alert(1)"},
        {"end_session_endpoint": "javascript:alert(1)"},
    ],
)
async def test_a_document_that_cannot_be_believed_is_none(
    peer: HttpPeer, client: httpx2.AsyncClient, said: dict[str, Any]
) -> None:
    with pytest.raises(IssuerUnavailable):
        await discovered(peer, client, **said).metadata()


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"<html>", b"\xff"])
async def test_what_is_no_document_is_none(peer: HttpPeer, client: httpx2.AsyncClient, body: bytes) -> None:
    issuer = discovered(peer, client)
    peer.body = body
    with pytest.raises(IssuerUnavailable):
        await issuer.metadata()
