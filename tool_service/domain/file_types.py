"""The types of file that Kadu takes: their names, their extensions, and how their bytes must begin.

Claims are checked against bytes, since everything downstream believes the type.
Only the beginning is looked at: whether a file is whole is for whoever reads it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from tool_service.domain.language import Localized

HEAD_LIMIT_BYTES = 4 * 1024

_BOM = b"\xef\xbb\xbf"
_ZIP = b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"
_PDF = b"%PDF-"
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
_BINARY_SIGNATURES = (_ZIP, _EMPTY_ZIP, _PDF, _PNG, _JPEG)
_OFX = re.compile(rb"OFXHEADER\s*[:=]|<OFX[\s>]", re.IGNORECASE)


def _begins_with(*signatures: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(signatures)


def _is_text(head: bytes) -> bool:
    return b"\x00" not in head and not head.startswith(_BINARY_SIGNATURES)


def _is_json(head: bytes) -> bool:
    # The characters that a JSON value can begin with (RFC 8259 section 3).
    return _is_text(head) and _first_sign(head) in b'{["-0123456789tfn'


def _is_xml(head: bytes) -> bool:
    return _is_text(head) and _first_sign(head) == b"<"


def _is_ofx(head: bytes) -> bool:
    return _is_text(head) and _OFX.search(head) is not None


def _first_sign(head: bytes) -> bytes:
    # NUL, which is in no text, stands for "there is none".
    return head.removeprefix(_BOM).lstrip(b" \t\r\n")[:1] or b"\x00"


@dataclass(frozen=True, slots=True)
class FileType:
    """A media type, the extensions that go with it, and a look at the first bytes."""

    extensions: tuple[str, ...]
    recognises: Callable[[bytes], bool]


_CNAB = ("ret", "rem")
_OFFICE = "application/vnd.openxmlformats-officedocument"
ALLOWED_TYPES: dict[str, FileType] = {
    "application/pdf": FileType(("pdf",), _begins_with(_PDF)),
    "text/csv": FileType(("csv",), _is_text),
    # Many programs call every statement plain text; the content decides, not this name.
    "text/plain": FileType(("txt", "csv", "ofx", *_CNAB), _is_text),
    "application/json": FileType(("json",), _is_json),
    "application/xml": FileType(("xml",), _is_xml),
    "text/xml": FileType(("xml",), _is_xml),
    "application/x-ofx": FileType(("ofx",), _is_ofx),
    "application/ofx": FileType(("ofx",), _is_ofx),
    f"{_OFFICE}.spreadsheetml.sheet": FileType(("xlsx",), _begins_with(_ZIP)),
    f"{_OFFICE}.wordprocessingml.document": FileType(("docx",), _begins_with(_ZIP)),
    "image/png": FileType(("png",), _begins_with(_PNG)),
    "image/jpeg": FileType(("jpg", "jpeg"), _begins_with(_JPEG)),
    "application/zip": FileType(("zip",), _begins_with(_ZIP, _EMPTY_ZIP)),
}


def media_type_of(content_type: str) -> str:
    """The bare media type, lower-case: "Text/CSV; charset=utf-8" gives "text/csv" (RFC 9110 section 8.3.1)."""
    return content_type.partition(";")[0].strip().lower()


def type_problem(media_type: str) -> Localized | None:
    """Why the type is not taken, or None when it is."""
    if media_type in ALLOWED_TYPES:
        return None
    accepted = ", ".join(ALLOWED_TYPES)
    return Localized(pt=f"Tipos aceitos: {accepted}.", en=f"Accepted types: {accepted}.")


def extension_problem(media_type: str, filename: str) -> Localized | None:
    """Why the name does not go with the type, or None. Silent on a type that is not taken at all."""
    allowed = ALLOWED_TYPES.get(media_type)
    stem, dot, extension = filename.rpartition(".")
    if allowed is None or (stem and dot and extension.lower() in allowed.extensions):
        return None
    endings = ", ".join(f".{each}" for each in allowed.extensions)
    return Localized(
        pt=f"Um arquivo {media_type} deve terminar em {endings}.", en=f"A {media_type} file must end in {endings}."
    )


def content_agrees(media_type: str, head: bytes) -> bool:
    """Whether bytes that begin so can be of the type; `head` is the whole file or its first 4 KiB."""
    allowed = ALLOWED_TYPES.get(media_type)
    return allowed is not None and allowed.recognises(head)
