"""Which language a person is answered in."""

import pytest

from tool_service.domain.language import Language, choose_language


@pytest.mark.parametrize(
    ("accept_language", "preferences", "expected"),
    [
        ("en", ("pt-BR",), Language.ENGLISH),
        ("fr, en;q=0.5, pt;q=0.9", (), Language.PORTUGUESE),
        ("fr", ("en", "pt-BR"), Language.ENGLISH),
        ("", (None, "pt_BR"), Language.PORTUGUESE),
        ("en;q=0", (), Language.PORTUGUESE),
        ("en;q=many", ("pt-BR",), Language.PORTUGUESE),
        ("*", (None, None), Language.PORTUGUESE),
        ("pt_PT", (), Language.PORTUGUESE),
    ],
)
def test_the_header_wins_then_the_preferences_in_order(
    accept_language: str, preferences: tuple[str | None, ...], expected: Language
) -> None:
    assert choose_language(accept_language, *preferences) is expected
