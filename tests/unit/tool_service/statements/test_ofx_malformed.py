"""OFX files that cannot be read: refused by name and line."""

import pytest

from tests.support.statements import ofx, ofx_transaction, refusal

# Without header the first transaction begins in line 6, its date in 7, its amount in 8.
GOOD = ofx_transaction("20261103", "1.00")


def bare(transactions: str, after: str = "") -> str:
    return ofx(transactions, header="", after=after)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (bare(ofx_transaction("20261332", "1.00")), "linha 7: «20261332» não é uma data"),
        (bare(ofx_transaction("20261103", "1.0.0")), "linha 8: «1.0.0» não é um valor"),
        (bare(ofx_transaction("20261103", "1.001")), "linha 8: o valor «1.001» tem mais de duas casas decimais"),
        (bare(ofx_transaction("20261103", "")), "linha 8: «» não é um valor"),
        (bare(GOOD.replace("<TRNAMT>1.00\n", "")), "linha 6: falta TRNAMT em <STMTTRN>"),
        (bare(GOOD.replace("<DTPOSTED>20261103\n", "")), "linha 6: falta DTPOSTED em <STMTTRN>"),
        (bare(GOOD + GOOD.replace("<NAME>PIX", "<TRNAMT>2.00")), "linha 14: <TRNAMT> aparece duas vezes"),
        (bare(GOOD.replace("</STMTTRN>\n", "") + GOOD), "linha 10: falta </STMTTRN>, aberto na linha 6"),
        (bare(GOOD.replace("</STMTTRN>\n", "")), "linha 10: falta </STMTTRN>, aberto na linha 6"),
        (bare(GOOD).split("</BANKTRANLIST>")[0], "linha 10: falta </BANKTRANLIST>, aberto na linha 5"),
        (bare(GOOD).replace("</OFX>", ""), "linha 12: falta </OFX>, aberto na linha 1"),
        (bare(GOOD).replace("<BANKTRANLIST>\n", ""), "linha 5: <STMTTRN> está fora do lugar"),
        ("<OFX>\n</OFX>\n</OFX>\n", "linha 3: </OFX> fecha o que não foi aberto"),
        ("<OFX>\n</OFX>\n", "linha 2: não há extrato de conta (STMTRS) neste OFX"),
        ("OFXHEADER:100\n\nolá\n", "linha 1: não há extrato de conta (STMTRS) neste OFX"),
        (bare(GOOD).replace("</OFX>", "<STMTRS>"), "linha 13: há mais de uma conta neste OFX"),
        (bare(GOOD).replace("BRL", "reais"), "linha 3: «reais» não é uma moeda (CURDEF)"),
        (bare(GOOD, after="<LEDGERBAL>\n<DTASOF>20261130\n</LEDGERBAL>\n"), "linha 12: falta BALAMT em <LEDGERBAL>"),
        (bare(GOOD) + "<ST", "linha 14: o arquivo termina no meio de uma marca"),
        (bare(GOOD) + "<!-- sem fim", "linha 14: o arquivo termina no meio de uma marca"),
        (bare(GOOD.replace("<NAME>", "<1NAME>")), "linha 9: há uma marca mal formada"),
        (bare(GOOD.replace("<NAME>", "<" + "N" * 70_000)), "linha 9: há uma marca mal formada"),
        (bare(GOOD.replace("PIX", "P\0X")), "linha 9: há bytes nulos; isto não é texto"),
    ],
)
def test_a_malformed_file_is_refused_naming_file_and_line(text: str, told: str) -> None:
    assert refusal(text, "extrato.ofx").startswith(f"extrato.ofx, {told}")


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE OFX SYSTEM "http://127.0.0.1/x.dtd">',
        '<!DOCTYPE OFX [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
        '<!ENTITY x SYSTEM "file:///etc/passwd">',
    ],
)
def test_declarations_are_refused_so_nothing_is_expanded_or_fetched(declaration: str) -> None:
    text = f'<?xml version="1.0"?>\n{declaration}\n{bare(GOOD)}'
    assert refusal(text, "extrato.ofx") == "extrato.ofx, linha 2: declarações como DOCTYPE e ENTITY não são aceitas"


def test_more_movements_than_the_limit_are_refused() -> None:
    assert refusal(bare(GOOD * 4), "extrato.ofx", row_limit=3).startswith(
        "extrato.ofx, linha 25: os arquivos passam de 3 lançamentos"
    )
