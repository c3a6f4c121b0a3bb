"""CSV statements as Brazilian banks, ledgers and English banks export them."""

from datetime import date

import pytest

from tests.support.statements import movement, read
from tool_service.domain.statements.model import Movement, Statement


def rows(statement: Statement) -> list[tuple[str, int, str]]:
    return [(each.day.isoformat(), each.cents, each.description) for each in statement.movements]


TWO = [("2026-11-03", -123456, "Padaria São João"), ("2026-11-04", 5000, "PIX")]


@pytest.mark.parametrize(
    "text",
    [
        "data;descrição;valor\n03/11/2026;Padaria São João;-1.234,56\n04/11/2026;PIX;50,00\n",
        "data;descrição;valor\r\n03/11/2026;Padaria São João;-1.234,56\r\n04/11/2026;PIX;50,00",
        "data;descrição;valor\r03/11/2026;Padaria São João;-1.234,56\r04/11/2026;PIX;50,00\r",
        "Date,Description,Amount\n2026-11-03,Padaria São João,-1234.56\n2026-11-04,PIX,50.00\n",
        'date,memo,amount\n2026-11-03,"Padaria São João","-1,234.56"\n2026-11-04,"PIX",50\n',
        "DATA\tHISTÓRICO\tVALOR (R$)\n03/11/2026\tPadaria São João\tR$ -1.234,56\n04/11/2026\tPIX\tR$ 50,00\n",
        "Data Lançamento|Histórico|Valor\n03/11/26|Padaria São João|(1.234,56)\n04/11/26|PIX|50,00\n",
        "data;descrição;débito;crédito\n03/11/2026;Padaria São João;1.234,56;\n04/11/2026;PIX;;50,00\n",
        "data;descrição;débito;crédito\n03/11/2026;Padaria São João;-1.234,56;0,00\n04/11/2026;PIX;0,00;50,00\n",
        "Date,Description,Debit,Credit\n2026-11-03,Padaria São João,1234.56,\n2026-11-04,PIX,,50.00\n",
        "Data_Mov;Historico;Valor;Deb_Cred\n20261103;Padaria São João;1234,56;D\n20261104;PIX;50,00;C\n",
        "data;descrição;tipo;valor\n03/11/2026;Padaria São João;Despesa;1.234,56\n04/11/2026;PIX;Receita;50,00\n",
        "data;descrição;valor\n03/11/2026;Padaria São João;1.234,56 D\n04/11/2026;PIX;50,00 C\n",
        "data;histórico;complemento;valor\n03/11/2026;Padaria;São João;-1.234,56\n04/11/2026;PIX;;50,00\n",
        "Banco X;;\nPeríodo;01/11/2026;\n\ndata;descrição;valor\n\n"
        "03/11/2026;Padaria São João;-1.234,56\n;;\n04/11/2026;PIX;50,00\n",
        "data;descrição;valor;\n03/11/2026;Padaria São João;-1.234,56;\n"
        "04/11/2026;PIX;50,00;\n;Total;-1.184,56;\nTotal;;-1.184,56\n",
        "data;descrição;valor\n03/11/2026;Padaria São João;-1.234,56\ndata;descrição;valor\n04/11/2026;PIX;50,00\n",
        "valor;data;descrição\n-1.234,56;03/11/2026;Padaria São João\n50,00;04/11/2026;PIX\n",
    ],
)
@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "latin-1"])
def test_each_layout_and_charset_gives_the_same_movements(text: str, charset: str) -> None:
    assert rows(read(text.encode(charset))) == TWO


def test_a_row_keeps_its_line_document_identifier_and_balance() -> None:
    text = "Data;Histórico;Nº Documento;Id;Valor;Saldo\n03/11/2026;TED;000042;abc;-10,00;90,00\n"
    assert list(read(text).movements) == [Movement(2, date(2026, 11, 3), -1000, "TED", 9000, "000042", "abc")]


def test_a_quoted_cell_over_two_lines_is_one_row_and_later_lines_count_on() -> None:
    text = 'data;descrição;valor\n03/11/2026;"PIX\nMARIA; LTDA";1,00\n04/11/2026;"O ""BAR""";2,00\n'
    assert list(read(text).movements) == [
        movement("2026-11-03", 100, "PIX MARIA; LTDA", line=2),
        movement("2026-11-04", 200, 'O "BAR"', line=4),
    ]


def test_rows_that_state_a_balance_move_no_money() -> None:
    text = (
        "data;histórico;valor;saldo\n01/11/2026;SALDO ANTERIOR;;100,00\n02/11/2026;PIX;-30,00;70,00\n"
        "00/00/0000;Saldo do dia;;70,00\n02/11/2026;SALDO DEVEDOR QUITADO;-20,00;50,00\n30/11/2026;Saldo Final;;50,00\n"
    )
    statement = read(text)
    assert (statement.opening_cents, statement.closing_cents) == (10000, 5000)
    assert rows(statement) == [("2026-11-02", -3000, "PIX"), ("2026-11-02", -2000, "SALDO DEVEDOR QUITADO")]


def test_a_tipo_that_says_how_and_not_which_way_leaves_the_sign_alone() -> None:
    assert rows(read("data;tipo;descrição;valor\n03/11/2026;PIX;Ana;-1,00\n")) == [("2026-11-03", -100, "Ana")]


def test_amounts_that_fit_both_marks_are_read_by_the_mark_of_the_others() -> None:
    comma = read("data;descrição;valor\n03/11/2026;A;1.234\n03/11/2026;B;5,50\n")
    point = read("date;description;amount\n2026-11-03;A;1,234\n2026-11-03;B;5.50\n")
    assert [each.cents for each in comma.movements] == [each.cents for each in point.movements] == [123400, 550]


def test_amounts_that_all_fit_both_marks_are_read_by_the_delimiter() -> None:
    assert [each.cents for each in read("data;valor\n03/11/2026;1.234\n").movements] == [123400]
    assert [each.cents for each in read('date,amount\n2026-11-03,"1,234"\n').movements] == [123400]


def test_a_file_with_a_header_alone_is_a_statement_without_movements() -> None:
    assert rows(read("data;descrição;valor\n")) == []


def test_control_and_bidi_characters_of_a_description_are_stripped() -> None:
    assert rows(read("data;descrição;valor\n03/11/2026;A\u202eB\x1bC;1,00\n")) == [("2026-11-03", 100, "ABC")]
