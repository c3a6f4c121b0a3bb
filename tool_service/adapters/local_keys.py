"""Key rings for a local stack, made on its first start. Never used where an operator supplies keys."""

import json
import os
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from joserfc.jwk import ECKey

from tool_service.adapters.key_ring import SECRET_BYTES, load_signing_keys
from tool_service.authorization_server.public_keys import public_key_set

ISSUER_KEYS = "issuer_keys.json"
SEAL_KEYS = "seal_keys.json"
ASSERTION_KEYS = "assertion_keys.json"
ASSERTION_PUBLIC_KEYS = "assertion_public_keys.json"
STATE_KEYS = "state_keys.json"

_FOLDER_MODE = 0o700
_FILE_MODE = 0o600


def generate_missing_rings(folder: Path) -> None:
    """Make the rings that the folder lacks, one key each; those that exist stay as they are.

    Processes that start together end with the same keys. The public half of the assertion keys
    is derived anew when it does not fit them.

    Raises:
        KeyRingError: the assertion keys that exist cannot be used.
        OSError: the folder cannot be written.
    """
    folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
    for name in (ISSUER_KEYS, ASSERTION_KEYS):
        if not (folder / name).exists():
            _write_first(folder / name, _signing_ring())
    for name in (SEAL_KEYS, STATE_KEYS):
        if not (folder / name).exists():
            _write_first(folder / name, _secret_ring())
    public = public_key_set(load_signing_keys(folder / ASSERTION_KEYS))
    if _read(folder / ASSERTION_PUBLIC_KEYS) != public:
        _replace(folder / ASSERTION_PUBLIC_KEYS, public)


def _signing_ring() -> dict[str, Any]:
    key = ECKey.generate_key("P-256", {"use": "sig", "alg": "ES256"}, private=True, auto_kid=True)
    return {"keys": [key.as_dict(private=True)]}


def _secret_ring() -> dict[str, Any]:
    secret = urlsafe_b64encode(secrets.token_bytes(SECRET_BYTES)).rstrip(b"=").decode()
    return {"keys": [{"kty": "oct", "kid": secrets.token_hex(4), "k": secret}]}


def _write_first(path: Path, ring: Mapping[str, Any]) -> None:
    """Write the file whole, unless somebody else's is there by then: theirs stays."""
    temporary = _temporary(path, ring)
    try:
        os.link(temporary, path)
    except FileExistsError:
        pass
    finally:
        temporary.unlink()


def _replace(path: Path, ring: Mapping[str, Any]) -> None:
    _temporary(path, ring).replace(path)


def _temporary(path: Path, ring: Mapping[str, Any]) -> Path:
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    # The mode is there from the first moment: at no time may others read a key.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_MODE)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(ring, file, indent=2)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    return temporary


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
