"""CSV files that cannot be read: each is refused by name and line, never half read."""

import pytest

from tests.support.statements import read, refusal
from tool_service.domain.language import Language
from tool_service.domain.statements.errors import StatementError

HEADER = "data;descrição;valor\n"
GOOD = "03/11/2026;PIX;1,00\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "linha 1: o arquivo está vazio"),
        (" \n\n \t\n", "linha 1: o arquivo está vazio"),
        ("olá\nmundo\n", "linha 1: não há cabeçalho com colunas de data e de valor"),
        ("\n\nnome;idade\nAna;3\n", "linha 3: não há cabeçalho"),
        ("data;descrição\n03/11/2026;PIX\n", "linha 1: não há cabeçalho"),
        ("data;valor;descrição;valor\n", "linha 1: o cabeçalho tem duas colunas do mesmo tipo («valor»)"),
        ("data;data;valor\n", "linha 1: o cabeçalho tem duas colunas do mesmo tipo («data»)"),
        (HEADER + GOOD + "32/11/2026;PIX;1,00\n", "linha 3: «32/11/2026» não é uma data dia/mês/ano"),
        (HEADER + GOOD + ";PIX;1,00\n", "linha 3: «» não é uma data"),
        (HEADER + GOOD + "03/11/2026;PIX;abc\n", "linha 3: «abc» não é um valor"),
        (HEADER + GOOD + "03/11/2026;PIX;\n", "linha 3: falta o valor"),
        (HEADER + GOOD + "03/11/2026;PIX\n", "linha 3: falta o valor"),
        (HEADER + GOOD + "03/11/2026;PIX;1,001\n", "linha 3: o valor «1,001» tem mais de duas casas decimais"),
        (HEADER + GOOD + GOOD + "03/11/2026;PIX;1.50\n", "linha 4: «1.50» não é um valor"),
        (HEADER + GOOD + "03/11/2026;PIX;1,00;9\n", "linha 3: há mais colunas que no cabeçalho"),
        ("date,description,amount\n2026-11-03,PIX,10,50\n", "linha 2: há mais colunas que no cabeçalho"),
        (HEADER + '03/11/2026;"PIX;1,00\n' + GOOD, "linha 2: as aspas desta linha não fecham"),
        (HEADER + '03/11/2026;"PIX" X;1,00\n', "linha 2: as aspas desta linha não fecham, ou há texto depois delas"),
        ("data;débito;crédito\n03/11/2026;1,00;2,00\n", "linha 2: há débito e crédito na mesma linha"),
        ("data;valor;d/c\n03/11/2026;1,00;X\n", "linha 2: «X» não diz se é débito (D) ou crédito (C)"),
        (HEADER + GOOD + "03/11/2026;P\0X;1,00\n", "linha 3: há bytes nulos; isto não é texto"),
        (HEADER + "x" * 70_000, "linha 2: a linha passa de 65536 caracteres"),
        (HEADER + "x" * 70_000 + "\n" + GOOD, "linha 2: a linha passa de 65536 caracteres"),
    ],
)
def test_a_malformed_file_is_refused_naming_file_and_line(text: str, told: str) -> None:
    assert refusal(text).startswith(f"extrato.csv, {told}")


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"%PDF-1.7\n", "PDF"),
        (b"PK\x03\x04", "XLSX/ZIP"),
        (b"\xd0\xcf\x11\xe0", "XLS"),
        (b"\x89PNG\r\n", "PNG"),
        (b"\xff\xd8\xff\xe0", "JPEG"),
        ("data;valor\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_a_file_of_another_type_is_named(content: bytes, name: str) -> None:
    assert refusal(content).startswith(f"extrato.csv, linha 1: isto é {name}; leio extratos OFX e CSV")


def test_more_rows_than_the_limit_are_refused_at_the_first_one_too_many() -> None:
    assert read(HEADER + GOOD * 3, row_limit=3).movements
    assert refusal(HEADER + GOOD * 4, row_limit=3).startswith(
        "extrato.csv, linha 5: os arquivos passam de 3 lançamentos"
    )


def test_a_quoted_cell_that_never_ends_names_the_line_where_it_begins_and_reads_no_further() -> None:
    text = HEADER + GOOD + '03/11/2026;"' + "A\n" * 200_000
    assert refusal(text, row_limit=10).startswith("extrato.csv, linha 3: as aspas desta linha não fecham")


def test_the_message_comes_in_the_language_of_the_person_with_a_clean_file_name() -> None:
    with pytest.raises(StatementError) as caught:
        read("", filename="ext\u202erato\n.csv")
    assert caught.value.message(Language.ENGLISH) == "extrato .csv, line 1: the file is empty"


def test_a_quotation_of_the_file_is_clean_and_short() -> None:
    told = refusal(HEADER + "03/11/2026;PIX;\u202e" + "9" * 300 + "\n")
    assert told == f"extrato.csv, linha 2: «{'9' * 39}…» não é um valor"
