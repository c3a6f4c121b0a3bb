"""Key rings for the front end, as JWK Set texts, and randomness that a test can foresee."""

import json

from joserfc.jwk import ECKey, OctKey


class CountingRandomness:
    """ports.Randomness: never the same bytes twice, and always the same ones in the same test."""

    def __init__(self) -> None:
        self._next = 0

    def token_bytes(self, size: int) -> bytes:
        self._next += 1
        return self._next.to_bytes(size, "big")


def state_keys(*key_ids: str) -> str:
    """A ring of fresh 256-bit keys with these ids, the first one sealing."""
    return jwk_set(*(OctKey.generate_key(256, {"kid": key_id}) for key_id in key_ids or ("s1",)))


def jwk_set(*keys: OctKey | ECKey) -> str:
    return json.dumps({"keys": [key.as_dict(private=True) for key in keys]})
