"""Key files: generated once and safely, read strictly."""

import json
import sys
from base64 import urlsafe_b64encode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import run
from typing import Any

import pytest

from tool_service.adapters import local_keys
from tool_service.adapters.key_ring import (
    KeyRingError,
    SecretKey,
    load_secret_keys,
    load_signing_keys,
    load_verifying_keys,
)
from tool_service.adapters.local_keys import generate_missing_rings

ROOT = Path(__file__).resolve().parents[2]
SECRET = bytes(range(32))
OCT = {"kty": "oct", "kid": "seal-1", "k": urlsafe_b64encode(SECRET).rstrip(b"=").decode()}
# RFC 7515, appendix A.3.1.
EC = {
    "kty": "EC",
    "crv": "P-256",
    "kid": "sign-1",
    "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
}
EC_PUBLIC = {name: value for name, value in EC.items() if name != "d"}
ALL_RINGS = {
    local_keys.ISSUER_KEYS,
    local_keys.SEAL_KEYS,
    local_keys.ASSERTION_KEYS,
    local_keys.ASSERTION_PUBLIC_KEYS,
    local_keys.STATE_KEYS,
}


def _write(path: Path, content: Any, mode: int = 0o600) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    path.chmod(mode)
    return path


def _contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_a_first_start_makes_every_ring_for_its_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "keys"
    generate_missing_rings(folder)
    assert {path.name for path in folder.iterdir()} == ALL_RINGS
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700


def test_generated_rings_are_what_the_services_load(tmp_path: Path) -> None:
    generate_missing_rings(tmp_path)
    issuer = load_signing_keys(tmp_path / local_keys.ISSUER_KEYS)
    assertion = load_signing_keys(tmp_path / local_keys.ASSERTION_KEYS)
    public = load_verifying_keys(tmp_path / local_keys.ASSERTION_PUBLIC_KEYS)
    seal = load_secret_keys(tmp_path / local_keys.SEAL_KEYS)
    state = load_secret_keys(tmp_path / local_keys.STATE_KEYS)
    assert len({issuer.keys[0].kid, assertion.keys[0].kid}) == 2
    assert [key.as_dict(private=False) for key in public] == [
        {**key.as_dict(private=False), "alg": "ES256", "use": "sig"} for key in assertion
    ]
    assert seal[0].secret != state[0].secret


def test_a_second_start_keeps_every_ring(tmp_path: Path) -> None:
    generate_missing_rings(tmp_path)
    first = _contents(tmp_path)
    generate_missing_rings(tmp_path)
    assert _contents(tmp_path) == first


def test_the_public_half_follows_the_assertion_keys(tmp_path: Path) -> None:
    generate_missing_rings(tmp_path)
    (tmp_path / local_keys.ASSERTION_KEYS).unlink()
    generate_missing_rings(tmp_path)
    private = load_signing_keys(tmp_path / local_keys.ASSERTION_KEYS)
    public = load_verifying_keys(tmp_path / local_keys.ASSERTION_PUBLIC_KEYS)
    assert [key.kid for key in public] == [key.kid for key in private]


def test_processes_that_start_at_once_end_with_the_same_keys(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    program = (
        "import sys; from pathlib import Path; from tool_service.adapters.local_keys import *;"
        "folder = Path(sys.argv[1]); generate_missing_rings(folder);"
        "sys.stdout.write('\\n'.join((folder / name).read_text() for name in"
        " (ISSUER_KEYS, SEAL_KEYS, ASSERTION_KEYS, STATE_KEYS)))"
    )

    def start(_: int) -> bytes:
        return run([sys.executable, "-c", program, str(folder)], cwd=ROOT, check=True, capture_output=True).stdout

    with ThreadPoolExecutor(4) as processes:
        seen = set(processes.map(start, range(4)))
    assert len(seen) == 1
    assert {path.name for path in folder.iterdir()} == ALL_RINGS


def test_a_ring_is_read_in_its_order_whatever_the_group_may_read(tmp_path: Path) -> None:
    second = {**OCT, "kid": "seal-0"}
    path = _write(tmp_path / "keys.json", {"keys": [OCT, second]}, mode=0o440)
    assert load_secret_keys(path) == (SecretKey("seal-1", SECRET), SecretKey("seal-0", SECRET))
    signing = load_signing_keys(_write(tmp_path / "sign.json", {"keys": [EC]}))
    assert [key.as_dict(private=True) for key in signing] == [EC]
    public = load_verifying_keys(_write(tmp_path / "public.json", {"keys": [EC_PUBLIC]}, mode=0o644))
    assert [key.as_dict(private=False) for key in public] == [EC_PUBLIC]


@pytest.mark.parametrize("mode", [0o604, 0o602, 0o620, 0o644, 0o666])
def test_a_secret_ring_that_is_open_to_others_is_refused(tmp_path: Path, mode: int) -> None:
    path = _write(tmp_path / "keys.json", {"keys": [OCT]}, mode=mode)
    with pytest.raises(KeyRingError, match=r"keys\.json is open to others; run chmod 600 on it\.$"):
        load_secret_keys(path)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "is no JWK Set"),
        ("[" * 100_000, "is no JWK Set"),
        ([], "is no JWK Set"),
        ({}, "is no JWK Set"),
        ({"keys": []}, "holds no keys"),
        ({"keys": {}}, "holds no keys"),
        ({"keys": ["key"]}, "holds no keys"),
        ({"keys": [{**EC, "kid": ""}]}, "needs a kid"),
        ({"keys": [{**EC, "kid": "a.b"}]}, "needs a kid"),
        ({"keys": [{**EC, "kid": 5}]}, "needs a kid"),
        ({"keys": [EC, EC]}, "have the same kid"),
        ({"keys": [EC_PUBLIC]}, "must be private"),
        ({"keys": [{**EC, "alg": "ES384"}]}, "must be a P-256 key for ES256"),
        ({"keys": [{**EC, "crv": "P-384"}]}, "must be a P-256 key for ES256"),
        ({"keys": [{**EC, "use": "enc"}]}, "must be for signatures"),
        ({"keys": [OCT]}, "must be a P-256 key for ES256"),
        ({"keys": [{**EC, "x": EC["y"]}]}, "is damaged"),
        ({"keys": [{**EC, "d": 5}]}, "is damaged"),
    ],
)
def test_a_signing_ring_that_is_not_one_is_refused_in_one_sentence(tmp_path: Path, content: Any, sentence: str) -> None:
    path = _write(tmp_path / "keys.json", content)
    with pytest.raises(KeyRingError) as refused:
        load_signing_keys(path)
    message = str(refused.value)
    assert sentence in message
    assert str(path) in message
    assert message.endswith(".")
    assert EC["d"] not in message


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        (EC, "must be of the kind oct"),
        ({**OCT, "k": OCT["k"][:20]}, "must have 256 bits"),
        ({**OCT, "k": 7}, "is damaged"),
        ({"kty": "oct", "kid": "seal-1"}, "is damaged"),
    ],
)
def test_a_ring_of_secrets_that_is_not_one_is_refused(tmp_path: Path, key: dict[str, Any], sentence: str) -> None:
    path = _write(tmp_path / "keys.json", {"keys": [key]})
    with pytest.raises(KeyRingError, match=sentence):
        load_secret_keys(path)


def test_a_private_key_among_the_public_ones_is_refused(tmp_path: Path) -> None:
    path = _write(tmp_path / "keys.json", {"keys": [EC]})
    with pytest.raises(KeyRingError, match="put only its public half there"):
        load_verifying_keys(path)


def test_a_file_that_is_not_there_or_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(KeyRingError, match=r"keys\.json cannot be read \(No such file or directory\)\.$"):
        load_signing_keys(tmp_path / "keys.json")
    (tmp_path / "keys.json").write_bytes(b"\xff\xfe")
    with pytest.raises(KeyRingError, match=r"keys\.json is not text"):
        load_signing_keys(tmp_path / "keys.json")
