"""The guarded client against real servers on loopback: whom it connects to, whom it does not, and whose name it checks.

Addresses of other networks are given by resolvers of the test, and never connected to.
"""

import asyncio
from collections.abc import Iterable, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpcore2
import httpx2
import pytest

from tests.support.gated_peer import LOOPBACK, Names, Peer, reply, serve
from tests.support.tls import authority
from tool_service.adapters.guarded_http import AddressRefused, Resolve, guarded_client, resolve_name

NAME = "client.example"
INTERNET = "8.8.8.8"
SPELLINGS_OF_LOOPBACK = (LOOPBACK, "localhost", "[::1]", "2130706433", "0x7f.1")
OTHER_WAYS_HOME = ("0.0.0.0", "0", "[::]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::127.0.0.1]")


class Network(httpcore2.AsyncMockBackend):
    """Notes who would have been connected to, and plays a server that says 204."""

    def __init__(self) -> None:
        super().__init__([reply(204, Connection="close")])
        self.connected: list[str] = []

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (the library's signature)
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        self.connected.append(host)
        return await super().connect_tcp(host, port, timeout, local_address, socket_options)


@pytest.mark.parametrize("host", [*SPELLINGS_OF_LOOPBACK, *OTHER_WAYS_HOME])
async def test_no_connection_is_made_to_our_own_machine_however_it_is_spelled(host: str) -> None:
    hosts = (LOOPBACK, "::1")
    async with serve(Peer(), hosts=hosts) as peer, guarded_client() as client:
        with pytest.raises(AddressRefused):
            await client.get(f"http://{host}:{peer.port}/")
        # Connections are taken up in the order in which they came: one before these would have been counted.
        for each in hosts:
            _, writer = await asyncio.open_connection(each, peer.port)
            writer.write(b"GET /counted HTTP/1.1\r\n\r\n")
            assert (await peer.arrivals.get()).startswith("GET /counted")
            writer.close()
            await writer.wait_closed()
        assert peer.connections == len(hosts)


@pytest.mark.parametrize("host", SPELLINGS_OF_LOOPBACK)
async def test_where_loopback_is_allowed_every_spelling_of_it_is_reached(host: str) -> None:
    async with serve(Peer(), hosts=(LOOPBACK, "::1")) as peer, guarded_client(allow_loopback=True) as client:
        assert (await client.get(f"http://{host}:{peer.port}/")).status_code == 200


@pytest.mark.parametrize("address", ["10.0.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "fd00::1", "fe80::1%1"])
async def test_where_loopback_is_allowed_nothing_else_of_ours_is(address: str) -> None:
    network = Network()
    async with guarded_client(allow_loopback=True, resolve=Names([[address]]), network=network) as client:
        with pytest.raises(AddressRefused):
            await client.get(f"http://{NAME}/")
    assert network.connected == []


async def test_a_name_is_resolved_once_and_the_judged_address_is_what_is_connected() -> None:
    names, network = Names([[INTERNET], [LOOPBACK]]), Network()
    async with guarded_client(resolve=names, network=network) as client:
        assert (await client.get(f"http://{NAME}/")).status_code == 204
        assert (names.asked, network.connected) == ([NAME], [INTERNET])
        with pytest.raises(AddressRefused):
            await client.get(f"http://{NAME}/")
    assert (names.asked, network.connected) == ([NAME, NAME], [INTERNET])


@pytest.mark.parametrize("answer", [[INTERNET, "10.0.0.1"], ["::1", INTERNET], [INTERNET, "::ffff:10.0.0.1"]])
async def test_one_address_of_ours_among_those_of_a_name_condemns_the_name(answer: list[str]) -> None:
    network = Network()
    async with guarded_client(resolve=Names([answer]), network=network) as client:
        with pytest.raises(AddressRefused):
            await client.get(f"http://{NAME}/")
    assert network.connected == []


async def test_a_kept_connection_is_used_again_without_asking_for_the_name() -> None:
    names = Names([[LOOPBACK], ["10.0.0.1"]])
    async with serve(Peer()) as peer, guarded_client(allow_loopback=True, resolve=names) as client:
        for _ in range(2):
            await client.get(f"http://{NAME}:{peer.port}/")
        assert (len(peer.heads), peer.connections, names.asked) == (2, 1, [NAME])


@pytest.mark.parametrize("answer", [["::1", LOOPBACK], [LOOPBACK, "::1"]])
async def test_one_address_that_answers_is_enough_wherever_it_stands_among_those_of_a_name(answer: list[str]) -> None:
    names = Names([answer])
    async with serve(Peer()) as peer, guarded_client(allow_loopback=True, resolve=names) as client:
        assert (await client.get(f"http://{NAME}:{peer.port}/")).status_code == 200


async def test_when_no_address_answers_it_is_a_connection_error() -> None:
    async with serve(Peer()) as peer:
        gone = peer.port
    async with guarded_client(allow_loopback=True, resolve=Names([[LOOPBACK]])) as client:
        with pytest.raises(httpx2.ConnectError):
            await client.get(f"http://{NAME}:{gone}/")


@pytest.mark.parametrize("answer", [[], ["no address"]])
async def test_a_name_without_an_address_is_a_connection_error(answer: list[str]) -> None:
    async with guarded_client(resolve=Names([answer])) as client:
        with pytest.raises(httpx2.ConnectError):
            await client.get(f"http://{NAME}/")


async def test_what_cannot_be_a_name_is_a_connection_error() -> None:
    async with guarded_client() as client:
        with pytest.raises(httpx2.ConnectError):
            await client.get(f"http://{'a' * 64}.example/")


async def test_a_resolver_that_says_nothing_is_a_time_out() -> None:
    async def silent(host: str, port: int) -> Sequence[str]:
        return await asyncio.Future[Sequence[str]]()

    async with guarded_client(resolve=silent, timeout_seconds=0.05) as client:
        with pytest.raises(httpx2.ConnectTimeout):
            await client.get(f"http://{NAME}/")


async def test_a_redirect_is_an_answer_and_not_followed() -> None:
    async with serve(Peer()) as inner, guarded_client(allow_loopback=True) as client:
        outer = Peer(reply(302, Location=f"http://{LOOPBACK}:{inner.port}/"))
        async with serve(outer):
            answer = await client.get(f"http://{LOOPBACK}:{outer.port}/")
            await client.aclose()
        assert (answer.status_code, inner.connections) == (302, 0)


async def test_a_proxy_of_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serve(Peer()) as proxy, serve(Peer()) as peer:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://{LOOPBACK}:{proxy.port}")
            monkeypatch.setenv(name.lower(), f"http://{LOOPBACK}:{proxy.port}")
        async with guarded_client(allow_loopback=True) as client:
            await client.get(f"http://{LOOPBACK}:{peer.port}/")
        assert (proxy.connections, peer.connections) == (0, 1)


async def test_a_cookie_is_neither_kept_nor_sent() -> None:
    async with serve(Peer(reply(Set_Cookie="visitor=1"))) as peer, guarded_client(allow_loopback=True) as client:
        for _ in range(2):
            await client.get(f"http://{LOOPBACK}:{peer.port}/")
        assert not any("visitor" in head for head in peer.heads)
        assert list(client.cookies.jar) == []


async def test_tls_asks_for_the_name_and_not_for_the_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trusted, tls = authority(tmp_path, NAME)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    names = Names([[LOOPBACK]])
    async with serve(Peer(), tls) as peer, guarded_client(allow_loopback=True, resolve=names) as client:
        assert (await client.get(f"https://{NAME}:{peer.port}/")).status_code == 200
        with pytest.raises(httpx2.ConnectError, match=r"certificate is not valid for 'other\.example'"):
            await client.get(f"https://other.example:{peer.port}/")
        assert (peer.server_names, len(peer.heads)) == ([NAME, "other.example"], 1)


async def test_a_certificate_of_an_authority_that_nobody_trusts_is_refused(tmp_path: Path) -> None:
    _, tls = authority(tmp_path, NAME)
    names = Names([[LOOPBACK]])
    async with serve(Peer(), tls) as peer, guarded_client(allow_loopback=True, resolve=names) as client:
        with pytest.raises(httpx2.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
            await client.get(f"https://{NAME}:{peer.port}/")
        assert peer.heads == []


async def test_the_library_still_keeps_its_pool_where_the_guard_is_put() -> None:
    async with guarded_client() as client:
        transport: Any = client._transport
        assert isinstance(transport, httpx2.AsyncHTTPTransport)
        pool: Any = transport._pool
        assert isinstance(pool, httpcore2.AsyncConnectionPool)
        # Ours stands in the place of the library's own, not beside it.
        assert isinstance(vars(httpcore2.AsyncConnectionPool())["_network_backend"], httpcore2.AsyncNetworkBackend)
        with pytest.raises(AddressRefused):
            await pool._network_backend.connect_unix_socket("any.socket")


async def test_every_address_of_a_name_is_found() -> None:
    resolve: Resolve = resolve_name
    assert LOOPBACK in await resolve("localhost", 80)
    assert [ip_address(text) for text in await resolve("::1", 80)] == [ip_address("::1")]
