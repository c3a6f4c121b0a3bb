"""What a signed file URL permits, and how an HTTP request must look to use it.

The local object store signs these grants into URLs; its routes check requests against them.
The headers are those that files_create told the caller to send, so every refusal says which one differs.
"""

import base64
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from tool_service.domain.errors import Conflict, InvalidArguments, OperationError, PermissionDenied
from tool_service.domain.file_types import media_type_of
from tool_service.domain.language import Localized

CHECKSUM_HEADER = "x-amz-checksum-sha256"


@dataclass(frozen=True, slots=True)
class UploadGrant:
    """One PUT of exactly these bytes to this key; `sha256` is lower-case hex, None when none was announced."""

    key: str
    content_type: str
    size_bytes: int
    sha256: str | None
    expires_at: datetime

    def headers(self) -> dict[str, str]:
        """Every header that the PUT must carry."""
        headers = {"Content-Type": self.content_type, "Content-Length": str(self.size_bytes)}
        if self.sha256 is not None:
            headers[CHECKSUM_HEADER] = checksum_text(self.sha256)
        return headers


@dataclass(frozen=True, slots=True)
class DownloadGrant:
    """The bytes at this key, as an attachment of that name and type."""

    key: str
    filename: str
    content_type: str
    expires_at: datetime


class SignedUrlInvalid(PermissionDenied):
    """The URL was not signed by us, or not for this."""

    def __init__(self) -> None:
        super().__init__("signed_url_invalid")


class SignedUrlExpired(PermissionDenied):
    """The URL was ours and its time is over."""

    def __init__(self) -> None:
        super().__init__("signed_url_expired")


class UploadClosed(Conflict):
    """The file was confirmed; its bytes never change again."""

    def __init__(self) -> None:
        super().__init__("upload_closed")


class UploadRefused(InvalidArguments):
    """A header or the bytes are not what the URL was signed for. Nothing was stored."""


def checksum_text(sha256: str) -> str:
    """The base64 form of a hex digest, as checksum headers carry it."""
    return base64.b64encode(bytes.fromhex(sha256)).decode()


def check_upload_headers(
    grant: UploadGrant, content_type: str | None, content_length: str | None, checksum: str | None
) -> None:
    """Refuse a PUT that cannot be the granted one, before a byte of it is read.

    Raises:
        UploadRefused: naming the first header that differs.
    """
    expected = grant.headers()
    if content_length is None:
        raise UploadRefused("length_required", _send("Content-Length", expected["Content-Length"]))
    if content_length != expected["Content-Length"]:
        raise length_refusal(grant, longer=content_length.isdecimal() and int(content_length) > grant.size_bytes)
    if media_type_of(content_type or "") != grant.content_type:
        raise UploadRefused("upload_header_mismatch", _send("Content-Type", grant.content_type))
    if checksum != expected.get(CHECKSUM_HEADER) and grant.sha256 is not None:
        raise UploadRefused("upload_header_mismatch", _send(CHECKSUM_HEADER, expected[CHECKSUM_HEADER]))


def length_refusal(grant: UploadGrant, *, longer: bool) -> OperationError:
    """The answer to more, or fewer, bytes than the URL was signed for."""
    return UploadRefused(
        "upload_too_long" if longer else "upload_too_short",
        Localized(
            pt=f"Esta URL aceita exatamente {grant.size_bytes} bytes.",
            en=f"This URL takes exactly {grant.size_bytes} bytes.",
        ),
    )


def _send(header: str, value: str) -> Localized:
    return Localized(pt=f"Envie o cabeçalho {header}: {value}", en=f"Send the header {header}: {value}")


def content_disposition(filename: str) -> str:
    """An attachment of that name (RFC 6266): plain ASCII for old clients, the true name in `filename*`."""
    folded = unicodedata.normalize("NFKD", filename).encode("ascii", "ignore").decode()
    plain = "".join("_" if each in '"\\%' or not each.isprintable() else each for each in folded)
    # RFC 8187: what is not an attr-char is percent-encoded; "~" and "-._" are attr-chars that quote() keeps.
    return f"attachment; filename=\"{plain or 'file'}\"; filename*=UTF-8''{quote(filename, safe='')}"
