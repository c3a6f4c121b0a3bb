"""Money in words."""

import pytest

from tool_service.domain.language import Language
from tool_service.domain.money import format_brl


@pytest.mark.parametrize(
    ("cents", "portuguese", "english"),
    [
        (0, "R$ 0,00", "BRL 0.00"),
        (5, "R$ 0,05", "BRL 0.05"),
        (123_456, "R$ 1.234,56", "BRL 1,234.56"),
        (-100, "-R$ 1,00", "-BRL 1.00"),
        (100_000_000, "R$ 1.000.000,00", "BRL 1,000,000.00"),
    ],
)
def test_cents_are_written_as_each_language_does(cents: int, portuguese: str, english: str) -> None:
    assert (format_brl(cents, Language.PORTUGUESE), format_brl(cents, Language.ENGLISH)) == (portuguese, english)
