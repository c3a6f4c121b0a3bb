"""Text of others stays text: nothing hidden, nothing reordered."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tool_service.domain.third_party_text import harmless, harmless_json, harmless_line


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Saldo: R$ 1.234,56\n\tfim", "Saldo: R$ 1.234,56\n\tfim"),
        ("um\r\ndois\rtrês", "um\ndois\ntrês"),
        ("a\x00b\x1b[31mc", "ab[31mc"),
        ("\u202efdp.exe\u202c", "fdp.exe"),
        ("\u2066x\u2069\u200b\ufeff", "x"),
        ("https://example.com/[x](y)", "https://example.com/[x](y)"),
        ("\ud800", ""),
    ],
)
def test_what_cannot_be_seen_is_taken_out(text: str, clean: str) -> None:
    assert harmless(text) == clean


@given(st.text(alphabet=st.characters()))
def test_no_control_and_no_direction_character_is_left(text: str) -> None:
    categories = {unicodedata.category(each) for each in harmless(text) if each not in "\n\t"}
    assert categories.isdisjoint({"Cc", "Cf", "Cs"})


@given(st.text())
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert harmless(harmless(text)) == harmless(text)


def test_a_line_has_no_break_and_keeps_its_length() -> None:
    assert harmless_line(" um\n dois \x00três ", 7) == "um dois"


def test_every_text_of_a_json_value_is_cleaned_keys_too() -> None:
    value = {"a\u202e": ["b\x00", {"c": 1}, None, True, 1.5]}
    assert harmless_json(value) == {"a": ["b", {"c": 1}, None, True, 1.5]}
