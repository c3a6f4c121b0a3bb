"""An issuer that lives in the test: a signing key, tokens of any shape, and a KeySource that knows the key."""

import json
from typing import Any

from joserfc import jwt
from joserfc.jwk import ECKey

from mcp_frontend.caller import Person, Subject
from mcp_frontend.oauth.ports import CodeRefused, IssuerMetadata, IssuerUnavailable, MembersUnavailable, VerifyingKey

ISSUER = "https://issuer.example"
RESOURCE = "https://mcp.example"


class FakeIssuer:
    """oauth.ports.KeySource, IssuerSource and CodeExchange, and the one who signs what it is asked about."""

    def __init__(self, key_id: str = "first") -> None:
        self.key = ECKey.generate_key("P-256", {"kid": key_id, "use": "sig"})
        self.is_down = False
        self.sends_issuer = False
        self.asked_for: list[str] = []
        self.id_tokens: dict[tuple[str, str], str] = {}
        """By code and verifier; each can be had once."""

    async def find(self, key_id: str) -> VerifyingKey | None:
        self.asked_for.append(key_id)
        if self.is_down:
            raise IssuerUnavailable
        if key_id != self.key.kid:
            return None
        return VerifyingKey(ECKey.import_key(self.key.as_dict(private=False)), frozenset({"ES256"}))

    async def metadata(self) -> IssuerMetadata:
        if self.is_down:
            raise IssuerUnavailable
        return IssuerMetadata(
            document=b'{"issuer":"https://issuer.example"}',
            authorization_url=f"{ISSUER}/authorize",
            token_url=f"{ISSUER}/token",
            keys_url=f"{ISSUER}/keys",
            end_session_url=None,
            account_url=f"{ISSUER}/account",
            sends_issuer=self.sends_issuer,
        )

    async def redeem(self, token_url: str, code: str, verifier: str) -> str:
        if self.is_down:
            raise IssuerUnavailable
        if (code, verifier) not in self.id_tokens:
            raise CodeRefused("status 400, invalid_grant")
        return self.id_tokens.pop((code, verifier))

    def public_set(self) -> dict[str, Any]:
        return {"keys": [self.key.as_dict(private=False)]}

    def published(self, url: str) -> bytes:
        """What a server at that URL may answer everywhere: its metadata and its keys in one document."""
        places = {name: f"{url}/{name}" for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")}
        return json.dumps({"issuer": url, **places, **self.public_set()}).encode()

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


class FakeMembers:
    """oauth.ports.MemberDirectory that knows everybody by what the token says of them, but for who was shut out."""

    def __init__(self) -> None:
        self.shut_out: set[str] = set()
        self.is_down = False
        self.asked_of: list[Subject] = []

    async def recognize(self, subject: Subject) -> Person | None:
        self.asked_of.append(subject)
        if self.is_down:
            raise MembersUnavailable
        if subject.subject in self.shut_out or subject.organization_id is None:
            return None
        return Person(subject.subject, subject.organization_id, "Ana Souza", "manager", "Padaria Aurora Ltda.", "pt-BR")
