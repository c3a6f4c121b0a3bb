"""OFX 1.x (SGML) and 2.x (XML) statements."""

from datetime import date

import pytest

from tests.support.statements import ofx, ofx_transaction, read
from tool_service.domain.statements.model import Movement, Statement

XML = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>
<OFX>
  <!-- a comment with <STMTTRN> in it -->
  <BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD</CURDEF>
    <BANKACCTFROM><BANKID>1</BANKID><ACCTID>777</ACCTID></BANKACCTFROM>
    <BANKTRANLIST><DTSTART>20261101</DTSTART><DTEND>20261130</DTEND>
      <STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20261103120000[-3:BRT]</DTPOSTED><TRNAMT>-10.50</TRNAMT>
        <FITID>f1</FITID><CHECKNUM>42</CHECKNUM><NAME>Ana &amp; Bia &#233;</NAME><MEMO><![CDATA[a < b &amp; c]]></MEMO>
      </STMTTRN>
      <STMTTRN><DTPOSTED>20261104</DTPOSTED><TRNAMT>7</TRNAMT><FITID>f2</FITID><NAME>PIX</NAME><MEMO/></STMTTRN>
    </BANKTRANLIST>
    <LEDGERBAL><BALAMT>96.50</BALAMT><DTASOF>20261130</DTASOF></LEDGERBAL>
    <AVAILBAL><BALAMT>500.00</BALAMT><DTASOF>20261130</DTASOF></AVAILBAL>
  </STMTRS></STMTTRNRS></BANKMSGSRSV1>
</OFX>
"""


def test_an_xml_statement_gives_account_currency_movements_and_ledger_balance() -> None:
    statement = read(XML, "extrato.ofx")
    assert list(statement.movements) == [
        Movement(8, date(2026, 11, 3), -1050, "Ana & Bia é a < b &amp; c", None, "42", "f1"),
        Movement(11, date(2026, 11, 4), 700, "PIX", None, "", "f2"),
    ]
    assert (statement.format, statement.account, statement.currency) == ("ofx", "777", "USD")
    assert (statement.closing_cents, statement.closing_day) == (9650, date(2026, 11, 30))


def test_an_sgml_statement_with_open_values_gives_its_movements() -> None:
    text = ofx(
        ofx_transaction("20261103120000[-3:BRT]", "-1234,56", fitid="1", name="TARIFA", extra="<MEMO>TARIFA PIX\n")
        + ofx_transaction("20261104", "50.00", name="AT&amp;T & CIA"),
        after="<LEDGERBAL>\n<BALAMT>1.000,00\n<DTASOF>20261130\n</LEDGERBAL>\n",
    )
    statement = read(text, "extrato.ofx")
    assert list(statement.movements) == [
        Movement(9, date(2026, 11, 3), -123456, "TARIFA PIX", None, "", "1"),
        Movement(16, date(2026, 11, 4), 5000, "AT&T & CIA", None, "", ""),
    ]
    assert (statement.account, statement.currency, statement.closing_cents) == ("12345-6", "BRL", 100000)


def test_the_same_statement_on_one_line_without_line_ends_is_read() -> None:
    text = ofx(ofx_transaction("20261103", "1.00"), header="")
    assert [each.cents for each in read(text.replace("\n", ""), "extrato.ofx").movements] == [100]


def described(content: bytes) -> str:
    return read(content, "extrato.ofx").movements[0].description


@pytest.mark.parametrize(
    ("header", "codec"),
    [
        ("OFXHEADER:100\nENCODING:USASCII\nCHARSET:1252\n\n", "cp1252"),
        ("OFXHEADER:100\nENCODING:USASCII\nCHARSET:NONE\n\n", "cp1252"),
        ("OFXHEADER:100\nCHARSET:ISO-8859-1\n\n", "latin-1"),
        ("OFXHEADER:100\nCHARSET:850\n\n", "cp850"),
        ("OFXHEADER:100\nENCODING:UTF-8\nCHARSET:NONE\n\n", "utf-8"),
        ("OFXHEADER:100\nCHARSET:1252\n\n", "utf-8"),
        ('<?xml version="1.0" encoding="ISO-8859-1"?>\n', "latin-1"),
        ('<?xml version="1.0" encoding="UTF-8"?>\n', "utf-8-sig"),
    ],
)
def test_the_charset_is_what_the_bytes_are_and_else_what_the_header_says(header: str, codec: str) -> None:
    text = ofx(ofx_transaction("20261103", "1.00", name="PÃO DE AÇÚCAR"), header=header)
    assert described(text.encode(codec)) == "PÃO DE AÇÚCAR"


def test_a_reference_across_a_piece_of_the_file_is_still_one_character() -> None:
    start = ofx(ofx_transaction("20261103", "1.00", name="A")).index("<NAME>A") + len("<NAME>A")
    # The ampersand is the last byte of the first 64 KiB.
    padding = "X" * (64 * 1024 - start - 1)
    text = ofx(ofx_transaction("20261103", "1.00", name=f"A{padding}&amp;B"))
    assert text[64 * 1024 - 1] == "&"
    assert described(text.encode()) == "A" + "X" * 498 + "…"
    short = ofx(
        ofx_transaction("20261103", "1.00", name="A&amp;B"), header="OFXHEADER:100\n" + "\n" * (padding.count("X") - 1)
    )
    assert described(short.encode()) == "A&B"


def test_characters_that_are_no_text_stay_written_as_references() -> None:
    text = ofx(ofx_transaction("20261103", "1.00", name="A&#0;&#xD800;&#9999999;&#x202E;&eacute;B"))
    assert described(text.encode()) == "A&#0;&#xD800;&#9999999;&eacute;B"


def test_rows_that_state_a_balance_move_no_money() -> None:
    text = ofx(
        ofx_transaction("20261101", "100.00", name="SALDO ANTERIOR")
        + ofx_transaction("20261102", "-30.00")
        + ofx_transaction("20261102", "70.00", name="SALDO DO DIA")
    )
    statement = read(text, "extrato.ofx")
    assert (statement.opening_cents, [each.cents for each in statement.movements]) == (10000, [-3000])


def test_a_card_statement_and_one_without_movements_are_read() -> None:
    card = ofx(ofx_transaction("20261103", "-1.00")).replace("STMTRS", "CCSTMTRS").replace("BANKACCT", "CCACCT")
    assert len(read(card, "fatura.ofx").movements) == 1
    empty: Statement = read(ofx(""), "extrato.ofx")
    assert len(empty.movements) == 0
