"""authorization_server.ports.ClientDocuments over HTTPS, with limits: a client's URL is a stranger's text."""

import asyncio
import re
import socket
import ssl
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager
from urllib.parse import unquote, urlsplit

import httpx2

from tool_service.adapters.guarded_http import AddressRefused, guarded_client
from tool_service.authorization_server.ports import ClientDocument, ClientDocumentRefused

LIMIT_BYTES = 64 * 1024
LIMIT_URL_CHARACTERS = 1000
DEADLINE_SECONDS = 5.0
AT_ONCE = 16
FRESH_SECONDS_UNSAID = 300
FRESH_SECONDS_LIMIT = 24 * 60 * 60

# RFC 3986 2: nothing else may stand in a URL, and programs differ in what they make of it.
_URL_CHARACTERS = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*")
_JSON = re.compile(r"application/(json|[a-z0-9.+-]+\+json)\s*(;.*)?", re.IGNORECASE)


class HttpClientDocuments:
    def __init__(
        self, client: httpx2.AsyncClient, *, deadline_seconds: float = DEADLINE_SECONDS, at_once: int = AT_ONCE
    ) -> None:
        """The client decides which addresses may be reached. Waiting for a turn counts towards the deadline."""
        self._client = client
        self._deadline_seconds = deadline_seconds
        self._turns = asyncio.Semaphore(at_once)
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
        except AddressRefused as error:
            raise ClientDocumentRefused("its address is not public") from error
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise ClientDocumentRefused("it did not answer in time", is_temporary=True) from error
        except httpx2.ConnectError as error:
            raise _unreachable(error) from error
        except httpx2.InvalidURL as error:
            raise ClientDocumentRefused("its URL is malformed") from error
        except httpx2.HTTPError as error:
            raise ClientDocumentRefused("its server broke off", is_temporary=True) from error

    async def _read(self, url: str) -> ClientDocument:
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        async with self._client.stream("GET", url, headers=headers, follow_redirects=False) as response:
            if response.is_redirect:
                raise ClientDocumentRefused("it redirects")
            if response.status_code != httpx2.codes.OK:
                is_temporary = response.status_code >= httpx2.codes.INTERNAL_SERVER_ERROR
                raise ClientDocumentRefused(f"it answered {response.status_code}", is_temporary=is_temporary)
            if not _JSON.fullmatch(response.headers.get("Content-Type", "")):
                raise ClientDocumentRefused("it is not application/json")
            # So what is counted below is its size, and there is nothing that grows when it is unpacked.
            if response.headers.get("Content-Encoding", "identity").lower() != "identity":
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
    parts = (part.partition("=") for part in headers.get("Cache-Control", "").lower().split(","))
    said = {name.strip(): value.strip(' "') for name, _, value in parts}
    if "no-store" in said or "no-cache" in said:
        return 0
    if (age := said.get("max-age")) is None:
        return FRESH_SECONDS_UNSAID
    # What cannot be read counts as over (RFC 9111 4.2.1).
    return min(int(age[:10]), FRESH_SECONDS_LIMIT) if age.isascii() and age.isdecimal() else 0


def _unfit(url: str) -> str | None:
    if len(url) > LIMIT_URL_CHARACTERS or not _URL_CHARACTERS.fullmatch(url):
        return f"its URL has more than {LIMIT_URL_CHARACTERS} or odd characters"
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return "its URL is malformed"
    if parts.scheme != "https" or not parts.hostname or "@" in parts.netloc or "#" in url:
        return "its URL must be https, without user name and fragment"
    # RFC 3986 5.2.4; %2e is a dot too.
    segments = [unquote(each) for each in parts.path.split("/")]
    if parts.path in ("", "/") or "." in segments or ".." in segments:
        return "its URL must have a path, without dot segments"
    return None


def _unreachable(error: httpx2.ConnectError) -> ClientDocumentRefused:
    causes = list(_chain(error))
    if any(isinstance(each, ssl.SSLCertVerificationError) for each in causes):
        return ClientDocumentRefused("its certificate is not trusted or not for that name")
    if any(isinstance(each, socket.gaierror | UnicodeError) for each in causes):
        return ClientDocumentRefused("its host name is unknown", is_temporary=True)
    return ClientDocumentRefused("its server cannot be reached", is_temporary=True)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
