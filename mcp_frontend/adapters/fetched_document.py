"""A JSON document of the issuer, read over HTTP and kept.

One fetch serves all who wait for it. The document is read again when it is old or when it lacks what somebody
wants, but never faster than the cooldown, so what strangers make up cannot turn us against the issuer. While the
issuer is down the last one stays in use, for a day; without any, it is asked again soon, for it may only be starting.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

import httpx2
import structlog

from mcp_frontend.oauth.ports import IssuerUnavailable
from mcp_frontend.ports import Clock

FRESH_SECONDS = 5 * 60
STALE_SECONDS = 24 * 60 * 60
COOLDOWN_SECONDS = 10
COOLDOWN_WITHOUT_DOCUMENT_SECONDS = 1
TIMEOUT_SECONDS = 3.0
LIMIT_BYTES = 64 * 1024

T = TypeVar("T")
FindUrl = Callable[[], Awaitable[str]]
_log = structlog.get_logger(__name__)


class DocumentUnfit(Exception):
    """What was read is not such a document; the message says why, without quoting it."""


class FetchedDocument(Generic[T]):
    """Must be made inside the serving loop; the HTTP client is the caller's to close."""

    def __init__(
        self, find_url: FindUrl, parse: Callable[[bytes], T], client: httpx2.AsyncClient, clock: Clock
    ) -> None:
        self._find_url = find_url
        self._parse = parse
        self._client = client
        self._clock = clock
        self._document: T | None = None
        self._read_at = float("-inf")
        self._tried_at = float("-inf")
        self._fetch: asyncio.Task[None] | None = None

    async def get(self, serves: Callable[[T], bool] = lambda _: True) -> T:
        """The document; read anew first if it is old or does not serve.

        Raises:
            IssuerUnavailable: there is none, or none that is younger than a day.
        """
        if self._document is None or self._age() >= FRESH_SECONDS or not serves(self._document):
            await self._refresh()
        if self._document is None or self._age() >= STALE_SECONDS:
            raise IssuerUnavailable
        return self._document

    def _age(self) -> float:
        return self._clock.now().timestamp() - self._read_at

    async def _refresh(self) -> None:
        if self._fetch is None:
            cooldown = COOLDOWN_WITHOUT_DOCUMENT_SECONDS if self._document is None else COOLDOWN_SECONDS
            if self._clock.now().timestamp() - self._tried_at < cooldown:
                return
            self._tried_at = self._clock.now().timestamp()
            self._fetch = asyncio.create_task(self._read())
        # Shielded: a client that hangs up must not take the fetch away from the others.
        await asyncio.shield(self._fetch)

    async def _read(self) -> None:
        url = "?"
        try:
            url = await self._find_url()
            self._document = self._parse(await self._download(url))
            self._read_at = self._clock.now().timestamp()
        except (DocumentUnfit, IssuerUnavailable) as failed:
            _log.warning("issuer.unavailable", url=url, reason=str(failed))
        finally:
            self._fetch = None

    async def _download(self, url: str) -> bytes:
        try:
            async with (
                asyncio.timeout(TIMEOUT_SECONDS),
                self._client.stream("GET", url, follow_redirects=False) as response,
            ):
                if response.status_code != 200:
                    raise DocumentUnfit(f"status {response.status_code}")
                body = bytearray()
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if len(body) > LIMIT_BYTES:
                        raise DocumentUnfit(f"more than {LIMIT_BYTES} bytes")
                return bytes(body)
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError) as error:
            raise DocumentUnfit(type(error).__name__) from error
