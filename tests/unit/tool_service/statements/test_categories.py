"""The table of categories."""

import pytest

from tool_service.domain.statements.categories import CATEGORIES, OTHER, categorise
from tool_service.domain.statements.cleaning import fold


@pytest.mark.parametrize(
    ("description", "code"),
    [
        ("PIX ENVIADO JOAO", "transfers"),
        ("TED 0042", "transfers"),
        ("DOC ELETRONICO", "transfers"),
        ("Transferência recebida", "transfers"),
        ("TARIFA PIX", "bank_fees"),
        ("Cesta de Serviços", "bank_fees"),
        ("IOF S/ CHEQUE ESPECIAL", "interest"),
        ("PIX ALUGUEL LOJA 2", "rent"),
        ("Folha de pagamento", "payroll"),
        ("SALÁRIO REF 10/2026", "payroll"),
        ("DARF 0220", "taxes"),
        ("DAS 10/2026", "taxes"),
        ("PGTO DAS SIMPLES", "taxes"),
        ("PAGTO FORNECEDOR MOINHO", "suppliers"),
        ("FATURA CARTÃO", "cards"),
        ("RENDIMENTO APLIC AUTOM", "yield"),
        ("Estorno de tarifa", "refunds"),
        ("SALDO DEVEDOR QUITADO", "loans"),
        ("BOLETO 123", "bills"),
        ("SAQUE 24H", "cash"),
        ("FLORICULTURA DAS ROSAS", "other"),
        ("PIXEL STUDIO", "other"),
        ("", "other"),
    ],
)
def test_words_of_the_description_choose_the_category(description: str, code: str) -> None:
    assert categorise(description).code == code


def test_the_table_is_written_as_descriptions_are_folded() -> None:
    words = [word for category in CATEGORIES for word in category.words]
    assert [word for word in words if word.removeprefix("^ ") != fold(word) or len(word.split()) > 2] == []


def test_no_word_stands_in_the_table_twice_and_no_code_either() -> None:
    words = [word for category in CATEGORIES for word in category.words]
    codes = [category.code for category in (*CATEGORIES, OTHER)]
    assert sorted(words) == sorted(set(words))
    assert sorted(codes) == sorted(set(codes))
