"""ports.ObjectStore: one suite for the fake and for the folder, with clients that know only what was signed."""

import hashlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Protocol

import httpx2
import pytest
from quart import Quart

from tests.support.clock import NOON, FakeClock
from tests.support.fake_object_store import FakeObjectStore
from tool_service.adapters.local_object_store import LocalObjectStore
from tool_service.domain.errors import OperationError
from tool_service.domain.file_types import HEAD_LIMIT_BYTES
from tool_service.ports import ObjectStore, SignedUpload, StoredObject
from tool_service.rest_api.local_files import LocalFileRoutes

KEY = "org/0198a1/0198b2"
INCOMING = f"incoming/{KEY}"
ABC = StoredObject(3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", b"abc")
SOON = NOON + timedelta(minutes=15)


class Client(Protocol):
    """Whoever holds a signed URL."""

    async def put(self, url: str, headers: Mapping[str, str], body: bytes) -> str:
        """ "stored", or the code of the refusal."""
        ...

    async def get(self, url: str) -> bytes | str:
        """The bytes, or the code of the refusal."""
        ...


@dataclass(frozen=True, slots=True)
class FakeClient:
    store: FakeObjectStore

    async def put(self, url: str, headers: Mapping[str, str], body: bytes) -> str:
        try:
            await self.store.put(url, headers, body)
        except OperationError as error:
            return error.code
        return "stored"

    async def get(self, url: str) -> bytes | str:
        try:
            return await self.store.get(url)
        except OperationError as error:
            return error.code


@dataclass(frozen=True, slots=True)
class HttpClient:
    store: LocalObjectStore

    async def put(self, url: str, headers: Mapping[str, str], body: bytes) -> str:
        async with self._client() as client:
            # As text, httpx2 would set a length of its own where the test leaves it out.
            response = await client.put(url, headers=dict(headers), content=_pieces(body))
        return "stored" if response.status_code == 200 else response.json()["errors"][0]["code"]

    async def get(self, url: str) -> bytes | str:
        async with self._client() as client:
            response = await client.get(url)
        return response.content if response.status_code == 200 else response.json()["errors"][0]["code"]

    def _client(self) -> httpx2.AsyncClient:
        routes = LocalFileRoutes(self.store, Quart(__name__))
        return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=routes))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Subject:
    store: ObjectStore
    client: Client
    clock: FakeClock


@pytest.fixture(params=["fake", "folder"])
def subject(request: pytest.FixtureRequest, tmp_path: Path) -> Subject:
    clock = FakeClock()
    if request.param == "fake":
        fake = FakeObjectStore(clock)
        return Subject(fake, FakeClient(fake), clock)
    folder = LocalObjectStore(tmp_path / "files", "http://files.test", [b"k" * 32], clock)
    return Subject(folder, HttpClient(folder), clock)


async def _pieces(*pieces: bytes) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


async def _broken(piece: bytes) -> AsyncIterator[bytes]:
    yield piece
    raise ConnectionError


async def _upload(subject: Subject, sha256: str | None = ABC.sha256) -> SignedUpload:
    return await subject.store.sign_upload(
        INCOMING, content_type="text/csv", size_bytes=3, sha256=sha256, expires_at=SOON
    )


async def test_what_is_written_is_inspected_and_read_back(subject: Subject) -> None:
    assert await subject.store.write(KEY, _pieces(b"a", b"", b"bc")) == ABC
    assert await subject.store.inspect(KEY) == ABC
    assert await subject.store.read(KEY) == b"abc"


async def test_only_the_first_4_kib_are_shown_of_a_large_object(subject: Subject) -> None:
    content = bytes(range(256)) * 64
    expected = StoredObject(16_384, hashlib.sha256(content).hexdigest(), content[:4096])
    assert HEAD_LIMIT_BYTES == 4096
    assert await subject.store.write(KEY, _pieces(content[:5000], content[5000:])) == expected
    assert await subject.store.inspect(KEY) == expected


async def test_an_object_without_bytes_is_an_object(subject: Subject) -> None:
    empty = StoredObject(0, hashlib.sha256(b"").hexdigest(), b"")
    assert await subject.store.write(KEY, _pieces()) == empty
    assert await subject.store.inspect(KEY) == empty


async def test_writing_again_replaces_the_object(subject: Subject) -> None:
    await subject.store.write(KEY, _pieces(b"a longer first one"))
    await subject.store.write(KEY, _pieces(b"abc"))
    assert await subject.store.inspect(KEY) == ABC


async def test_a_write_that_breaks_off_changes_nothing(subject: Subject) -> None:
    await subject.store.write(KEY, _pieces(b"abc"))
    with pytest.raises(ConnectionError):
        await subject.store.write(KEY, _broken(b"half"))
    assert await subject.store.read(KEY) == b"abc"


async def test_what_is_not_there_is_told_apart_from_what_is_empty(subject: Subject) -> None:
    assert await subject.store.inspect(KEY) is None
    with pytest.raises(FileNotFoundError):
        await subject.store.read(KEY)


async def test_deleting_twice_is_fine(subject: Subject) -> None:
    await subject.store.write(KEY, _pieces(b"abc"))
    await subject.store.delete(KEY)
    await subject.store.delete(KEY)
    assert await subject.store.inspect(KEY) is None


async def test_a_move_replaces_the_target_and_empties_the_source(subject: Subject) -> None:
    await subject.store.write(KEY, _pieces(b"older"))
    await subject.store.write(INCOMING, _pieces(b"abc"))
    assert await subject.store.move(INCOMING, KEY)
    assert await subject.store.inspect(KEY) == ABC
    assert await subject.store.inspect(INCOMING) is None


async def test_a_move_of_nothing_leaves_the_target_alone(subject: Subject) -> None:
    await subject.store.write(KEY, _pieces(b"abc"))
    assert not await subject.store.move(INCOMING, KEY)
    assert await subject.store.inspect(KEY) == ABC


async def test_a_client_that_sends_what_was_signed_stores_the_object(subject: Subject) -> None:
    upload = await _upload(subject)
    assert (upload.method, upload.expires_at) == ("PUT", SOON)
    assert await subject.client.put(upload.url, upload.headers, b"abc") == "stored"
    assert await subject.store.inspect(INCOMING) == ABC


async def test_an_upload_that_is_repeated_replaces_the_first(subject: Subject) -> None:
    upload = await _upload(subject, sha256=None)
    assert await subject.client.put(upload.url, upload.headers, b"xyz") == "stored"
    assert await subject.client.put(upload.url, upload.headers, b"abc") == "stored"
    assert await subject.store.inspect(INCOMING) == ABC


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"Content-Type": "text/html"}, "upload_header_mismatch"),
        ({"Content-Type": None}, "upload_header_mismatch"),
        ({"x-amz-checksum-sha256": None}, "upload_header_mismatch"),
        ({"Content-Length": "4"}, "upload_too_long"),
        ({"Content-Length": "2"}, "upload_too_short"),
        ({"Content-Length": None}, "length_required"),
    ],
)
async def test_a_client_that_changes_a_header_is_refused(
    subject: Subject, changed: Mapping[str, str | None], code: str
) -> None:
    upload = await _upload(subject)
    headers = {name: value for name, value in {**upload.headers, **changed}.items() if value is not None}
    assert await subject.client.put(upload.url, headers, b"abc") == code
    assert await subject.store.inspect(INCOMING) is None


async def test_other_bytes_than_announced_are_refused_and_the_url_stays_good(subject: Subject) -> None:
    upload = await _upload(subject)
    assert await subject.client.put(upload.url, upload.headers, b"abd") == "checksum_mismatch"
    assert await subject.store.inspect(INCOMING) is None
    assert await subject.client.put(upload.url, upload.headers, b"abc") == "stored"


async def test_an_upload_url_ends_with_its_time(subject: Subject) -> None:
    upload = await _upload(subject)
    subject.clock.advance(timedelta(minutes=15))
    assert await subject.client.put(upload.url, upload.headers, b"abc") == "signed_url_expired"


async def test_an_upload_url_cannot_touch_what_was_moved_away(subject: Subject) -> None:
    upload = await _upload(subject, sha256=None)
    await subject.client.put(upload.url, upload.headers, b"abc")
    await subject.store.move(INCOMING, KEY)
    assert await subject.client.put(upload.url, upload.headers, b"xyz") == "upload_closed"
    assert await subject.store.inspect(KEY) == ABC


async def test_a_download_url_answers_the_bytes_until_its_time_is_over(subject: Subject) -> None:
    await subject.store.write(KEY, _pieces(b"abc"))
    download = await subject.store.sign_download(
        KEY, filename="extrato.csv", content_type="text/csv", expires_at=NOON + timedelta(minutes=5)
    )
    assert download.expires_at == NOON + timedelta(minutes=5)
    assert await subject.client.get(download.url) == b"abc"
    subject.clock.advance(timedelta(minutes=5))
    assert await subject.client.get(download.url) == "signed_url_expired"


async def test_a_url_that_nobody_signed_opens_nothing(subject: Subject) -> None:
    upload = await _upload(subject)
    download = await subject.store.sign_download(KEY, filename="a.csv", content_type="text/csv", expires_at=SOON)
    assert await subject.client.put(f"{upload.url}0", upload.headers, b"abc") == "signed_url_invalid"
    assert await subject.client.get(f"{download.url}0") == "signed_url_invalid"
