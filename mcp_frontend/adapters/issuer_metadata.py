"""What the issuer says of itself (OpenID Connect Discovery 1.0): found from its URL alone, read over HTTP and kept."""

import json
from typing import Any

import httpx2

from mcp_frontend.adapters.fetched_document import DocumentUnfit, FetchedDocument
from mcp_frontend.oauth.ports import IssuerMetadata
from mcp_frontend.ports import Clock

WELL_KNOWN_PATH = "/.well-known/openid-configuration"


class DiscoveredIssuer:
    """Must be made inside the serving loop; the HTTP client is the caller's to close."""

    def __init__(self, issuer: str, internal_url: str, client: httpx2.AsyncClient, clock: Clock) -> None:
        """`internal_url` is where this process reaches the issuer, if not by the URL that people use; else empty."""
        self._issuer = issuer
        self._internal_url = internal_url
        self._document: FetchedDocument[IssuerMetadata] = FetchedDocument(self._url, self._parse, client, clock)

    async def metadata(self) -> IssuerMetadata:
        return await self._document.get()

    async def keys_url(self) -> str:
        """Where this process reads the issuer's keys."""
        return (await self.metadata()).keys_url

    async def _url(self) -> str:
        return self._reachable(self._issuer.rstrip("/") + WELL_KNOWN_PATH)

    def _reachable(self, url: str) -> str:
        """The URL as this process reaches it; one that is not below the issuer's stays what it is."""
        own = self._issuer.rstrip("/")
        below = self._internal_url and (url == own or url.startswith(own + "/"))
        return self._internal_url.rstrip("/") + url[len(own) :] if below else url

    def _parse(self, content: bytes) -> IssuerMetadata:
        try:
            document = json.loads(content)
        except ValueError:
            raise DocumentUnfit("not JSON") from None
        # OpenID Connect Discovery 1.0, 4.3: else another server could speak in its name.
        if not isinstance(document, dict) or document.get("issuer") != self._issuer:
            raise DocumentUnfit("it names another issuer")
        return IssuerMetadata(
            document=content,
            authorization_url=_url(document, "authorization_endpoint"),
            token_url=self._reachable(_url(document, "token_endpoint")),
            keys_url=self._reachable(_url(document, "jwks_uri")),
            end_session_url=_optional_url(document, "end_session_endpoint"),
            account_url=_optional_url(document, "account_management_uri"),
            sends_issuer=document.get("authorization_response_iss_parameter_supported") is True,
        )


def _optional_url(document: dict[str, Any], name: str) -> str | None:
    return None if document.get(name) is None else _url(document, name)


def _url(document: dict[str, Any], name: str) -> str:
    value = document.get(name)
    if not isinstance(value, str) or not value.startswith(("https://", "http://")):
        raise DocumentUnfit(f"it has no {name}")
    return value
