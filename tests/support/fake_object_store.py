"""ports.ObjectStore in memory, with an HTTP client's view of its signed URLs.

It earns trust in tests/contract/ports/test_object_store.py, on the same tests as the real one.
"""

import hashlib
from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from itertools import count

from tool_service.domain.file_types import HEAD_LIMIT_BYTES
from tool_service.domain.signed_files import (
    CHECKSUM_HEADER,
    DownloadGrant,
    SignedUrlExpired,
    SignedUrlInvalid,
    UploadClosed,
    UploadGrant,
    UploadRefused,
    check_upload_headers,
)
from tool_service.ports import Clock, SignedDownload, SignedUpload, StoredObject


class FakeObjectStore:
    """Objects are in `objects`, by key; `put` and `get` do what a client does with a signed URL."""

    def __init__(self, clock: Clock) -> None:
        self.objects: dict[str, bytes] = {}
        self._clock = clock
        self._uploads: dict[str, UploadGrant] = {}
        self._downloads: dict[str, DownloadGrant] = {}
        self._numbers = count(1)

    async def sign_upload(
        self, key: str, *, content_type: str, size_bytes: int, sha256: str | None, expires_at: datetime
    ) -> SignedUpload:
        grant = UploadGrant(key, content_type, size_bytes, sha256, expires_at)
        url = f"memory://upload/{next(self._numbers)}"
        self._uploads[url] = grant
        return SignedUpload("PUT", url, grant.headers(), expires_at)

    async def sign_download(
        self, key: str, *, filename: str, content_type: str, expires_at: datetime
    ) -> SignedDownload:
        url = f"memory://download/{next(self._numbers)}"
        self._downloads[url] = DownloadGrant(key, filename, content_type, expires_at)
        return SignedDownload(url, expires_at)

    async def inspect(self, key: str) -> StoredObject | None:
        return _stored(self.objects[key]) if key in self.objects else None

    async def read(self, key: str) -> bytes:
        if key not in self.objects:
            raise FileNotFoundError(key)
        return self.objects[key]

    async def write(self, key: str, chunks: AsyncIterator[bytes]) -> StoredObject:
        content = b"".join([chunk async for chunk in chunks])
        self.objects[key] = content
        return _stored(content)

    async def move(self, source: str, target: str) -> bool:
        if source not in self.objects:
            return False
        self.objects[target] = self.objects.pop(source)
        return True

    async def delete(self, key: str) -> None:
        self.objects.pop(key, None)

    async def put(self, url: str, headers: Mapping[str, str], body: bytes) -> None:
        """What a PUT does.

        Raises:
            OperationError: with the code that the answer to the PUT would hold.
        """
        grant = self._uploads.get(url)
        if grant is None:
            raise SignedUrlInvalid()
        if grant.expires_at <= self._clock.now():
            raise SignedUrlExpired()
        check_upload_headers(
            grant, headers.get("Content-Type"), headers.get("Content-Length"), headers.get(CHECKSUM_HEADER)
        )
        if grant.key.removeprefix("incoming/") in self.objects:
            raise UploadClosed()
        if grant.sha256 not in {None, hashlib.sha256(body).hexdigest()}:
            raise UploadRefused("checksum_mismatch")
        self.objects[grant.key] = body

    async def get(self, url: str) -> bytes:
        """What a GET answers.

        Raises:
            OperationError: with the code that the answer would hold.
        """
        grant = self._downloads.get(url)
        if grant is None:
            raise SignedUrlInvalid()
        if grant.expires_at <= self._clock.now():
            raise SignedUrlExpired()
        return self.objects[grant.key]


def _stored(content: bytes) -> StoredObject:
    return StoredObject(len(content), hashlib.sha256(content).hexdigest(), content[:HEAD_LIMIT_BYTES])
