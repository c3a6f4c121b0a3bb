"""Any bytes are a statement or a StatementError that names a line; nothing else ever comes out."""

from collections.abc import Sequence

from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.statements import finish, ofx, ofx_transaction
from tool_service.domain.language import Language
from tool_service.domain.statements.errors import StatementError
from tool_service.domain.statements.model import SourceFile, Statement
from tool_service.domain.statements.reading import read_statement

CSV_PARTS = (
    "data;descrição;valor;saldo\n",
    "date,description,debit,credit\n",
    "03/11/2026",
    "2026-11-03",
    "1.234,56",
    "-1,234.56",
    "SALDO ANTERIOR",
    "Total",
    *";,|\t\"'\n\r\0",
    "\u202e",
    "é",
)
OFX_PARTS = (
    *("<OFX>", "</OFX>", "<STMTRS>", "</STMTRS>", "<BANKTRANLIST>", "</BANKTRANLIST>", "<STMTTRN>", "</STMTTRN>"),
    *("<DTPOSTED>20261103", "<TRNAMT>1.00", "<NAME>A", "<CURDEF>BRL", "<LEDGERBAL>", "</LEDGERBAL>", "<BALAMT>1"),
    *("<!--", "-->", "<![CDATA[", "]]>", "<?x?>", "<!DOCTYPE", "&amp;", "&#x41;", "<", ">", "</", "/>", "\n", "\0"),
    "CHARSET:850",
)


def outcome(content: bytes) -> Statement | StatementError:
    file = SourceFile("f", content)
    found: Statement | StatementError
    try:
        found = finish(read_statement(file, row_limit=100))
    except StatementError as error:
        found = error
    if isinstance(found, StatementError):
        assert 1 <= found.line <= content.count(b"\n") + content.count(b"\r") + 1
        assert found.message(Language.PORTUGUESE).startswith(f"f, linha {found.line}: ")
    return found


def joined(parts: Sequence[str]) -> bytes:
    return "".join(parts).encode()


@given(st.binary(max_size=300))
@example(b"\xef\xbb\xbf")
@example(b"\xef\xbb")
def test_any_bytes_end_in_one_of_the_two(content: bytes) -> None:
    outcome(content)


@given(st.lists(st.sampled_from(CSV_PARTS), max_size=30))
def test_any_mixture_of_csv_parts_ends_in_one_of_the_two(parts: list[str]) -> None:
    outcome(joined(["data;valor\n", *parts]))
    outcome(joined(parts))


@given(st.lists(st.sampled_from(OFX_PARTS), max_size=30))
def test_any_mixture_of_ofx_parts_ends_in_one_of_the_two(parts: list[str]) -> None:
    outcome(joined(["<OFX>", *parts]))
    outcome(joined(["OFXHEADER:100\n<OFX><STMTRS><BANKTRANLIST>", *parts, "</BANKTRANLIST></STMTRS></OFX>"]))


WHOLE = ofx(
    ofx_transaction("20261103", "-1.234,56", fitid="1", name="PÃO") + ofx_transaction("20261104", "2.00"),
    after="<LEDGERBAL>\n<BALAMT>9\n<DTASOF>20261130\n</LEDGERBAL>\n",
).encode("cp1252")


@given(st.integers(0, len(WHOLE.rstrip()) - 1))
def test_an_ofx_statement_cut_off_anywhere_is_never_read_as_a_whole_one(length: int) -> None:
    assert isinstance(outcome(WHOLE[:length]), StatementError)


@given(st.integers(0, len(WHOLE) - 1), st.binary(min_size=1, max_size=3))
def test_an_ofx_statement_with_any_bytes_put_in_ends_in_one_of_the_two(place: int, put_in: bytes) -> None:
    outcome(WHOLE[:place] + put_in + WHOLE[place:])
