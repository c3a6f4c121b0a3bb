"""The URLs that the local object store signs: PUT one file, GET one file. The URL is the secret, no bearer.

An ASGI callable before the Quart application, not a blueprint: Quart takes in a request body as fast
as it comes and holds one body limit for all routes, while files are larger than that limit and must
wait for the disk. No more than one chunk of a file is in memory. Ranges are not offered.
"""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol
from uuid import uuid4

import structlog
from hypercorn.typing import ASGIFramework, ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

from tool_service.dispatcher.bodies import error_body
from tool_service.domain.error_catalogue import CATALOGUE
from tool_service.domain.errors import Gone, InvalidArguments, LimitExceeded, NotFound, OperationError
from tool_service.domain.files import SIZE_LIMIT_BYTES
from tool_service.domain.language import choose_language
from tool_service.domain.signed_files import (
    CHECKSUM_HEADER,
    DownloadGrant,
    UploadGrant,
    check_upload_headers,
    content_disposition,
)
from tool_service.ports import ObjectStoreUnavailable, StoredObject

PREFIX = "/files/"
_RETRY_AFTER_SECONDS = 5
_log = structlog.get_logger(__name__)

# Whatever a file holds, a browser shows none of it in our name.
_HARMLESS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Referrer-Policy": "no-referrer",
}


class SignedFiles(Protocol):
    """What stands behind the URLs."""

    def read_upload(self, token: str) -> UploadGrant:
        """Raises: SignedUrlInvalid, SignedUrlExpired."""
        ...

    async def receive(self, grant: UploadGrant, chunks: AsyncIterator[bytes]) -> StoredObject:
        """Raises: UploadClosed, UploadRefused, ObjectStoreUnavailable; then nothing was stored."""
        ...

    def read_download(self, token: str) -> DownloadGrant:
        """Raises: SignedUrlInvalid, SignedUrlExpired."""
        ...

    def send(self, grant: DownloadGrant) -> AbstractAsyncContextManager[tuple[int, AsyncIterator[bytes]] | None]:
        """Size and bytes while the block runs, or None when they are gone. Raises: ObjectStoreUnavailable."""
        ...


class ClientGone(Exception):
    """The connection ended before the body did; there is nobody to answer."""


class LocalFileRoutes:
    """Answers everything below /files/ and hands the rest to the application within."""

    def __init__(self, files: SignedFiles, inner: ASGIFramework) -> None:
        self._files = files
        self._inner = inner

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(PREFIX):
            await self._inner(scope, receive, send)
            return
        request = _Request(scope, receive, send)
        try:
            await self._answer(request)
        except ClientGone:
            _log.info("upload abandoned", request_id=request.id)

    async def _answer(self, request: "_Request") -> None:
        try:
            await self._perform(request)
        except OperationError as error:
            await request.refuse(error)
        except ObjectStoreUnavailable as error:
            if request.started:
                # The length was promised already: a broken connection is the only honest end.
                raise
            _log.warning("object store unavailable", request_id=request.id, cause=repr(error.__cause__))
            await request.refuse(LimitExceeded("service_unavailable", retry_after_seconds=_RETRY_AFTER_SECONDS))

    async def _perform(self, request: "_Request") -> None:
        match request.scope["path"].removeprefix(PREFIX).split("/"), request.scope["method"]:
            case ["upload", token], "PUT":
                await self._upload(request, token)
            case ["download", token], "GET" | "HEAD":
                await self._download(request, token)
            case ["upload" | "download", _], _:
                raise InvalidArguments("method_not_allowed")
            case _:
                raise NotFound(param=None)

    async def _upload(self, request: "_Request", token: str) -> None:
        grant = self._files.read_upload(token)
        header = request.headers.get
        check_upload_headers(grant, header("content-type"), header("content-length"), header(CHECKSUM_HEADER))
        stored = await self._files.receive(grant, request.chunks())
        body = {"data": {"size_bytes": stored.size_bytes, "sha256": stored.sha256}}
        await request.reply(200, json.dumps(body).encode(), {"Content-Type": "application/json"})

    async def _download(self, request: "_Request", token: str) -> None:
        grant = self._files.read_download(token)
        async with self._files.send(grant) as found:
            if found is None:
                raise Gone("file_purged")
            size_bytes, chunks = found
            headers = {
                "Content-Type": grant.content_type,
                "Content-Length": str(size_bytes),
                "Content-Disposition": content_disposition(grant.filename),
                "Accept-Ranges": "none",
            }
            await request.start(200, headers)
            if request.scope["method"] == "GET":
                async for chunk in chunks:
                    await request.write(chunk)
            await request.end()


class _Request:
    """One HTTP request of the ASGI server, and the way to answer it."""

    def __init__(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        self.scope = scope
        self.id = uuid4().hex
        self.headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        self._receive = receive
        self._send = send
        self._more_to_read = True
        self.started = False

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body as it arrives; the next piece is asked for when the last one was used.

        Raises:
            ClientGone: it stopped before its end.
        """
        while self._more_to_read:
            message = await self._receive()
            if message["type"] != "http.request":
                raise ClientGone()
            self._more_to_read = message.get("more_body", False)
            yield message.get("body", b"")

    async def refuse(self, error: OperationError) -> None:
        await self._drain()
        language = choose_language(self.headers.get("accept-language", ""))
        headers = {"Content-Type": "application/json", "Content-Language": language.value}
        if error.retry_after_seconds is not None:
            headers["Retry-After"] = str(error.retry_after_seconds)
        await self.reply(CATALOGUE[error.code].status, error_body(error, language, self.id), headers)

    async def reply(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        await self.start(status, {**headers, "Content-Length": str(len(body))})
        if self.scope["method"] != "HEAD":
            await self.write(body)
        await self.end()

    async def start(self, status: int, headers: Mapping[str, str]) -> None:
        self.started = True
        every = {**_HARMLESS, **headers, "Request-Id": self.id}
        lines = [(name.lower().encode(), value.encode("latin-1")) for name, value in every.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": lines})

    async def write(self, chunk: bytes) -> None:
        await self._send({"type": "http.response.body", "body": chunk, "more_body": True})

    async def end(self) -> None:
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _drain(self) -> None:
        """Read away what the client is still sending, up to the largest file.

        A client that is cut off while it sends sees a broken connection in place of the reason
        (measured: httpx2, 15 of 15 at 20 MB).
        """
        discarded_bytes = 0
        async for chunk in self.chunks():
            discarded_bytes += len(chunk)
            if discarded_bytes > SIZE_LIMIT_BYTES:
                return
