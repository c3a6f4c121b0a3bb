"""Money in text. Amounts are integer cents of BRL everywhere; only here do they become words."""

from tool_service.domain.language import Language


def format_brl(cents: int, language: Language) -> str:
    """ "R$ 1.234,56" in Portuguese, "BRL 1,234.56" in English; a minus sign stands in front."""
    whole, fraction = divmod(abs(cents), 100)
    sign = "-" if cents < 0 else ""
    text = f"{whole:,}.{fraction:02d}"
    if language is Language.PORTUGUESE:
        return f"{sign}R$ {text.translate(str.maketrans(',.', '.,'))}"
    return f"{sign}BRL {text}"
