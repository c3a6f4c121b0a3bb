"""Signed file URLs: what they permit, what a request must carry, how an attachment is named."""

import hashlib
from datetime import timedelta

import pytest

from tests.support.clock import NOON, FakeClock
from tool_service.adapters.signed_file_urls import SignedFileUrls
from tool_service.domain.error_catalogue import CATALOGUE
from tool_service.domain.signed_files import (
    DownloadGrant,
    SignedUrlExpired,
    SignedUrlInvalid,
    UploadGrant,
    UploadRefused,
    check_upload_headers,
    content_disposition,
)

# SHA-256 of b"abc": FIPS 180-2 B.1, and the same 32 bytes in base64.
ABC_HEX = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
ABC_BASE64 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
OLD_KEY, NEW_KEY = b"o" * 32, b"n" * 32
UPLOAD = UploadGrant("incoming/org/a/b", "text/csv", 3, ABC_HEX, NOON + timedelta(minutes=15))
DOWNLOAD = DownloadGrant("org/a/b", "extrato de março.csv", "text/csv", NOON + timedelta(minutes=5))


def _urls(*keys: bytes, clock: FakeClock | None = None) -> SignedFileUrls:
    return SignedFileUrls("http://127.0.0.1:8001/", keys or (NEW_KEY,), clock or FakeClock())


def _token(url: str) -> str:
    return url.rpartition("/")[2]


def test_a_url_leads_back_to_exactly_what_was_signed() -> None:
    urls = _urls()
    upload, download = urls.upload(UPLOAD), urls.download(DOWNLOAD)
    assert upload.startswith("http://127.0.0.1:8001/files/upload/")
    assert download.startswith("http://127.0.0.1:8001/files/download/")
    assert urls.read_upload(_token(upload)) == UPLOAD
    assert urls.read_download(_token(download)) == DOWNLOAD


def test_a_url_of_one_kind_never_serves_for_the_other() -> None:
    urls = _urls()
    with pytest.raises(SignedUrlInvalid):
        urls.read_download(_token(urls.upload(UPLOAD)))
    with pytest.raises(SignedUrlInvalid):
        urls.read_upload(_token(urls.download(DOWNLOAD)))


def test_a_changed_url_is_refused_wherever_it_was_changed() -> None:
    urls = _urls()
    token = _token(urls.upload(UPLOAD))
    for position in range(0, len(token) - 1, 7):
        changed = token[:position] + ("A" if token[position] != "A" else "B") + token[position + 1 :]
        with pytest.raises(SignedUrlInvalid):
            urls.read_upload(changed)


@pytest.mark.parametrize("garbage", ["", ".", "a.b", "\u00e9", "%00", "x" * 5000])
def test_garbage_is_refused(garbage: str) -> None:
    with pytest.raises(SignedUrlInvalid):
        _urls().read_upload(garbage)


def test_a_url_expires_by_the_service_clock() -> None:
    clock = FakeClock()
    urls = _urls(clock=clock)
    token = _token(urls.upload(UPLOAD))
    clock.advance(timedelta(minutes=15) - timedelta(milliseconds=1))
    assert urls.read_upload(token) == UPLOAD
    clock.advance(timedelta(milliseconds=1))
    with pytest.raises(SignedUrlExpired):
        urls.read_upload(token)


def test_an_old_key_is_believed_and_the_first_one_signs() -> None:
    before, during, after = _urls(OLD_KEY), _urls(NEW_KEY, OLD_KEY), _urls(NEW_KEY)
    assert during.read_upload(_token(before.upload(UPLOAD))) == UPLOAD
    assert after.read_upload(_token(during.upload(UPLOAD))) == UPLOAD
    with pytest.raises(SignedUrlInvalid):
        after.read_upload(_token(before.upload(UPLOAD)))


def test_the_headers_of_an_upload_are_all_that_a_client_has_to_send() -> None:
    headers = {"Content-Type": "text/csv", "Content-Length": "3", "x-amz-checksum-sha256": ABC_BASE64}
    assert UPLOAD.headers() == headers
    check_upload_headers(UPLOAD, "text/csv", "3", ABC_BASE64)


def test_without_an_announced_checksum_none_is_asked_for() -> None:
    grant = UploadGrant("incoming/org/a/b", "text/csv", 3, None, NOON)
    assert grant.headers() == {"Content-Type": "text/csv", "Content-Length": "3"}
    check_upload_headers(grant, "text/csv; charset=utf-8", "3", ABC_BASE64)


@pytest.mark.parametrize(
    ("content_type", "content_length", "checksum", "code", "status", "detail"),
    [
        ("text/csv", None, ABC_BASE64, "length_required", 411, "Send the header Content-Length: 3"),
        ("text/csv", "4", ABC_BASE64, "upload_too_long", 413, "This URL takes exactly 3 bytes."),
        ("text/csv", "2", ABC_BASE64, "upload_too_short", 400, "This URL takes exactly 3 bytes."),
        ("text/csv", "-1", ABC_BASE64, "upload_too_short", 400, "This URL takes exactly 3 bytes."),
        (None, "3", ABC_BASE64, "upload_header_mismatch", 400, "Send the header Content-Type: text/csv"),
        ("text/html", "3", ABC_BASE64, "upload_header_mismatch", 400, "Send the header Content-Type: text/csv"),
        ("text/csv", "3", None, "upload_header_mismatch", 400, f"Send the header x-amz-checksum-sha256: {ABC_BASE64}"),
        (
            "text/csv",
            "3",
            "AAAA",
            "upload_header_mismatch",
            400,
            f"Send the header x-amz-checksum-sha256: {ABC_BASE64}",
        ),
    ],
)
def test_a_header_that_differs_is_named(
    content_type: str | None, content_length: str | None, checksum: str | None, code: str, status: int, detail: str
) -> None:
    with pytest.raises(UploadRefused) as caught:
        check_upload_headers(UPLOAD, content_type, content_length, checksum)
    [problem] = caught.value.problems
    assert (problem.code, problem.detail and problem.detail.en) == (code, detail)
    assert CATALOGUE[code].status == status


@pytest.mark.parametrize(
    ("filename", "header"),
    [
        ("a.csv", "attachment; filename=\"a.csv\"; filename*=UTF-8''a.csv"),
        ("março.csv", "attachment; filename=\"marco.csv\"; filename*=UTF-8''mar%C3%A7o.csv"),
        ('a "b" \\c.csv', "attachment; filename=\"a _b_ _c.csv\"; filename*=UTF-8''a%20%22b%22%20%5Cc.csv"),
        ("100%.csv", "attachment; filename=\"100_.csv\"; filename*=UTF-8''100%25.csv"),
        ("報告", "attachment; filename=\"file\"; filename*=UTF-8''%E5%A0%B1%E5%91%8A"),
        ("a\r\nX: y", "attachment; filename=\"a__X: y\"; filename*=UTF-8''a%0D%0AX%3A%20y"),
    ],
)
def test_an_attachment_keeps_its_name_and_cannot_break_the_header(filename: str, header: str) -> None:
    assert content_disposition(filename) == header


def test_the_digests_of_this_file_are_those_of_abc() -> None:
    assert hashlib.sha256(b"abc").hexdigest() == ABC_HEX
