"""What a movement is about, by the words of its description. A table, no more: nothing is learnt or guessed."""

from dataclasses import dataclass
from itertools import pairwise

from tool_service.domain.language import Localized
from tool_service.domain.statements.cleaning import fold


@dataclass(frozen=True, slots=True)
class Category:
    """`words` are single words or pairs as `fold` leaves them; "^ das" is a description that begins with "das"."""

    code: str
    title: Localized
    words: tuple[str, ...]


def _category(code: str, pt: str, en: str, *words: str) -> Category:
    return Category(code, Localized(pt=pt, en=en), words)


# The first category of the table that has a word of the description wins: what a payment is for stands
# above how it was sent (PIX, TED).
CATEGORIES: tuple[Category, ...] = (
    _category("refunds", "Estornos e devoluções", "Refunds", "estorno", "estornos", "devolucao", "refund", "reversal"),
    _category(
        "taxes",
        "Impostos e encargos",
        "Taxes",
        *("imposto", "impostos", "tributo", "tributos", "tax", "taxes", "darf", "gps", "gru", "dare", "gare"),
        *("inss", "fgts", "iss", "issqn", "icms", "irpj", "irrf", "csll", "pis", "cofins", "iptu", "ipva"),
        # "das" alone is also "of the": FLORICULTURA DAS ROSAS pays no tax.
        *("^ das", "simples nacional", "guia das", "das mei", "pgto das", "pagto das", "pagamento das", "darf das"),
        *("receita federal", "imposto das"),
    ),
    _category(
        "interest",
        "Juros, multas e IOF",
        "Interest and IOF",
        *("iof", "juros", "multa", "mora", "encargos", "interest", "cheque especial", "lis juros"),
    ),
    _category(
        "bank_fees",
        "Tarifas bancárias",
        "Bank fees",
        *("tarifa", "tarifas", "tar", "cesta", "anuidade", "fee", "fees", "pacote servicos", "pacote de"),
    ),
    _category(
        "payroll",
        "Folha e benefícios",
        "Payroll",
        *("folha", "salario", "salarios", "proventos", "ferias", "rescisao", "payroll", "salary", "pro labore"),
        *("prolabore", "decimo terceiro", "vale transporte", "vale refeicao", "vale alimentacao"),
    ),
    _category(
        "rent", "Aluguel e condomínio", "Rent", "aluguel", "alugueis", "locacao", "condominio", "rent", "imobiliaria"
    ),
    _category(
        "utilities",
        "Água, luz e telecomunicações",
        "Utilities",
        *("energia", "luz", "agua", "saneamento", "esgoto", "telefone", "telefonia", "internet", "utilities"),
        *("enel", "cemig", "copel", "cpfl", "light", "sabesp", "electricity"),
    ),
    _category("insurance", "Seguros", "Insurance", "seguro", "seguros", "seguradora", "insurance"),
    _category(
        "loans",
        "Empréstimos e financiamentos",
        "Loans",
        *("emprestimo", "emprestimos", "financiamento", "consorcio", "loan", "capital giro", "saldo devedor"),
    ),
    _category(
        "yield",
        "Rendimentos",
        "Yield",
        *("rendimento", "rendimentos", "rend", "dividendos", "yield", "dividend", "rende facil", "juros capital"),
    ),
    _category(
        "investments",
        "Aplicações e resgates",
        "Investments",
        *("aplicacao", "aplicacoes", "resgate", "resgates", "cdb", "lci", "lca", "poupanca", "tesouro", "investment"),
    ),
    _category(
        "cards",
        "Cartões",
        "Cards",
        *("cartao", "cartoes", "fatura", "visa", "mastercard", "cielo", "getnet", "stone", "pagseguro", "card"),
    ),
    _category(
        "suppliers",
        "Fornecedores",
        "Suppliers",
        *("fornecedor", "fornecedores", "forn", "compra", "compras", "duplicata", "supplier", "suppliers"),
        "nota fiscal",
    ),
    _category(
        "customers",
        "Clientes e cobrança",
        "Customers",
        *("cliente", "clientes", "cobranca", "venda", "vendas", "mensalidade", "recebimento", "customer", "sales"),
        *("liq cobranca", "liquidacao cobranca", "titulo recebido"),
    ),
    _category("bills", "Boletos", "Bills", "boleto", "boletos", "titulo", "titulos", "bill"),
    _category(
        "cash",
        "Saques e depósitos",
        "Cash",
        *("saque", "saques", "deposito", "depositos", "withdrawal", "deposit", "cheque", "cheques"),
    ),
    _category(
        "transfers",
        "Transferências (PIX, TED, DOC)",
        "Transfers (PIX, TED, DOC)",
        *("pix", "ted", "doc", "tef", "tev", "transf", "transferencia", "transferencias", "transfer"),
    ),
)
OTHER = _category("other", "Outros", "Other")

_RANKS = {word: rank for rank, category in reversed(list(enumerate(CATEGORIES))) for word in category.words}
_WORDS = frozenset(_RANKS)
# Every description begins with "^", so for its pairs the second word tells.
_PAIRS_BEGIN = frozenset(pair.removeprefix("^ ").split()[0] for pair in _RANKS if " " in pair)


def categorise(description: str) -> Category:
    """The first category that has a word or a pair of words of the description, else OTHER."""
    words = ["^", *fold(description).split()]
    found = _WORDS.intersection(words)
    # Most descriptions have no word that begins a pair.
    if not _PAIRS_BEGIN.isdisjoint(words):
        found |= _WORDS.intersection(map(" ".join, pairwise(words)))
    return CATEGORIES[min(map(_RANKS.__getitem__, found))] if found else OTHER


class Categoriser:
    """`categorise` that remembers: descriptions repeat."""

    # Enough for every payee of a month, and a bound for a file where none repeats.
    _REMEMBERED = 20_000

    def __init__(self) -> None:
        self._known: dict[str, Category] = {}

    def __call__(self, description: str) -> Category:
        category = self._known.get(description)
        if category is None:
            category = categorise(description)
            if len(self._known) < self._REMEMBERED:
                self._known[description] = category
        return category
