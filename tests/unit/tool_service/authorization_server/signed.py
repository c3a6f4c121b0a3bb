"""Keys of the tests, and tokens made by hand: with `cryptography` alone, so not by what they test."""

import json
from base64 import urlsafe_b64encode
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from joserfc.jwk import ECKey, KeySet


class HandSigner:
    """An ES256 key (RFC 7518, 3.4) under a kid."""

    def __init__(self, kid: str) -> None:
        self.kid = kid
        self._key = ec.generate_private_key(ec.SECP256R1())

    def sign(self, claims: Any, **header: Any) -> str:
        """A JWT of the claims; `header` overrides, and removes what it sets to None."""
        chosen = {"alg": "ES256", "kid": self.kid, **header}
        head = _encoded({name: value for name, value in chosen.items() if value is not None})
        message = f"{head}.{_encoded(claims)}"
        r, s = decode_dss_signature(self._key.sign(message.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{message}.{_base64url(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"

    def jwk(self, *, private: bool) -> dict[str, str | list[str]]:
        numbers = self._key.private_numbers()
        jwk: dict[str, str | list[str]] = {
            "kty": "EC",
            "crv": "P-256",
            "kid": self.kid,
            "x": _base64url(numbers.public_numbers.x.to_bytes(32, "big")),
            "y": _base64url(numbers.public_numbers.y.to_bytes(32, "big")),
        }
        return {**jwk, "d": _base64url(numbers.private_value.to_bytes(32, "big"))} if private else jwk

    def key(self, *, private: bool = True) -> ECKey:
        return ECKey.import_key(self.jwk(private=private))


def ring(*signers: HandSigner, private: bool = True) -> KeySet:
    return KeySet([signer.key(private=private) for signer in signers])


def _encoded(value: Any) -> str:
    return _base64url(json.dumps(value).encode())


def _base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
