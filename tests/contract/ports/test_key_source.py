"""KeySource: the fake issuer and the HTTP adapter give the same keys; and how the adapter spares the issuer."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

import httpx2
import pytest
from joserfc.jwk import ECKey, OctKey, RSAKey

from mcp_frontend.adapters.fetched_document import (
    COOLDOWN_SECONDS,
    COOLDOWN_WITHOUT_DOCUMENT_SECONDS,
    FRESH_SECONDS,
    LIMIT_BYTES,
    STALE_SECONDS,
    FindUrl,
)
from mcp_frontend.adapters.issuer_keys import IssuerKeys
from mcp_frontend.oauth.ports import IssuerUnavailable, KeySource
from tests.support.clock import FakeClock
from tests.support.http_peer import HttpPeer, serve
from tests.support.issuer import FakeIssuer


@dataclass(frozen=True, slots=True)
class Stage:
    """Keys read over HTTP from a peer that publishes those of the issuer."""

    keys: IssuerKeys
    peer: HttpPeer
    issuer: FakeIssuer
    clock: FakeClock

    def publish(self, *keys: ECKey | RSAKey | OctKey) -> None:
        self.peer.body = json.dumps({"keys": [key.as_dict() for key in keys]}).encode()


def _always(url: str) -> FindUrl:
    async def find_url() -> str:
        return url

    return find_url


@asynccontextmanager
async def _http() -> AsyncGenerator[Stage]:
    issuer, clock = FakeIssuer(), FakeClock()
    peer = HttpPeer(body=json.dumps(issuer.public_set()).encode())
    async with serve(peer), httpx2.AsyncClient(trust_env=False) as client:
        yield Stage(IssuerKeys(_always(f"{peer.url}/keys"), client, clock), peer, issuer, clock)


@pytest.fixture
async def http() -> AsyncIterator[Stage]:
    async with _http() as stage:
        yield stage


@pytest.fixture(params=["fake", "http"])
async def source(request: pytest.FixtureRequest) -> AsyncIterator[tuple[KeySource, FakeIssuer]]:
    if request.param == "fake":
        issuer = FakeIssuer()
        yield issuer, issuer
    else:
        async with _http() as stage:
            yield stage.keys, stage.issuer


async def test_a_known_key_is_found_without_its_private_half(source: tuple[KeySource, FakeIssuer]) -> None:
    keys, issuer = source
    found = await keys.find("first")
    assert found is not None
    assert found.key.as_dict() == issuer.key.as_dict(private=False)
    assert not found.key.is_private
    assert found.algorithms == {"ES256"}


async def test_an_unknown_key_is_none(source: tuple[KeySource, FakeIssuer]) -> None:
    assert await source[0].find("second") is None


async def test_forty_who_wait_share_one_fetch(http: Stage) -> None:
    found = await asyncio.gather(*(http.keys.find("first") for _ in range(40)))
    assert None not in found
    assert http.peer.requests == ["GET /keys HTTP/1.1"]


async def test_made_up_key_ids_do_not_reach_the_issuer_within_the_cooldown(http: Stage) -> None:
    await http.keys.find("first")
    http.clock.advance(timedelta(seconds=COOLDOWN_SECONDS - 1))
    assert [await http.keys.find(f"made-up-{number}") for number in range(100)] == [None] * 100
    assert len(http.peer.requests) == 1


async def test_a_new_key_is_found_once_the_cooldown_is_over(http: Stage) -> None:
    await http.keys.find("first")
    http.publish(http.issuer.key, ECKey.generate_key("P-256", {"kid": "second"}, private=False))
    http.clock.advance(timedelta(seconds=COOLDOWN_SECONDS))
    assert await http.keys.find("second") is not None


async def test_a_withdrawn_key_is_gone_when_the_keys_are_no_longer_fresh(http: Stage) -> None:
    await http.keys.find("first")
    http.publish(ECKey.generate_key("P-256", {"kid": "second"}, private=False))
    http.clock.advance(timedelta(seconds=FRESH_SECONDS - 1))
    assert await http.keys.find("first") is not None
    http.clock.advance(timedelta(seconds=1))
    assert await http.keys.find("first") is None


async def test_the_last_keys_serve_for_a_day_while_the_issuer_is_down(http: Stage) -> None:
    await http.keys.find("first")
    http.peer.status = 503
    http.clock.advance(timedelta(seconds=STALE_SECONDS - 1))
    assert await http.keys.find("first") is not None
    http.clock.advance(timedelta(seconds=1))
    with pytest.raises(IssuerUnavailable):
        await http.keys.find("first")


async def test_keys_that_were_never_read_are_unavailable_until_they_are(http: Stage) -> None:
    http.peer.status = 503
    with pytest.raises(IssuerUnavailable):
        await http.keys.find("first")
    http.peer.status = 200
    http.clock.advance(timedelta(seconds=COOLDOWN_WITHOUT_DOCUMENT_SECONDS))
    assert await http.keys.find("first") is not None


async def test_a_missing_issuer_is_not_asked_by_every_request(http: Stage) -> None:
    http.peer.status = 503
    for _ in range(10):
        with pytest.raises(IssuerUnavailable):
            await http.keys.find("first")
    assert len(http.peer.requests) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no JSON",
        b"[]",
        b'{"keys": {}}',
        b'{"keys": []}',
        b'{"keys": ["x", 7, null]}',
        b'{"keys": [{"kty": "EC", "crv": "P-256", "kid": "first", "x": "AA", "y": "AA"}]}',
        b'{"keys": []' + b" " * LIMIT_BYTES + b"}",
    ],
    ids=["empty", "no JSON", "a list", "an object", "none", "no keys", "no point of the curve", "too large"],
)
async def test_an_answer_that_is_no_key_set_is_no_answer(http: Stage, body: bytes) -> None:
    http.peer.body = body
    with pytest.raises(IssuerUnavailable):
        await http.keys.find("first")


async def test_a_redirect_is_not_followed(http: Stage) -> None:
    http.peer.status, http.peer.location = 302, f"{http.peer.url}/elsewhere"
    with pytest.raises(IssuerUnavailable):
        await http.keys.find("first")
    assert len(http.peer.requests) == 1


async def test_keys_for_other_uses_and_of_other_kinds_are_left_aside(http: Stage) -> None:
    http.publish(
        ECKey.generate_key("P-256", {"kid": "enc", "use": "enc"}, private=False),
        ECKey.generate_key("secp256k1", {"kid": "k1"}, private=False),
        RSAKey.generate_key(2048, {"kid": "said-es", "alg": "ES256"}, private=False),
        OctKey.generate_key(256, {"kid": "oct"}),
        http.issuer.key,
    )
    found = {key_id: await http.keys.find(key_id) is not None for key_id in ("enc", "k1", "said-es", "oct", "first")}
    assert found == {"enc": False, "k1": False, "said-es": False, "oct": False, "first": True}


async def test_whoever_hangs_up_takes_the_fetch_from_nobody(http: Stage) -> None:
    http.peer.open.clear()
    first, second = (asyncio.create_task(http.keys.find("first")) for _ in range(2))
    async with asyncio.timeout(10):
        await http.peer.asked.wait()
    first.cancel()
    http.peer.open.set()
    assert await second is not None
    assert len(http.peer.requests) == 1


async def test_an_issuer_that_nobody_can_reach_is_unavailable() -> None:
    peer = HttpPeer()
    async with serve(peer):
        pass
    async with httpx2.AsyncClient(trust_env=False) as client:
        with pytest.raises(IssuerUnavailable):
            await IssuerKeys(_always(f"{peer.url}/keys"), client, FakeClock()).find("first")
