"""The issuer's public keys, read over HTTP and kept: the KeySource of production.

One fetch serves all who wait for it. Keys are read again when they are old or when a
token names an unknown one, but never faster than the cooldown, so made-up key ids cannot
turn us against the issuer. While the issuer is down the last keys stay in use, for a day;
without any, it is asked again soon, for it may only be starting.
"""

import asyncio
import json
from collections.abc import Mapping

import httpx2
import structlog
from joserfc.errors import JoseError
from joserfc.jwk import ECKey

from mcp_frontend.oauth.ports import KeysUnavailable
from mcp_frontend.ports import Clock

FRESH_SECONDS = 5 * 60
STALE_SECONDS = 24 * 60 * 60
COOLDOWN_SECONDS = 10
COOLDOWN_WITHOUT_KEYS_SECONDS = 1
TIMEOUT_SECONDS = 3.0
LIMIT_BYTES = 64 * 1024

_log = structlog.get_logger(__name__)


class _FetchFailed(Exception):
    pass


class IssuerKeys:
    """Must be made inside the serving loop; the HTTP client is the caller's to close."""

    def __init__(self, url: str, client: httpx2.AsyncClient, clock: Clock) -> None:
        self._url = url
        self._client = client
        self._clock = clock
        self._keys: Mapping[str, ECKey] = {}
        self._read_at = float("-inf")
        self._tried_at = float("-inf")
        self._fetch: asyncio.Task[None] | None = None

    async def find(self, key_id: str) -> ECKey | None:
        age = self._clock.now().timestamp() - self._read_at
        if key_id not in self._keys or age >= FRESH_SECONDS:
            await self._refresh()
        if self._clock.now().timestamp() - self._read_at >= STALE_SECONDS:
            raise KeysUnavailable
        return self._keys.get(key_id)

    async def _refresh(self) -> None:
        if self._fetch is None:
            cooldown = COOLDOWN_SECONDS if self._keys else COOLDOWN_WITHOUT_KEYS_SECONDS
            if self._clock.now().timestamp() - self._tried_at < cooldown:
                return
            self._tried_at = self._clock.now().timestamp()
            self._fetch = asyncio.create_task(self._read())
        # Shielded: a client that hangs up must not take the fetch away from the others.
        await asyncio.shield(self._fetch)

    async def _read(self) -> None:
        try:
            self._keys = _usable_keys(await self._download())
            self._read_at = self._clock.now().timestamp()
        except _FetchFailed as failed:
            _log.warning("issuer_keys.unavailable", url=self._url, reason=str(failed))
        finally:
            self._fetch = None

    async def _download(self) -> bytes:
        try:
            async with (
                asyncio.timeout(TIMEOUT_SECONDS),
                self._client.stream("GET", self._url, follow_redirects=False) as response,
            ):
                if response.status_code != 200:
                    raise _FetchFailed(f"status {response.status_code}")
                body = bytearray()
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if len(body) > LIMIT_BYTES:
                        raise _FetchFailed(f"more than {LIMIT_BYTES} bytes")
                return bytes(body)
        except (httpx2.HTTPError, TimeoutError) as error:
            raise _FetchFailed(type(error).__name__) from error


def _usable_keys(document: bytes) -> dict[str, ECKey]:
    """The signature keys on P-256, by id. Keys of other kinds stand beside them in some issuers' sets."""
    try:
        entries = json.loads(document)["keys"]
    except (ValueError, KeyError, TypeError):
        raise _FetchFailed("not a JWK Set") from None
    keys: dict[str, ECKey] = {}
    for entry in entries if isinstance(entries, list) else []:
        match entry:
            case {"kty": "EC", "crv": "P-256", "kid": str(key_id)} if entry.get("use", "sig") == "sig":
                try:
                    keys[key_id] = ECKey.import_key(entry)
                except (JoseError, ValueError, TypeError):
                    _log.warning("issuer_keys.unusable_key", key_id=key_id[:64])
            case _:
                pass
    if not keys:
        raise _FetchFailed("no usable key")
    return keys
