"""How amounts, days and counts are written in the person's language."""

from dataclasses import dataclass
from datetime import date

from tool_service.domain.language import Language, Localized
from tool_service.domain.money import format_brl
from tool_service.domain.statements.figures import Period

# Said in every text: whoever reads a figure should know how it came about.
RULE_BASED = Localized(
    pt="Feito por regras fixas, sem modelo de linguagem; confira o que for fora do comum.",
    en="Made by fixed rules, without a language model; check what is out of the ordinary.",
)
NOTHING = Localized(pt="nenhum lançamento", en="no movements")


@dataclass(frozen=True, slots=True)
class Wording:
    language: Language
    currency: str

    def __call__(self, text: Localized) -> str:
        return text.in_(self.language)

    def pick(self, pt: str, en: str) -> str:
        return Localized(pt=pt, en=en).in_(self.language)

    def money(self, cents: int) -> str:
        """ "R$ 1.234,56" or "BRL 1,234.56"; another currency by its code, "USD 1.234,56"."""
        text = format_brl(cents, self.language)
        return text if self.currency == "BRL" else text.replace("R$", self.currency).replace("BRL", self.currency)

    def day(self, day: date) -> str:
        """ "31/12/2026" or "2026-12-31"."""
        return day.isoformat() if self.language is Language.ENGLISH else f"{day.day:02d}/{day.month:02d}/{day.year}"

    def month(self, key: str) -> str:
        """ "12/2026" for the key "2026-12", which is how English says it."""
        year, month = key.split("-")
        return self.pick(f"{month}/{year}", key)

    def count(self, number: int) -> str:
        return self.pick(f"{number:,}".replace(",", "."), f"{number:,}")

    def movements(self, number: int) -> str:
        """ "1 lançamento", "2 lançamentos"."""
        noun = self.pick("lançamento", "movement")
        return f"{self.count(number)} {noun}{'' if number == 1 else 's'}"

    def period(self, period: Period) -> str:
        """ "01/12/2026 a 31/12/2026", or that there is nothing."""
        if period.first is None or period.last is None:
            return self(NOTHING)
        return f"{self.day(period.first)} {self.pick('a', 'to')} {self.day(period.last)}"
