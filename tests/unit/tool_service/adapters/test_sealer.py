"""What is sealed comes back whole, to its own purpose and key ring, and nothing else does."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tool_service.adapters.key_ring import SecretKey
from tool_service.adapters.sealer import AesGcmSealer

OLD = SecretKey("old-1", bytes(range(32)))
NEW = SecretKey("new_2", bytes(range(32, 64)))
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


@given(st.binary(max_size=2000), st.text(st.characters(codec="utf-8"), max_size=20))
def test_what_was_sealed_opens_for_its_purpose(data: bytes, purpose: str) -> None:
    sealer = AesGcmSealer([OLD])
    sealed = sealer.seal(purpose, data)
    assert re.fullmatch(r"old-1\.[A-Za-z0-9_-]+", sealed)
    assert sealer.open(purpose, sealed) == data
    assert sealer.open(purpose + "x", sealed) is None


def test_the_same_data_is_sealed_differently_each_time() -> None:
    sealer = AesGcmSealer([OLD])
    assert sealer.seal("cursor", b"data") != sealer.seal("cursor", b"data")


def test_after_a_rotation_the_new_key_seals_and_the_old_one_still_opens() -> None:
    sealed_before = AesGcmSealer([OLD]).seal("cursor", b"before")
    rotated = AesGcmSealer([NEW, OLD])
    assert rotated.open("cursor", sealed_before) == b"before"
    sealed_after = rotated.seal("cursor", b"after")
    assert sealed_after.startswith("new_2.")
    assert AesGcmSealer([NEW]).open("cursor", sealed_after) == b"after"


def test_a_key_that_left_the_ring_opens_nothing_any_more() -> None:
    assert AesGcmSealer([NEW]).open("cursor", AesGcmSealer([OLD]).seal("cursor", b"data")) is None


def test_an_id_of_our_ring_does_not_help_a_stranger_with_another_key() -> None:
    stranger = AesGcmSealer([SecretKey(OLD.id, NEW.secret)])
    assert AesGcmSealer([OLD]).open("cursor", stranger.seal("cursor", b"data")) is None


def test_no_character_of_sealed_text_can_be_changed_cut_or_added() -> None:
    sealer = AesGcmSealer([OLD])
    sealed = sealer.seal("cursor", b"data")
    start = len("old-1.")
    changed = [
        sealed[:at] + other + sealed[at + 1 :]
        for at in range(start, len(sealed))
        for other in ALPHABET
        if other != sealed[at]
    ]
    cut = [sealed[:end] for end in range(len(sealed))]
    added = [sealed + extra for extra in ("=", "A", "AA", "\n", ".", " ")]
    assert [text for text in [*changed, *cut, *added] if sealer.open("cursor", text) is not None] == []


@pytest.mark.parametrize(
    "garbage", ["", ".", "old-1", "old-1.", "old-1.ç", "old-1.\ud800", "old-1." + "A" * 20_000, "\x00.\x00"]
)
def test_garbage_opens_to_nothing(garbage: str) -> None:
    assert AesGcmSealer([OLD]).open("cursor", garbage) is None


@given(st.text())
def test_any_text_at_all_opens_to_nothing(text: str) -> None:
    sealer = AesGcmSealer([OLD])
    assert sealer.open("cursor", text) is None
    assert sealer.open("cursor", f"{OLD.id}.{text}") is None


def test_a_secret_key_does_not_show_its_secret() -> None:
    assert repr(OLD) == "SecretKey(id='old-1')"
