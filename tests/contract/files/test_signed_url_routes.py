"""Signed file URLs on a real server, used by clients that know only what they were told."""

import asyncio
import hashlib
import shutil
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypercorn.asyncio import serve
from hypercorn.config import Config
from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from quart import Quart

from tests.support.clock import NOON, FakeClock
from tool_service.adapters.local_object_store import LocalObjectStore
from tool_service.ports import SignedUpload
from tool_service.rest_api.local_files import LocalFileRoutes

KEY = "org/0198a1/0198b2"
needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


@dataclass(slots=True)
class Server:
    """A running server, its store, and a way to know that a request is over."""

    url: str
    folder: Path
    store: LocalObjectStore
    clock: FakeClock
    finished: asyncio.Queue[str] = field(default_factory=asyncio.Queue)

    async def upload(self, content: bytes, sha256: str | None = None) -> SignedUpload:
        return await self.store.sign_upload(
            f"incoming/{KEY}",
            content_type="text/csv",
            size_bytes=len(content),
            sha256=sha256,
            expires_at=NOON + timedelta(minutes=15),
        )

    async def download(self, filename: str = "extrato.csv") -> str:
        signed = await self.store.sign_download(
            KEY, filename=filename, content_type="text/csv", expires_at=NOON + timedelta(minutes=5)
        )
        return signed.url

    async def stored(self) -> bytes:
        return await self.store.read(f"incoming/{KEY}")

    def files(self) -> list[str]:
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file())


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    # Clients wait in the queue of the socket while the server starts.
    listener.listen()
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    clock = FakeClock()
    store = LocalObjectStore(tmp_path / "files", url, [b"k" * 32], clock)
    running = Server(url, tmp_path / "files", store, clock)
    inner = Quart(__name__)

    @inner.get("/livez")
    async def livez() -> str:
        return "ok"

    routes = LocalFileRoutes(store, inner)  # type: ignore[arg-type]

    async def observed(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        await routes(scope, receive, send)
        if scope["type"] == "http":
            running.finished.put_nowait(scope["path"])

    config = Config()
    config.bind = [f"fd://{listener.detach()}"]
    config.loglevel = "CRITICAL"
    stop = asyncio.Event()
    task = asyncio.create_task(serve(observed, config, shutdown_trigger=stop.wait))  # type: ignore[arg-type]
    yield running
    stop.set()
    await task


async def _curl(*arguments: str, stdin: bytes | None = None) -> tuple[int, bytes]:
    """Exit code and what it wrote: the body, a line break, the status."""
    process = await asyncio.create_subprocess_exec(
        "curl", "--silent", "--max-time", "20", "--write-out", "\n%{http_code}", *arguments,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    written, _ = await process.communicate(stdin)
    return process.returncode or 0, written


def _header_options(headers: dict[str, str]) -> list[str]:
    return [option for name, value in headers.items() for option in ("-H", f"{name}: {value}")]


@needs_curl
@pytest.mark.parametrize("style", ["-T", "--data-binary"])
@pytest.mark.parametrize("size_bytes", [1, 3_000_000])
async def test_d38_plain_curl_uploads_with_exactly_what_it_was_told(
    server: Server, tmp_path: Path, style: str, size_bytes: int
) -> None:
    content = bytes(range(256)) * (size_bytes // 256) + b"x" * (size_bytes % 256)
    (tmp_path / "extrato.csv").write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    signed = await server.upload(content, digest)
    source = str(tmp_path / "extrato.csv") if style == "-T" else f"@{tmp_path / 'extrato.csv'}"
    written = await _curl(style, source, "-X", signed.method, *_header_options(signed.headers), signed.url)
    told = f'{{"data": {{"size_bytes": {size_bytes}, "sha256": "{digest}"}}}}\n200'
    assert written == (0, told.encode())
    assert await server.stored() == content


@needs_curl
async def test_plain_curl_downloads_under_the_name_of_the_file(server: Server, tmp_path: Path) -> None:
    await server.store.write(KEY, _pieces(b"Data;Valor\n"))
    url = await server.download("extrato de maio.csv")
    code, written = await _curl("-OJ", "--output-dir", str(tmp_path), url)
    assert (code, written) == (0, b"\n200")
    assert (tmp_path / "extrato de maio.csv").read_bytes() == b"Data;Valor\n"


@needs_curl
async def test_d38_curl_reads_the_reason_even_when_the_refused_file_is_large(server: Server, tmp_path: Path) -> None:
    content = b"x" * 20_000_000
    (tmp_path / "extrato.csv").write_bytes(content)
    signed = await server.upload(content)
    options = _header_options({**signed.headers, "Content-Type": "application/octet-stream", "Expect": ""})
    code, written = await _curl("-T", str(tmp_path / "extrato.csv"), *options, signed.url)
    assert (code, written[-4:]) == (0, b"\n400")
    assert b"Envie o cabe\xc3\xa7alho Content-Type: text/csv" in written
    assert server.files() == []


async def test_a_client_that_sends_everything_first_reads_the_reason_too(server: Server) -> None:
    content = b"x" * 20_000_000
    signed = await server.upload(content)
    async with httpx2.AsyncClient() as client:
        response = await client.put(signed.url, headers={**signed.headers, "Content-Type": "a/b"}, content=content)
    assert (response.status_code, response.json()["errors"][0]["code"]) == (400, "upload_header_mismatch")


@needs_curl
async def test_an_upload_of_unknown_length_is_told_to_say_it(server: Server) -> None:
    signed = await server.upload(b"abc")
    code, written = await _curl("-T", "-", "-H", "Content-Type: text/csv", signed.url, stdin=b"abc")
    assert (code, written[-4:]) == (0, b"\n411")


async def _pieces(*pieces: bytes) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


async def test_a_download_is_an_attachment_that_no_browser_shows_or_keeps(server: Server) -> None:
    await server.store.write(KEY, _pieces(b"abc"))
    async with httpx2.AsyncClient() as client:
        response = await client.get(await server.download("março.csv"))
    chosen = {
        name: response.headers[name]
        for name in (
            "content-type",
            "content-length",
            "content-disposition",
            "cache-control",
            "x-content-type-options",
            "content-security-policy",
            "referrer-policy",
            "accept-ranges",
        )
    }
    assert (response.status_code, response.content) == (200, b"abc")
    assert chosen == {
        "content-type": "text/csv",
        "content-length": "3",
        "content-disposition": "attachment; filename=\"marco.csv\"; filename*=UTF-8''mar%C3%A7o.csv",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
        "referrer-policy": "no-referrer",
        "accept-ranges": "none",
    }


async def test_head_tells_the_size_and_sends_nothing(server: Server) -> None:
    await server.store.write(KEY, _pieces(b"abc"))
    async with httpx2.AsyncClient() as client:
        response = await client.head(await server.download())
        again = await client.get(await server.download())
    assert (response.status_code, response.headers["content-length"], response.content) == (200, "3", b"")
    assert again.content == b"abc"


async def test_an_upload_that_breaks_off_leaves_nothing_behind(server: Server) -> None:
    signed = await server.upload(b"x" * 1000)
    path = signed.url.removeprefix(server.url)
    _, writer = await asyncio.open_connection("127.0.0.1", int(server.url.rpartition(":")[2]))
    lines = [f"PUT {path} HTTP/1.1", "Host: files.test", *(f"{name}: {text}" for name, text in signed.headers.items())]
    writer.write("\r\n".join([*lines, "", "half"]).encode())
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    assert await asyncio.wait_for(server.finished.get(), 10) == path
    assert server.files() == []


async def test_a_confirmed_file_can_no_longer_be_uploaded(server: Server) -> None:
    signed = await server.upload(b"abc")
    async with httpx2.AsyncClient() as client:
        first = await client.put(signed.url, headers=signed.headers, content=b"abc")
        await server.store.move(f"incoming/{KEY}", KEY)
        second = await client.put(signed.url, headers=signed.headers, content=b"xyz")
    assert (first.status_code, second.status_code) == (200, 409)
    assert await server.store.read(KEY) == b"abc"


async def test_a_refusal_has_the_shape_of_every_error_and_the_language_that_was_asked_for(server: Server) -> None:
    async with httpx2.AsyncClient() as client:
        response = await client.get(f"{server.url}/files/download/made-up", headers={"Accept-Language": "en"})
    assert (response.status_code, response.headers["content-language"]) == (403, "en")
    assert response.json() == {
        "status": 403,
        "errors": [
            {
                "code": "signed_url_invalid",
                "title": "Invalid signed URL",
                "param": None,
                "detail": "Invalid signed URL",
                "hint": "Use the URL whole, exactly as it was given.",
            }
        ],
        "request_id": response.headers["request-id"],
        "retry_after": None,
    }


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/files/upload/x", 405, "method_not_allowed"),
        ("POST", "/files/upload/x", 405, "method_not_allowed"),
        ("PUT", "/files/download/x", 405, "method_not_allowed"),
        ("GET", "/files/", 404, "not_found"),
        ("GET", "/files/upload/a/b", 404, "not_found"),
        ("GET", "/files/other/x", 404, "not_found"),
        ("PUT", "/files/upload/x", 403, "signed_url_invalid"),
    ],
)
async def test_other_requests_below_files_are_refused(
    server: Server, method: str, path: str, status: int, code: str
) -> None:
    async with httpx2.AsyncClient() as client:
        response = await client.request(method, server.url + path)
    assert (response.status_code, response.json()["errors"][0]["code"]) == (status, code)


async def test_an_object_that_is_gone_is_gone(server: Server) -> None:
    async with httpx2.AsyncClient() as client:
        response = await client.get(await server.download())
    assert (response.status_code, response.json()["errors"][0]["code"]) == (410, "file_purged")


async def test_a_store_that_fails_asks_to_come_back(server: Server) -> None:
    server.folder.write_bytes(b"")
    signed = await server.upload(b"abc")
    async with httpx2.AsyncClient() as client:
        response = await client.put(signed.url, headers=signed.headers, content=b"abc")
    assert (response.status_code, response.headers["retry-after"]) == (503, "5")
    assert response.json()["errors"][0]["code"] == "service_unavailable"


async def test_everything_else_is_the_application_within(server: Server) -> None:
    async with httpx2.AsyncClient() as client:
        response = await client.get(f"{server.url}/livez")
    assert (response.status_code, response.text) == (200, "ok")


async def test_a_body_is_taken_in_no_faster_than_it_is_stored(tmp_path: Path) -> None:
    events: list[str] = []
    messages: list[dict[str, Any]] = [
        {"type": "http.request", "body": b"a", "more_body": True},
        {"type": "http.request", "body": b"b", "more_body": True},
        {"type": "http.request", "body": b"c", "more_body": False},
    ]

    class Recording(LocalObjectStore):
        async def receive(self, grant: Any, chunks: AsyncIterator[bytes]) -> Any:
            async def told() -> AsyncIterator[bytes]:
                async for chunk in chunks:
                    yield chunk
                    events.append("stored")

            return await super().receive(grant, told())

    async def receive() -> Any:
        events.append("asked")
        return messages.pop(0)

    async def send(message: Any) -> None:
        events.append(message["type"])

    store = Recording(tmp_path, "http://files.test", [b"k" * 32], FakeClock())
    signed = await store.sign_upload(
        f"incoming/{KEY}", content_type="text/csv", size_bytes=3, sha256=None, expires_at=NOON + timedelta(minutes=1)
    )
    scope: Any = {
        "type": "http",
        "method": "PUT",
        "path": signed.url.removeprefix("http://files.test"),
        "headers": [(name.lower().encode(), value.encode()) for name, value in signed.headers.items()],
    }
    await LocalFileRoutes(store, Quart(__name__))(scope, receive, send)  # type: ignore[arg-type]
    assert events == [*["asked", "stored"] * 3, "http.response.start", "http.response.body", "http.response.body"]
