"""Text of strangers."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tool_service.domain.statements.cleaning import clean, fold


def test_control_and_bidi_characters_are_stripped_and_blanks_run_together() -> None:
    assert clean("PIX\x00\x1b[31m \u202eOIRAUSU\u2066\u200b\t\n FIM\u2028OK\u00a0!", 100) == "PIX[31m OIRAUSU FIM OK !"


def test_a_long_text_is_cut_to_the_limit_with_an_ellipsis() -> None:
    assert clean("abcdef", 5) == "abcd…"


@given(st.text())
def test_clean_text_has_nothing_unseen_and_stays_as_it_is(text: str) -> None:
    cleaned = clean(text, 50)
    assert len(cleaned) <= 50
    assert not [each for each in cleaned if unicodedata.category(each) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]
    assert clean(cleaned, 50) == cleaned


def test_folding_drops_case_accents_and_signs() -> None:
    assert fold("  Crédito (R$) / DÉBITO_Nº-2 ") == "credito r debito no 2"
