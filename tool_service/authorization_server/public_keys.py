"""What the world may see of a signing ring."""

from typing import Any

from joserfc.jwk import KeySet

ALGORITHM = "ES256"


def public_key_set(ring: KeySet) -> dict[str, Any]:
    """The public halves as a JWK Set (RFC 7517, 5), each with its kid, alg and use."""
    return {"keys": [{**key.as_dict(private=False), "use": "sig", "alg": ALGORITHM} for key in ring.keys]}
