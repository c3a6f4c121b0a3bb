"""An issuer that lives in the test: a signing key, tokens of any shape, and a KeySource that knows the key."""

from typing import Any

from joserfc import jwt
from joserfc.jwk import ECKey

from mcp_frontend.oauth.ports import KeysUnavailable

ISSUER = "https://issuer.example"
RESOURCE = "https://mcp.example"


class FakeIssuer:
    """oauth.ports.KeySource, and the one who signs what it is asked about."""

    def __init__(self, key_id: str = "first") -> None:
        self.key = ECKey.generate_key("P-256", {"kid": key_id, "use": "sig"})
        self.is_down = False
        self.asked_for: list[str] = []

    async def find(self, key_id: str) -> ECKey | None:
        self.asked_for.append(key_id)
        if self.is_down:
            raise KeysUnavailable
        return ECKey.import_key(self.key.as_dict(private=False)) if key_id == self.key.kid else None

    def public_set(self) -> dict[str, Any]:
        return {"keys": [self.key.as_dict(private=False)]}

    def token(self, now: float, header: dict[str, Any] | None = None, **claims: Any) -> str:
        """A good access token of 15 minutes, but for what the test changes; a claim of None is left out."""
        all_claims = {
            "iss": ISSUER,
            "aud": RESOURCE,
            "sub": "person-1",
            "org": "organization-1",
            "client_id": "client-1",
            "client_name": "Some Client",
            "scope": "kadu.tasks.read kadu.tasks.write",
            "jti": "token-1",
            "iat": int(now),
            "exp": int(now) + 900,
            **claims,
        }
        protected = {"alg": "ES256", "typ": "at+jwt", "kid": self.key.kid, **(header or {})}
        kept = {name: value for name, value in all_claims.items() if value is not None}
        return jwt.encode({name: value for name, value in protected.items() if value is not None}, kept, self.key)
