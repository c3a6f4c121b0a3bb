"""What the columns of a CSV statement are called, by Brazilian banks, ledgers and English ones."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from tool_service.domain.language import Localized
from tool_service.domain.statements.cleaning import fold


class Column(Enum):
    DATE = "date"
    DESCRIPTION = "description"
    AMOUNT = "amount"
    DEBIT = "debit"
    CREDIT = "credit"
    # "D" or "C" beside an amount without sign.
    DIRECTION = "direction"
    # A direction in some files, a kind of payment in others.
    KIND = "kind"
    BALANCE = "balance"
    DOCUMENT = "document"
    # Unique for a movement, unlike a document number.
    IDENTIFIER = "identifier"


# Names as `fold` leaves them, without the currency sign of "Valor (R$)".
NAMES: dict[Column, tuple[str, ...]] = {
    Column.DATE: (
        "data",
        "dt",
        "data mov",
        "data movimento",
        "data movimentacao",
        "data lancamento",
        "data do lancamento",
        "data transacao",
        "data da transacao",
        "data pagamento",
        "date",
        "transaction date",
        "posting date",
        "posted date",
        "booking date",
    ),
    Column.DESCRIPTION: (
        "descricao",
        "historico",
        "lancamento",
        "detalhes",
        "detalhe",
        "complemento",
        "titulo",
        "memo",
        "estabelecimento",
        "favorecido",
        "razao social",
        "description",
        "details",
        "narrative",
        "payee",
    ),
    Column.AMOUNT: ("valor", "valores", "valor lancamento", "valor do lancamento", "quantia", "amount", "value"),
    Column.DEBIT: ("debito", "debitos", "saida", "saidas", "debit", "debits", "withdrawal", "withdrawals", "paid out"),
    Column.CREDIT: (
        "credito",
        "creditos",
        "entrada",
        "entradas",
        "credit",
        "credits",
        "deposit",
        "deposits",
        "paid in",
    ),
    Column.DIRECTION: (
        "d c",
        "c d",
        "deb cred",
        "debito credito",
        "natureza",
        "tipo lancamento",
        "tipo de lancamento",
        "debit credit",
    ),
    Column.KIND: ("tipo", "type"),
    Column.BALANCE: ("saldo", "saldos", "saldo apos", "balance", "running balance"),
    Column.DOCUMENT: (
        "documento",
        "doc",
        "docto",
        "dcto",
        "nr doc",
        "n documento",
        "no documento",
        "numero documento",
        "numero do documento",
        "document",
        "reference",
        "check number",
    ),
    Column.IDENTIFIER: ("id", "identificador", "id transacao", "id da transacao", "transaction id", "fitid"),
}

# D or C, and what banks and ledgers print in full.
DIRECTIONS = {
    "d": -1,
    "debito": -1,
    "debit": -1,
    "deb": -1,
    "saida": -1,
    "despesa": -1,
    "pagamento": -1,
    "c": 1,
    "credito": 1,
    "credit": 1,
    "cred": 1,
    "entrada": 1,
    "receita": 1,
    "recebimento": 1,
}

_COLUMN_OF = {name: column for column, names in NAMES.items() for name in names}
_CURRENCY_WORDS = frozenset({"r", "rs", "brl", "reais"})


@dataclass(frozen=True, slots=True)
class Columns:
    """Where each column stands in a row, from 0; descriptions may be spread over several."""

    at: dict[Column, int]
    descriptions: tuple[int, ...]
    width: int
    repeated: Column | None = field(default=None)

    @property
    def complete(self) -> bool:
        """A statement needs a day and an amount; everything else may be missing."""
        return Column.DATE in self.at and not self.at.keys().isdisjoint({Column.AMOUNT, Column.DEBIT, Column.CREDIT})

    @property
    def recognised(self) -> int:
        return len(self.at) + len(self.descriptions)


def recognise(cells: Sequence[str]) -> Columns:
    """The columns that the cells of a header name; unknown names are left alone."""
    at: dict[Column, int] = {}
    descriptions: list[int] = []
    repeated = None
    for index, cell in enumerate(cells):
        column = _COLUMN_OF.get(" ".join(word for word in fold(cell).split() if word not in _CURRENCY_WORDS))
        if column is Column.DESCRIPTION:
            descriptions.append(index)
        elif column in at:
            repeated = repeated or column
        elif column is not None:
            at[column] = index
    return Columns(at, tuple(descriptions), len(cells), repeated)


NO_HEADER = Localized(
    pt="não há cabeçalho com colunas de data e de valor (por exemplo: data;descrição;valor)",
    en="there is no header with a date and an amount column (for example: date;description;amount)",
)


def repeated_column(column: Column) -> Localized:
    """Which of the two counts is a guess, so neither does."""
    name = NAMES[column][0]
    return Localized(
        pt=f"o cabeçalho tem duas colunas do mesmo tipo («{name}»)",
        en=f"the header has two columns of one kind (“{column.value}”)",
    )
