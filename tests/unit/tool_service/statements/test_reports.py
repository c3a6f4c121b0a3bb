"""What is written: exact in both languages, and harmless whatever stands in the files."""

import csv
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.statements import finish, ofx, ofx_transaction, read
from tool_service.domain.language import Language
from tool_service.domain.statements.analysis import Request, Step, analyse
from tool_service.domain.statements.errors import StatementError
from tool_service.domain.statements.model import SourceFile
from tool_service.domain.statements.plan import Question
from tool_service.domain.statements.reports.csv_table import CsvTable, amount
from tool_service.domain.statements.reports.markdown import escape
from tool_service.domain.statements.reports.outcome import Outcome

BANK = (
    "data;histórico;valor;saldo\n01/11/2026;SALDO ANTERIOR;;1.000,00\n03/11/2026;PIX ANA;1.234,56;2.234,56\n"
    "03/11/2026;TARIFA;-10,00;2.224,56\n02/12/2026;ALUGUEL;-2.000,00;224,56\n"
)
LEDGER = "date,description,amount\n2026-11-05,Ana,1234.56\n2026-12-02,Rent,-2000.00\n2026-12-03,Bia,7.00\n"


def outcome(*texts: str, language: Language = Language.PORTUGUESE, **params: Any) -> Outcome:
    files = [SourceFile(f"{name}.csv", text.encode()) for name, text in zip("abc", texts, strict=False)]
    found = finish(analyse(Request(files, "", "", params, language)))
    assert not isinstance(found, Question)
    return found


def contents(found: Outcome) -> dict[str, str]:
    return {each.filename: each.content.decode() for each in found.documents}


def test_a_summary_says_everything_in_portuguese() -> None:
    found = outcome(BANK)
    assert found.text.splitlines() == [
        "a.csv (03/11/2026 a 02/12/2026): 3 lançamentos; entradas R$ 1.234,56, saídas R$ 2.010,00, "
        "resultado -R$ 775,44.",
        "Saldo inicial R$ 1.000,00, saldo final R$ 224,56; os saldos conferem com os lançamentos.",
        "Maiores categorias: Aluguel e condomínio -R$ 2.000,00; Transferências (PIX, TED, DOC) R$ 1.234,56; "
        "Tarifas bancárias -R$ 10,00.",
        "Detalhes em resumo.md e lancamentos.csv.",
        "Feito por regras fixas, sem modelo de linguagem; confira o que for fora do comum.",
    ]
    assert contents(found)["lancamentos.csv"].split("\r\n") == [
        "arquivo,linha,data,descrição,documento,categoria,valor",
        'a.csv,3,03/11/2026,PIX ANA,,"Transferências (PIX, TED, DOC)",1234.56',
        "a.csv,4,03/11/2026,TARIFA,,Tarifas bancárias,-10.00",
        "a.csv,5,02/12/2026,ALUGUEL,,Aluguel e condomínio,-2000.00",
        "",
    ]
    assert "| 11/2026 | R$ 1.234,56 | R$ 10,00 | R$ 1.224,56 | R$ 1.224,56 | 2 |" in contents(found)["resumo.md"]


def test_a_summary_says_everything_in_english() -> None:
    found = outcome(BANK, language=Language.ENGLISH)
    assert found.text.splitlines()[:2] == [
        "a.csv (2026-11-03 to 2026-12-02): 3 movements; in BRL 1,234.56, out BRL 2,010.00, net -BRL 775.44.",
        "Opening balance BRL 1,000.00, closing balance BRL 224.56; the balances agree with the movements.",
    ]
    assert "a.csv,4,2026-11-03,TARIFA,,Bank fees,-10.00" in contents(found)["movements.csv"].split("\r\n")
    assert "| 2026-11 | BRL 1,234.56 | BRL 10.00 | BRL 1,224.56 | BRL 1,224.56 | 2 |" in contents(found)["summary.md"]


def test_the_data_of_a_summary_is_json_in_whole_cents() -> None:
    found = outcome(BANK)
    assert json.loads(json.dumps(found.data)) == found.data
    flow = {"in_cents": 123456, "out_cents": 201000, "net_cents": -77544, "in_count": 1, "out_count": 2, "count": 3}
    period = {"from": "2026-11-03", "to": "2026-12-02"}
    balance = {
        "opening_cents": 100000,
        "closing_cents": 22456,
        "consistent": True,
        "difference_cents": 0,
        "first_inconsistent_line": None,
    }
    assert (found.data["totals"], found.data["period"]) == (flow, period)
    assert found.data["files"] == [
        {"filename": "a.csv", "format": "csv", "totals": flow, "period": period, "balance": balance}
    ]
    assert found.data["largest_in"] == [
        {"filename": "a.csv", "line": 3, "date": "2026-11-03", "amount_cents": 123456, "description": "PIX ANA"}
    ]


def test_a_balance_that_does_not_follow_is_told_with_its_line() -> None:
    found = outcome(BANK.replace("2.224,56", "2.220,00"))
    assert found.text.splitlines()[1] == (
        "Saldo inicial R$ 1.000,00, saldo final R$ 224,56; os saldos não conferem. "
        "Primeira divergência na linha 4: esperado R$ 2.224,56, informado R$ 2.220,00."
    )


def test_a_reconciliation_says_what_is_in_both_and_in_one_alone() -> None:
    found = outcome(BANK, LEDGER)
    assert found.text.splitlines()[:4] == [
        "Conciliação de a.csv com b.csv: em ambos, 2 lançamentos (-R$ 765,44).",
        "Só em a.csv: 1 lançamento (-R$ 10,00).",
        "Só em b.csv: 1 lançamento (R$ 7,00).",
        "Regra: mesmo valor exato, datas com até 3 dias de diferença, a mais próxima primeiro.",
    ]
    assert found.data["matched"] == {"count": 2, "sum_cents": -76544, "other_day_count": 1}
    assert found.data["second"]["only_here"] == {
        "count": 1,
        "sum_cents": 700,
        "movements": [{"line": 4, "date": "2026-12-03", "amount_cents": 700, "description": "Bia"}],
    }
    assert contents(found)["conciliacao.csv"].split("\r\n") == [
        "situação,valor,data 1,linha 1,descrição 1,data 2,linha 2,descrição 2",
        "conciliado,1234.56,03/11/2026,3,PIX ANA,05/11/2026,2,Ana",
        "conciliado,-2000.00,02/12/2026,5,ALUGUEL,02/12/2026,3,Rent",
        "só no primeiro,-10.00,03/11/2026,4,TARIFA,,,",
        "só no segundo,7.00,,,,03/12/2026,4,Bia",
        "",
    ]


def test_a_cash_flow_accumulates_month_by_month_over_all_files() -> None:
    found = outcome(BANK, LEDGER, report="cash_flow")
    assert contents(found)["fluxo-de-caixa.csv"].split("\r\n") == [
        "mês,entradas,saídas,resultado,acumulado,lançamentos",
        "11/2026,2469.12,10.00,2459.12,2459.12,3",
        "12/2026,7.00,4000.00,-3993.00,-1533.88,3",
        "",
    ]
    assert [each["accumulated_cents"] for each in found.data["months"]] == [245912, -153388]


def test_a_statement_without_movements_is_summed_to_nothing() -> None:
    found = outcome("data;valor\n")
    assert found.text.startswith("a.csv (nenhum lançamento): 0 lançamentos; entradas R$ 0,00")


def test_currencies_are_never_added_up() -> None:
    dollars = b"<OFX><STMTRS><CURDEF>USD</STMTRS></OFX>"
    files = [SourceFile("a.csv", BANK.encode()), SourceFile("b.ofx", dollars)]
    with pytest.raises(StatementError) as caught:
        finish(analyse(Request(files, "", "", {}, Language.PORTUGUESE)))
    assert caught.value.message(Language.PORTUGUESE) == (
        "b.ofx, linha 1: a moeda é USD, e a de a.csv é BRL; não somo moedas"
    )


def test_another_currency_is_written_by_its_code() -> None:
    dollars = ofx(ofx_transaction("20261103", "1234.5")).replace("<CURDEF>BRL", "<CURDEF>USD").encode()
    for language, written in ((Language.PORTUGUESE, "USD 1.234,50"), (Language.ENGLISH, "USD 1,234.50")):
        found = finish(analyse(Request([SourceFile("b.ofx", dollars)], "", "", {}, language)))
        assert isinstance(found, Outcome)
        assert written in found.text


@given(st.lists(st.integers(-(10**14) + 1, 10**14 - 1), min_size=1, max_size=20))
def test_the_csv_of_a_summary_reads_as_a_statement_with_the_same_amounts(amounts: list[int]) -> None:
    lines = [f"03/11/2026;PIX;{'-' if each < 0 else ''}{abs(each) // 100},{abs(each) % 100:02d}" for each in amounts]
    written = contents(outcome("data;descrição;valor\n" + "\n".join(lines)))["lancamentos.csv"]
    assert [each.cents for each in read(written).movements] == amounts


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1"])
def test_a_cell_of_text_never_begins_a_formula(text: str) -> None:
    table = CsvTable(["x"])
    table.add([text, amount(-5), 7])
    assert next(csv.reader([table.content().decode().split("\r\n")[1]])) == [f"'{text}", "-0.05", "7"]


def test_text_of_a_file_that_looks_like_a_formula_is_guarded_in_the_table() -> None:
    found = outcome('data;descrição;valor\n03/11/2026;"=HYPERLINK(""http://x"")";1,00\n')
    row = next(csv.reader([contents(found)["lancamentos.csv"].split("\r\n")[1]]))
    assert row[3] == '\'=HYPERLINK("http://x")'


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        (
            "[a](http://x) | **b** <img> `c` _d_ &amp; #e",
            r"\[a\](http\://x) \| \*\*b\*\* \<img\> \`c\` \_d\_ \&amp; \#e",
        ),
        ("www.evil.example e a@b.c", r"www\.evil.example e a\@b.c"),
        ("a\\b", r"a\\b"),
        ("x" * 130, "x" * 119 + "…"),
        ("PIX 12.345-6 (ok)", "PIX 12.345-6 (ok)"),
    ],
)
def test_text_of_a_file_stays_text_in_markdown(text: str, escaped: str) -> None:
    assert escape(text) == escaped


def test_no_description_can_break_a_table_of_the_report() -> None:
    found = outcome('data;descrição;valor\n03/11/2026;"a|b\n# c\r\n| d";1,00\n')
    assert r"| a.csv | 2 | 03/11/2026 | a\|b \# c \| d | R$ 1,00 |" in contents(found)["resumo.md"].splitlines()


def test_progress_is_told_before_each_phase_and_within_long_ones() -> None:
    text = "data;descrição;valor\n" + "03/11/2026;PIX;1,00\n" * 12_000
    steps = list(analyse(Request([SourceFile("a.csv", text.encode())], "", "", {}, Language.PORTUGUESE)))
    assert steps == [
        Step("reading", "Lendo a.csv"),
        Step("reading", "Lendo a.csv: 5000"),
        Step("reading", "Lendo a.csv: 10000"),
        Step("check", "Somando e classificando"),
        Step("check", "Somando e classificando: 5000"),
        Step("check", "Somando e classificando: 10000"),
        Step("writing", "Escrevendo o relatório"),
        Step("writing", "Escrevendo o relatório: 5000"),
        Step("writing", "Escrevendo o relatório: 10000"),
    ]
