"""CodeExchange: the fake issuer and the HTTP adapter give ID tokens for codes, and refuse in the same way."""

import base64
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from urllib.parse import parse_qs

import httpx2
import pytest

from mcp_frontend.adapters.code_exchange import HttpCodeExchange
from mcp_frontend.oauth.ports import CodeExchange, CodeRefused, IssuerUnavailable
from tests.support.http_peer import HttpPeer, serve
from tests.support.issuer import FakeIssuer

REDIRECT_URI = "https://mcp.example/signed-in"


@dataclass(frozen=True, slots=True)
class Stage:
    codes: CodeExchange
    token_url: str
    refuse: Callable[[], None]
    go_down: Callable[[], None]


@pytest.fixture
async def peer() -> AsyncIterator[HttpPeer]:
    async with serve(HttpPeer(body=json.dumps({"id_token": "the.id.token"}).encode())) as peer:
        yield peer


@pytest.fixture
async def client() -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(trust_env=False) as client:
        yield client


@pytest.fixture(params=["fake", "http"])
def stage(request: pytest.FixtureRequest, peer: HttpPeer, client: httpx2.AsyncClient) -> Stage:
    def answer(status: int, body: bytes) -> None:
        peer.status, peer.body = status, body

    if request.param == "http":
        return Stage(
            HttpCodeExchange(client, "kadu-pages", None, REDIRECT_URI),
            f"{peer.url}/token",
            lambda: answer(400, b'{"error": "invalid_grant"}'),
            lambda: answer(503, b"busy"),
        )
    issuer = FakeIssuer()
    issuer.id_tokens[("code-1", "verifier-1")] = "the.id.token"

    def go_down() -> None:
        issuer.is_down = True

    return Stage(issuer, "https://issuer.example/token", issuer.id_tokens.clear, go_down)


async def test_a_code_becomes_an_id_token(stage: Stage) -> None:
    assert await stage.codes.redeem(stage.token_url, "code-1", "verifier-1") == "the.id.token"


async def test_a_code_that_the_issuer_refuses_is_refused(stage: Stage) -> None:
    stage.refuse()
    with pytest.raises(CodeRefused, match="invalid_grant"):
        await stage.codes.redeem(stage.token_url, "code-1", "verifier-1")


async def test_an_issuer_that_is_down_can_be_asked_again(stage: Stage) -> None:
    stage.go_down()
    with pytest.raises(IssuerUnavailable):
        await stage.codes.redeem(stage.token_url, "code-1", "verifier-1")


async def test_a_client_without_a_secret_names_itself_in_the_form(peer: HttpPeer, client: httpx2.AsyncClient) -> None:
    await HttpCodeExchange(client, "kadu-pages", None, REDIRECT_URI).redeem(f"{peer.url}/token", "c&d", "v=1")
    [message] = peer.messages
    head, _, body = message.partition(b"\r\n\r\n")
    assert head.startswith(b"POST /token HTTP/1.1")
    assert b"authorization" not in head.lower()
    assert parse_qs(body.decode()) == {
        "grant_type": ["authorization_code"],
        "code": ["c&d"],
        "redirect_uri": [REDIRECT_URI],
        "code_verifier": ["v=1"],
        "client_id": ["kadu-pages"],
    }


async def test_a_client_with_a_secret_authenticates_itself(peer: HttpPeer, client: httpx2.AsyncClient) -> None:
    await HttpCodeExchange(client, "kadu pages", "a:b/c", REDIRECT_URI).redeem(f"{peer.url}/token", "c", "v")
    [message] = peer.messages
    # RFC 6749 2.3.1: both parts are form-encoded first.
    assert base64.b64encode(b"kadu%20pages:a%3Ab%2Fc") in message
    assert b"client_id" not in message


@pytest.mark.parametrize(
    ("status", "body"),
    [(200, b""), (200, b"[]"), (200, b"{}"), (200, b'{"id_token": 7}'), (302, b"{}"), (401, b"<html>"), (200, b"\xff")],
)
async def test_what_is_no_id_token_is_refused(
    peer: HttpPeer, client: httpx2.AsyncClient, status: int, body: bytes
) -> None:
    peer.status, peer.body = status, body
    with pytest.raises(CodeRefused):
        await HttpCodeExchange(client, "kadu-pages", None, REDIRECT_URI).redeem(f"{peer.url}/token", "c", "v")


async def test_an_issuer_that_nobody_can_reach_can_be_asked_again(client: httpx2.AsyncClient) -> None:
    with pytest.raises(IssuerUnavailable):
        await HttpCodeExchange(client, "kadu-pages", None, REDIRECT_URI).redeem("http://127.0.0.1:9/token", "c", "v")
