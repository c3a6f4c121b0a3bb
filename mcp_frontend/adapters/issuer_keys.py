"""The issuer's public keys, read over HTTP and kept: the KeySource of production."""

import json
from collections.abc import Mapping
from typing import Any

import httpx2
import structlog
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, OKPKey, RSAKey

from mcp_frontend.adapters.fetched_document import DocumentUnfit, FetchedDocument, FindUrl
from mcp_frontend.oauth.ports import VerifyingKey
from mcp_frontend.ports import Clock

# A shorter modulus can be factored (RFC 7518 3.3).
MINIMUM_RSA_BITS = 2048
_EC_ALGORITHMS = {"P-256": "ES256", "P-384": "ES384", "P-521": "ES512"}
_RSA_ALGORITHMS = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})

_log = structlog.get_logger(__name__)


class IssuerKeys:
    """Must be made inside the serving loop; the HTTP client is the caller's to close."""

    def __init__(self, find_url: FindUrl, client: httpx2.AsyncClient, clock: Clock) -> None:
        self._document: FetchedDocument[Mapping[str, VerifyingKey]] = FetchedDocument(
            find_url, _usable_keys, client, clock
        )

    async def find(self, key_id: str) -> VerifyingKey | None:
        keys = await self._document.get(lambda known: key_id in known)
        return keys.get(key_id)


def _usable_keys(document: bytes) -> dict[str, VerifyingKey]:
    """The signature keys, by id. Keys for encryption and secret ones stand beside them in some issuers' sets."""
    try:
        entries = json.loads(document)["keys"]
    except (ValueError, KeyError, TypeError):
        raise DocumentUnfit("not a JWK Set") from None
    keys: dict[str, VerifyingKey] = {}
    for entry in entries if isinstance(entries, list) else []:
        if not isinstance(entry, dict) or not isinstance(entry.get("kid"), str) or entry.get("use", "sig") != "sig":
            continue
        try:
            key = _key(entry)
        except (JoseError, ValueError, TypeError, KeyError):
            _log.warning("issuer_keys.unusable_key", key_id=entry["kid"][:64])
            continue
        if key is not None:
            keys[entry["kid"]] = key
    if not keys:
        raise DocumentUnfit("no usable key")
    return keys


def _key(entry: Mapping[str, Any]) -> VerifyingKey | None:
    """The key with the algorithms for which it may be used: never one that the token chooses."""
    said = entry.get("alg")
    data = dict(entry)
    match entry.get("kty"):
        case "EC" if (algorithm := _EC_ALGORITHMS.get(str(entry.get("crv")))) is not None:
            algorithms = frozenset({algorithm})
            key: ECKey | RSAKey | OKPKey = ECKey.import_key(data)
        case "OKP" if entry.get("crv") == "Ed25519":
            algorithms = frozenset({"EdDSA", "Ed25519"})
            key = OKPKey.import_key(data)
        case "RSA":
            algorithms = _RSA_ALGORITHMS
            key = RSAKey.import_key(data)
            if key.raw_value.key_size < MINIMUM_RSA_BITS:
                return None
        case _:
            return None
    if said is not None:
        algorithms &= {str(said)}
    return VerifyingKey(key, algorithms) if algorithms else None
