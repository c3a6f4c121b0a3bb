"""Metadata documents of clients, fetched over real TLS on loopback: what is taken, what is refused, and why."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import pytest

from tests.support.gated_peer import LOOPBACK, Names, Peer, reply, serve
from tests.support.tls import authority
from tool_service.adapters.client_documents import (
    LIMIT_BYTES,
    HttpClientDocuments,
    fresh_seconds,
    open_client_documents,
)
from tool_service.adapters.guarded_http import guarded_client
from tool_service.authorization_server.ports import ClientDocument, ClientDocumentRefused

NAME = "client.example"
BODY = b'{"client_name": "A program"}'
TOO_SHORT_SECONDS = 0.1


def document(body: bytes = BODY, content_type: str = "application/json", **headers: str) -> bytes:
    return reply(200, body, Content_Type=content_type, **headers)


@dataclass(slots=True)
class Home:
    """The server of a client, under a name, and what fetches from there."""

    tls: ssl.SSLContext
    peer: Peer = field(default_factory=lambda: Peer(document()))
    names: Names = field(default_factory=lambda: Names([[LOOPBACK]]))

    def url(self, path: str = "/client.json", name: str = NAME) -> str:
        return f"https://{name}:{self.peer.port}{path}"


@pytest.fixture
def tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """For a server whose certificate is trusted, and is for NAME."""
    trusted, context = authority(tmp_path, NAME)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    return context


@pytest.fixture
async def home(tls: ssl.SSLContext) -> AsyncGenerator[Home]:
    home = Home(tls)
    async with serve(home.peer, tls):
        yield home


@pytest.fixture
async def client(home: Home) -> AsyncGenerator[httpx2.AsyncClient]:
    async with guarded_client(allow_loopback=True, resolve=home.names) as client:
        yield client


@pytest.fixture
def documents(client: httpx2.AsyncClient) -> HttpClientDocuments:
    return HttpClientDocuments(client)


async def refusal(documents: HttpClientDocuments, url: str) -> tuple[str, bool]:
    """The reason, and whether it is temporary."""
    with pytest.raises(ClientDocumentRefused) as refused:
        await documents.fetch(url)
    assert refused.value.reason.isascii()
    assert refused.value.reason.isprintable()
    return refused.value.reason, refused.value.is_temporary


async def test_a_document_comes_as_it_is_with_the_time_for_which_it_may_be_kept(
    home: Home, documents: HttpClientDocuments
) -> None:
    home.peer.answer = document(Cache_Control="public, max-age=60")
    assert await documents.fetch(home.url("/a/client.json?v=2")) == ClientDocument(BODY, 60)
    request, *headers = home.peer.heads[0].splitlines()
    assert request == "GET /a/client.json?v=2 HTTP/1.1"
    assert {"Accept: application/json", "Accept-Encoding: identity", f"Host: {NAME}:{home.peer.port}"} <= {*headers}


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ({}, 300),
        ({"Cache-Control": "public"}, 300),
        ({"Cache-Control": "s-maxage=60"}, 300),
        ({"Cache-Control": "max-age=0"}, 0),
        ({"Cache-Control": "Public , Max-Age = 60"}, 60),
        ({"Cache-Control": 'max-age="60"'}, 60),
        ({"Cache-Control": "max-age=86400"}, 86_400),
        ({"Cache-Control": "max-age=86401"}, 86_400),
        ({"Cache-Control": "max-age=" + "9" * 5000}, 86_400),
        ({"Cache-Control": "max-age=-1"}, 0),
        ({"Cache-Control": "max-age=soon"}, 0),
        ({"Cache-Control": "max-age"}, 0),
        ({"Cache-Control": "max-age=60, no-store"}, 0),
        ({"Cache-Control": "no-cache, max-age=60"}, 0),
    ],
)
def test_a_document_is_fresh_for_as_long_as_its_server_says_and_a_day_at_most(
    said: dict[str, str], seconds: int
) -> None:
    assert fresh_seconds(httpx2.Headers(said)) == seconds


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "application/json; charset=utf-8", "Application/JSON", "application/client+json;v=1"],
)
async def test_every_json_is_taken(content_type: str, home: Home, documents: HttpClientDocuments) -> None:
    home.peer.answer = document(content_type=content_type)
    assert (await documents.fetch(home.url())).body == BODY


@pytest.mark.parametrize(
    "content_type", ["", "text/html", "text/json", "application/jsonp", "application/json, text/html", "image/svg+xml"]
)
async def test_what_does_not_call_itself_json_is_refused(
    content_type: str, home: Home, documents: HttpClientDocuments
) -> None:
    home.peer.answer = document(content_type=content_type)
    assert await refusal(documents, home.url()) == ("it is not application/json", False)


@pytest.mark.parametrize(
    ("status", "reason", "is_temporary"),
    [
        (201, "it answered 201", False),
        (204, "it answered 204", False),
        (301, "it redirects", False),
        (307, "it redirects", False),
        (404, "it answered 404", False),
        (500, "it answered 500", True),
        (503, "it answered 503", True),
    ],
)
async def test_any_status_but_200_is_a_refusal(
    status: int, reason: str, is_temporary: bool, home: Home, documents: HttpClientDocuments
) -> None:
    home.peer.answer = reply(status, Content_Type="application/json", Location=home.url("/other.json"))
    assert await refusal(documents, home.url()) == (reason, is_temporary)
    assert len(home.peer.heads) == 1


async def test_a_document_of_64_kib_is_taken_and_one_byte_more_is_not(
    home: Home, documents: HttpClientDocuments
) -> None:
    home.peer.answer = document(b" " * LIMIT_BYTES)
    assert len((await documents.fetch(home.url())).body) == 64 * 1024
    home.peer.answer = document(b" " * (LIMIT_BYTES + 1))
    assert await refusal(documents, home.url()) == ("it is larger than 64 KiB", False)


async def test_a_document_without_end_is_left_at_the_limit(home: Home, documents: HttpClientDocuments) -> None:
    # Its last chunk never comes, so whoever reads on would read until the deadline.
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    home.peer.answer = head + b"4000\r\n" + b" " * 0x4000 + (b"\r\n4000\r\n" + b" " * 0x4000) * 4
    assert await refusal(documents, home.url()) == ("it is larger than 64 KiB", False)


@pytest.mark.parametrize("coding", ["gzip", "br", "identity, gzip"])
async def test_a_compressed_document_is_refused_and_not_unpacked(
    coding: str, home: Home, documents: HttpClientDocuments
) -> None:
    home.peer.answer = document(b"\x1f\x8b any", Content_Encoding=coding)
    assert await refusal(documents, home.url()) == ("it is compressed, though that was not asked for", False)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (f"http://{NAME}/client.json", "its URL must be https, without user name and fragment"),
        ("file:///client.json", "its URL must be https, without user name and fragment"),
        ("https:///client.json", "its URL must be https, without user name and fragment"),
        (f"https://{NAME}/client.json#", "its URL must be https, without user name and fragment"),
        (f"https://{NAME}/client.json#part", "its URL must be https, without user name and fragment"),
        (f"https://somebody@{NAME}/client.json", "its URL must be https, without user name and fragment"),
        (f"https://@{NAME}/client.json", "its URL must be https, without user name and fragment"),
        (f"https://{NAME}", "its URL must have a path, without dot segments"),
        (f"https://{NAME}/", "its URL must have a path, without dot segments"),
        (f"https://{NAME}?client.json", "its URL must have a path, without dot segments"),
        (f"https://{NAME}/./client.json", "its URL must have a path, without dot segments"),
        (f"https://{NAME}/a/..", "its URL must have a path, without dot segments"),
        (f"https://{NAME}/a/%2e%2E/client.json", "its URL must have a path, without dot segments"),
        (f"https://{NAME}/a/.%2e/client.json", "its URL must have a path, without dot segments"),
        (f"https://{NAME}/client json", "its URL has more than 1000 or odd characters"),
        (f"https://{NAME}\\@other.example/client.json", "its URL has more than 1000 or odd characters"),
        (f"https://{NAME}/cli\nent.json", "its URL has more than 1000 or odd characters"),
        ("https://cliënt.example/client.json", "its URL has more than 1000 or odd characters"),
        (f"https://{NAME}/{'a' * 1000}", "its URL has more than 1000 or odd characters"),
        (f"https://{NAME}:port/client.json", "its URL is malformed"),
        (f"https://{NAME}:65536/client.json", "its URL is malformed"),
        ("https://[::1/client.json", "its URL is malformed"),
        ("https://0177.0.0.1/client.json", "its URL is malformed"),
        ("", "its URL must be https, without user name and fragment"),
    ],
)
async def test_an_unfit_url_is_refused_without_asking_for_its_name(
    url: str, reason: str, home: Home, documents: HttpClientDocuments
) -> None:
    assert await refusal(documents, url) == (reason, False)
    assert home.names.asked == []


async def test_dots_that_are_no_segment_are_part_of_a_name(home: Home, documents: HttpClientDocuments) -> None:
    assert (await documents.fetch(home.url("/.well-known/..client/v1.0.json"))).body == BODY


async def test_an_address_that_is_not_public_is_refused_for_good(home: Home, documents: HttpClientDocuments) -> None:
    home.names.answers = [["10.0.0.1"]]
    assert await refusal(documents, home.url()) == ("its address is not public", False)


async def test_loopback_is_refused_unless_development_allows_it(home: Home) -> None:
    url = home.url(name=LOOPBACK)
    async with open_client_documents(allow_loopback=False) as documents:
        assert await refusal(documents, url) == ("its address is not public", False)
    assert home.peer.server_names == []
    async with open_client_documents(allow_loopback=True) as documents:
        assert await refusal(documents, url) == ("its certificate is not trusted or not for that name", False)


async def test_a_certificate_for_another_name_is_refused(home: Home, documents: HttpClientDocuments) -> None:
    url = home.url(name="other.example")
    assert await refusal(documents, url) == ("its certificate is not trusted or not for that name", False)
    assert home.peer.heads == []


async def test_a_name_that_does_not_exist_is_refused_for_now(home: Home) -> None:
    # Too long for a part of a name (RFC 1035 2.3.4), so nobody is asked.
    async with open_client_documents(allow_loopback=True) as documents:
        assert await refusal(documents, home.url(name=f"{'a' * 64}.example")) == ("its host name is unknown", True)


async def test_a_server_that_is_gone_is_a_refusal_for_now(tls: ssl.SSLContext) -> None:
    home = Home(tls)
    async with serve(home.peer):
        pass
    async with guarded_client(allow_loopback=True, resolve=home.names) as client:
        reason = await refusal(HttpClientDocuments(client), home.url())
    assert reason == ("its server cannot be reached", True)


@pytest.mark.parametrize("answer", [b"no HTTP\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"])
async def test_a_server_that_does_not_speak_http_is_a_refusal_for_now(
    answer: bytes, home: Home, documents: HttpClientDocuments
) -> None:
    home.peer.answer = answer
    assert await refusal(documents, home.url()) == ("its server broke off", True)


@pytest.mark.parametrize(
    "answer", [b"", b"HTTP/1.1 200 OK\r\nX-", document()[:-1]], ids=["at all", "its head", "its end"]
)
async def test_an_answer_that_does_not_come_is_a_refusal_for_now(
    answer: bytes, home: Home, client: httpx2.AsyncClient
) -> None:
    home.peer.answer = answer
    documents = HttpClientDocuments(client, deadline_seconds=TOO_SHORT_SECONDS)
    assert await refusal(documents, home.url()) == ("it did not answer in time", True)


async def test_a_handshake_that_does_not_end_is_a_refusal_for_now(tls: ssl.SSLContext) -> None:
    home = Home(tls)
    async with serve(home.peer), guarded_client(allow_loopback=True, resolve=home.names) as client:
        documents = HttpClientDocuments(client, deadline_seconds=TOO_SHORT_SECONDS)
        assert await refusal(documents, home.url()) == ("it did not answer in time", True)
        # The connection is closed, while the client is not, and so the server's end of it comes to its end.
        await asyncio.gather(*home.peer.busy)


async def test_a_name_that_is_resolved_too_slowly_is_a_refusal_for_now() -> None:
    async def silent(host: str, port: int) -> Sequence[str]:
        return await asyncio.Future[Sequence[str]]()

    async with guarded_client(resolve=silent) as client:
        documents = HttpClientDocuments(client, deadline_seconds=TOO_SHORT_SECONDS)
        assert await refusal(documents, f"https://{NAME}/client.json") == ("it did not answer in time", True)


async def test_those_who_want_one_document_at_the_same_time_share_one_request(
    home: Home, documents: HttpClientDocuments
) -> None:
    home.peer.gate = asyncio.Semaphore(0)
    waiting = [asyncio.create_task(documents.fetch(home.url())) for _ in range(5)]
    await home.peer.arrivals.get()
    home.peer.gate.release()
    assert await asyncio.gather(*waiting) == [ClientDocument(BODY, 300)] * 5
    assert len(home.peer.heads) == 1


async def test_the_next_one_after_them_asks_again(home: Home, documents: HttpClientDocuments) -> None:
    for _ in range(2):
        await documents.fetch(home.url())
    assert len(home.peer.heads) == 2


async def test_a_shared_refusal_is_everybody_s_and_ends_with_them(home: Home, documents: HttpClientDocuments) -> None:
    home.peer.answer, good = reply(503), home.peer.answer
    refusals = await asyncio.gather(*(refusal(documents, home.url()) for _ in range(3)))
    assert refusals == [("it answered 503", True)] * 3
    assert len(home.peer.heads) == 1
    home.peer.answer = good
    assert (await documents.fetch(home.url())).body == BODY


async def test_who_gives_up_does_not_take_the_document_from_the_others(
    home: Home, documents: HttpClientDocuments
) -> None:
    home.peer.gate = asyncio.Semaphore(0)
    first, second = (asyncio.create_task(documents.fetch(home.url())) for _ in range(2))
    await home.peer.arrivals.get()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    home.peer.gate.release()
    assert (await second).body == BODY
    assert len(home.peer.heads) == 1


async def test_sixteen_are_fetched_at_once_and_the_next_waits_for_its_turn(
    home: Home, documents: HttpClientDocuments
) -> None:
    home.peer.gate = asyncio.Semaphore(0)
    waiting = [asyncio.create_task(documents.fetch(home.url(f"/{number}.json"))) for number in range(17)]
    for _ in range(16):
        await home.peer.arrivals.get()
    assert home.peer.arrivals.empty()
    home.peer.gate.release()
    await home.peer.arrivals.get()
    for _ in range(16):
        home.peer.gate.release()
    assert await asyncio.gather(*waiting) == [ClientDocument(BODY, 300)] * 17


async def test_waiting_for_a_turn_counts_towards_the_deadline(home: Home, client: httpx2.AsyncClient) -> None:
    home.peer.gate = asyncio.Semaphore(0)
    documents = HttpClientDocuments(client, deadline_seconds=TOO_SHORT_SECONDS, at_once=1)
    late = await asyncio.gather(*(refusal(documents, home.url(f"/{number}.json")) for number in range(2)))
    assert late == [("it did not answer in time", True)] * 2
    assert len(home.peer.heads) <= 1
