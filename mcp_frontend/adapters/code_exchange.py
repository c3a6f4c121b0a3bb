"""Authorization codes for ID tokens at the issuer's token endpoint (OpenID Connect Core 1.0 3.1.3)."""

import json
from urllib.parse import quote

import httpx2

from mcp_frontend.oauth.ports import CodeRefused, IssuerUnavailable

TIMEOUT_SECONDS = 5.0
LIMIT_BYTES = 64 * 1024


class HttpCodeExchange:
    """The HTTP client is the caller's to close."""

    def __init__(
        self, client: httpx2.AsyncClient, client_id: str, client_secret: str | None, redirect_uri: str
    ) -> None:
        self._client = client
        self._client_id = client_id
        # RFC 6749 2.3.1: both are form-encoded before they become Basic credentials.
        self._auth = None if client_secret is None else (quote(client_id, safe=""), quote(client_secret, safe=""))
        self._redirect_uri = redirect_uri

    async def redeem(self, token_url: str, code: str, verifier: str) -> str:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._redirect_uri,
            "code_verifier": verifier,
        }
        if self._auth is None:
            form["client_id"] = self._client_id
        try:
            response = await self._client.post(
                token_url,
                data=form,
                auth=self._auth or httpx2.USE_CLIENT_DEFAULT,
                headers={"Accept": "application/json"},
                timeout=TIMEOUT_SECONDS,
                follow_redirects=False,
            )
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise IssuerUnavailable from error
        if response.status_code >= 500:
            raise IssuerUnavailable
        return _id_token(response)


def _id_token(response: httpx2.Response) -> str:
    try:
        said = json.loads(response.content[:LIMIT_BYTES])
    except ValueError:
        said = None
    if not isinstance(said, dict):
        raise CodeRefused(f"status {response.status_code} without a JSON object")
    if response.status_code != 200:
        raise CodeRefused(f"status {response.status_code}, {str(said.get('error'))[:100]}")
    if not isinstance(id_token := said.get("id_token"), str):
        raise CodeRefused("an answer without id_token; the client must be allowed the scope openid")
    return id_token
