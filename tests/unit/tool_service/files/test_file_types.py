"""Which files Kadu takes, and whether bytes are what they are called."""

import pytest

from tool_service.domain.file_types import ALLOWED_TYPES, content_agrees, extension_problem, media_type_of, type_problem

OFFICE = "application/vnd.openxmlformats-officedocument"

NAMED_EXTENSIONS = (
    "pdf",
    "csv",
    "txt",
    "json",
    "xml",
    "ofx",
    "ret",
    "rem",
    "xlsx",
    "docx",
    "png",
    "jpg",
    "jpeg",
    "zip",
)

# The first bytes of real files, from their format specifications.
SAMPLES = {
    "application/pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
    "text/csv": "Data;Histórico;Valor\r\n02/11/2026;PIX;-1.234,56\r\n".encode("latin-1"),
    "text/plain": b"ordinary text\n",
    "application/json": b'\xef\xbb\xbf \n{"saldo": 1}',
    "application/xml": b'<?xml version="1.0"?><extrato/>',
    "text/xml": b"\n<extrato/>",
    "application/x-ofx": b"OFXHEADER:100\r\nDATA:OFXSGML\r\n\r\n<OFX>",
    "application/ofx": b'<?xml version="1.0"?>\n<?OFX OFXHEADER="200" VERSION="211"?>\n<OFX>',
    f"{OFFICE}.spreadsheetml.sheet": b"PK\x03\x04\x14\x00\x06\x00",
    f"{OFFICE}.wordprocessingml.document": b"PK\x03\x04\x14\x00\x06\x00",
    "image/png": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "image/jpeg": b"\xff\xd8\xff\xe0\x00\x10JFIF\x00",
    "application/zip": b"PK\x03\x04\x0a\x00\x00\x00",
}


def test_every_type_of_the_design_is_taken_under_its_extensions() -> None:
    extensions = {extension for allowed in ALLOWED_TYPES.values() for extension in allowed.extensions}
    assert extensions == set(NAMED_EXTENSIONS)


@pytest.mark.parametrize("media_type", SAMPLES)
def test_a_file_that_begins_as_its_type_does_is_recognised(media_type: str) -> None:
    assert content_agrees(media_type, SAMPLES[media_type])


def test_every_type_has_a_sample_here() -> None:
    assert SAMPLES.keys() == ALLOWED_TYPES.keys()


@pytest.mark.parametrize("claimed", ["text/plain", "text/csv", "application/json", "application/xml", "text/xml"])
@pytest.mark.parametrize("actual", ["application/pdf", "image/png", "image/jpeg", "application/zip"])
def test_a_binary_file_never_passes_for_text(claimed: str, actual: str) -> None:
    assert not content_agrees(claimed, SAMPLES[actual])


@pytest.mark.parametrize("claimed", ["application/pdf", "image/png", "image/jpeg", "application/zip"])
def test_text_never_passes_for_a_binary_type(claimed: str) -> None:
    assert not content_agrees(claimed, SAMPLES["text/plain"])


@pytest.mark.parametrize(
    ("claimed", "head"),
    [
        ("text/csv", b"a;b\x00c"),
        ("application/x-ofx", b"Data;Valor\n"),
        ("application/json", b"   "),
        ("application/json", b"saldo=1"),
        ("application/xml", b'{"a": 1}'),
        ("application/x-msdownload", b"MZ\x90\x00"),
        ("image/png", b""),
    ],
)
def test_bytes_that_cannot_be_of_the_type_are_refused(claimed: str, head: bytes) -> None:
    assert not content_agrees(claimed, head)


@pytest.mark.parametrize("head", [b"<OFX>\n<SIGNONMSGSRSV1>", b"\r\n ofxheader:100", b"\xef\xbb\xbfOFXHEADER : 100"])
def test_ofx_is_known_by_its_header_or_its_root_in_any_case(head: bytes) -> None:
    assert content_agrees("application/x-ofx", head)


@pytest.mark.parametrize("written", ["text/csv", "Text/CSV", " text/csv ; charset=iso-8859-1"])
def test_parameters_and_case_do_not_make_another_type(written: str) -> None:
    assert media_type_of(written) == "text/csv"


def test_a_type_outside_the_list_is_refused_with_the_list() -> None:
    problem = type_problem("text/html")
    assert problem is not None
    assert problem.en.startswith("Accepted types: application/pdf, text/csv, ")


@pytest.mark.parametrize(
    ("media_type", "filename"),
    [
        ("text/csv", "extrato.CSV"),
        ("text/plain", "retorno.ret"),
        ("image/jpeg", "recibo.jpeg"),
        ("text/html", "x.html"),
    ],
)
def test_an_extension_that_goes_with_the_type_is_no_problem(media_type: str, filename: str) -> None:
    assert extension_problem(media_type, filename) is None


@pytest.mark.parametrize(
    ("media_type", "filename"), [("text/csv", "extrato.exe"), ("text/csv", "extrato"), ("text/csv", ".csv")]
)
def test_an_extension_that_does_not_go_with_the_type_is_named(media_type: str, filename: str) -> None:
    problem = extension_problem(media_type, filename)
    assert problem is not None
    assert problem.en == "A text/csv file must end in .csv."
