"""Key rings as JWK Set files: the first key writes, all of them read, so a key is rotated by adding one in front.

A ring that is not exactly what it should be is refused before anything uses it. Local stacks
generate theirs (`adapters/local_keys.py`); elsewhere an operator supplies the files.
"""

import json
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from joserfc.errors import JoseError
from joserfc.jwk import ECKey, KeySet, OctKey

SECRET_BYTES = 32
_ID_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


class KeyRingError(Exception):
    """The ring cannot be used; the message is one sentence that names the file and what to do, and shows no key."""


@dataclass(frozen=True, slots=True)
class SecretKey:
    """256 random bits and the id under which they are found again; `repr` does not show them."""

    id: str
    secret: bytes = field(repr=False)


def load_signing_keys(path: Path) -> KeySet:
    """Private ES256 keys, the first of which signs.

    Raises:
        KeyRingError: see there.
    """
    keys = _read(path, secret=True)
    return KeySet([_elliptic(path, key, private=True) for key in keys])


def load_verifying_keys(path: Path) -> KeySet:
    """Public ES256 keys. A private one is refused: it has no business on this side.

    Raises:
        KeyRingError: see there.
    """
    keys = _read(path, secret=False)
    return KeySet([_elliptic(path, key, private=False) for key in keys])


def load_secret_keys(path: Path) -> tuple[SecretKey, ...]:
    """Keys of 256 bits for sealing and for signed URLs, the first of which writes.

    Raises:
        KeyRingError: see there.
    """
    return tuple(_secret(path, key) for key in _read(path, secret=True))


def _read(path: Path, *, secret: bool) -> list[dict[str, Any]]:
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise KeyRingError(f"The key file {path} is not text; put a JWK Set there.") from None
    except OSError as error:
        raise KeyRingError(f"The key file {path} cannot be read ({error.strerror}).") from error
    # The group may read: container platforms hand secrets to a process by its group.
    if secret and mode & (stat.S_IWGRP | stat.S_IRWXO):
        raise KeyRingError(f"The key file {path} is open to others; run chmod 600 on it.")
    try:
        keys = json.loads(text)["keys"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise KeyRingError(f'The key file {path} is no JWK Set: it must be {{"keys": [...]}}.') from None
    if not isinstance(keys, list) or not keys or not all(isinstance(key, dict) for key in keys):
        raise KeyRingError(f"The key file {path} holds no keys; the first key writes, all of them read.")
    ids = [key.get("kid") for key in keys]
    if not all(isinstance(each, str) and each and _ID_CHARACTERS.issuperset(each) for each in ids):
        raise KeyRingError(f"Every key in {path} needs a kid of letters, digits, - and _.")
    if len(set(ids)) != len(ids):
        raise KeyRingError(f"Two keys in {path} have the same kid.")
    return keys


def _elliptic(path: Path, key: dict[str, Any], *, private: bool) -> ECKey:
    place = f"The key {key['kid']} in {path}"
    if key.get("kty") != "EC" or key.get("crv") != "P-256" or key.get("alg", "ES256") != "ES256":
        raise KeyRingError(f"{place} must be a P-256 key for ES256.")
    if key.get("use", "sig") != "sig":
        raise KeyRingError(f"{place} must be for signatures.")
    if private and "d" not in key:
        raise KeyRingError(f"{place} must be private: it has to sign.")
    if not private and "d" in key:
        raise KeyRingError(f"{place} is private; put only its public half there.")
    try:
        imported = ECKey.import_key(key)
        # Parsed on first use otherwise, which would be in the middle of a request.
        _ = imported.raw_value
    except (JoseError, ValueError, TypeError):
        raise KeyRingError(f"{place} is damaged.") from None
    return imported


def _secret(path: Path, key: dict[str, Any]) -> SecretKey:
    place = f"The key {key['kid']} in {path}"
    if key.get("kty") != "oct":
        raise KeyRingError(f"{place} must be of the kind oct.")
    try:
        secret = OctKey.import_key(key).raw_value
    except (JoseError, ValueError, TypeError):
        raise KeyRingError(f"{place} is damaged.") from None
    if len(secret) != SECRET_BYTES:
        raise KeyRingError(f"{place} must have {SECRET_BYTES * 8} bits.")
    return SecretKey(key["kid"], secret)
