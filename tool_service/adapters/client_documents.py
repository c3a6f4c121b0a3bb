"""authorization_server.ports.ClientDocuments over HTTPS, with limits: a client's URL is a stranger's text."""

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from urllib.parse import unquote, urlsplit

import httpx2

from tool_service.adapters.guarded_http import guarded_client
from tool_service.authorization_server.ports import ClientDocument, ClientDocumentRefused

LIMIT_BYTES = 64 * 1024
LIMIT_URL_CHARACTERS = 1000
DEADLINE_SECONDS = 5.0
AT_ONCE = 16
FRESH_SECONDS_UNSAID = 300
FRESH_SECONDS_LIMIT = 24 * 60 * 60

_MAX_AGE = re.compile(r"max-age=\"?([0-9]{1,10})")
_JSON = re.compile(r"application/(json|[a-z0-9.+-]+\+json)\s*(;.*)?", re.IGNORECASE)


class HttpClientDocuments:
    def __init__(self, client: httpx2.AsyncClient, *, deadline_seconds: float = DEADLINE_SECONDS) -> None:
        """The client decides which addresses may be reached."""
        self._client = client
        self._deadline_seconds = deadline_seconds
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._running: dict[str, asyncio.Task[ClientDocument]] = {}

    async def fetch(self, url: str) -> ClientDocument:
        """One request for all who want the same document at the same time."""
        if (reason := _unfit(url)) is not None:
            raise ClientDocumentRefused(reason)
        task = self._running.get(url)
        if task is None:
            task = self._running[url] = asyncio.create_task(self._bounded(url))
            task.add_done_callback(lambda _: self._running.pop(url, None))
        # Shielded: who gives up must not take the answer away from the others.
        return await asyncio.shield(task)

    async def _bounded(self, url: str) -> ClientDocument:
        try:
            async with asyncio.timeout(self._deadline_seconds), self._turns:
                return await self._read(url)
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise ClientDocumentRefused("it did not answer in time", is_temporary=True) from error
        except httpx2.ConnectError as error:
            raise ClientDocumentRefused(f"its server cannot be reached ({_ascii(error)})", is_temporary=True) from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise ClientDocumentRefused("its server broke off", is_temporary=True) from error

    async def _read(self, url: str) -> ClientDocument:
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        async with self._client.stream("GET", url, headers=headers) as response:
            if response.is_redirect:
                raise ClientDocumentRefused("it redirects")
            if response.status_code != httpx2.codes.OK:
                is_temporary = response.status_code >= httpx2.codes.INTERNAL_SERVER_ERROR
                raise ClientDocumentRefused(f"it answered {response.status_code}", is_temporary=is_temporary)
            if not _JSON.fullmatch(response.headers.get("Content-Type", "")):
                raise ClientDocumentRefused("it is not application/json")
            if response.headers.get("Content-Encoding", "identity") != "identity":
                raise ClientDocumentRefused("it is compressed, though that was not asked for")
            body = bytearray()
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > LIMIT_BYTES:
                    raise ClientDocumentRefused(f"it is larger than {LIMIT_BYTES // 1024} KiB")
            return ClientDocument(bytes(body), fresh_seconds(response.headers))


@asynccontextmanager
async def open_client_documents(*, allow_loopback: bool) -> AsyncGenerator[HttpClientDocuments]:
    async with guarded_client(allow_loopback=allow_loopback, timeout_seconds=DEADLINE_SECONDS) as client:
        yield HttpClientDocuments(client)


def fresh_seconds(headers: Mapping[str, str]) -> int:
    """For how long a copy may be used without asking again (RFC 9111 5.2.2), a day at most."""
    said = headers.get("Cache-Control", "").lower()
    if "no-store" in said or "no-cache" in said:
        return 0
    found = _MAX_AGE.search(said)
    return FRESH_SECONDS_UNSAID if found is None else min(int(found[1]), FRESH_SECONDS_LIMIT)


def _unfit(url: str) -> str | None:
    if len(url) > LIMIT_URL_CHARACTERS or not url.isascii() or not url.isprintable() or " " in url:
        return f"its URL has more than {LIMIT_URL_CHARACTERS} or odd characters"
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return "its URL is malformed"
    if parts.scheme != "https" or not parts.hostname or "@" in parts.netloc or "#" in url:
        return "its URL must be https, without user name and fragment"
    segments = [unquote(each) for each in parts.path.split("/")]
    if parts.path in ("", "/") or "." in segments or ".." in segments:
        return "its URL must have a path, without dot segments"
    return None


def _ascii(error: Exception) -> str:
    return "".join(each for each in str(error) if " " <= each <= "~" and each not in '"\\')[:100]
