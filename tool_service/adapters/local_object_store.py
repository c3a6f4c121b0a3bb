"""Objects as files of one folder: the embedded default of ports.ObjectStore.

Bytes are written to `partial/` and renamed to their key once they are whole and on disk, so a key
never shows half an object. Several processes may share the folder. Disk work runs in threads.
"""

import asyncio
import hashlib
import os
import re
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, TypeVar

from tool_service.adapters.signed_file_urls import SignedFileUrls
from tool_service.domain.file_types import HEAD_LIMIT_BYTES
from tool_service.domain.signed_files import (
    DownloadGrant,
    UploadClosed,
    UploadGrant,
    UploadRefused,
    length_refusal,
)
from tool_service.ports import Clock, ObjectStoreUnavailable, SignedDownload, SignedUpload, StoredObject

CHUNK_BYTES = 256 * 1024

_KEY = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")
_INCOMING = "incoming/"

T = TypeVar("T")


class LocalObjectStore:
    """Fulfils ports.ObjectStore; `read_upload`, `receive`, `read_download`, `send` serve its signed URLs."""

    def __init__(self, folder: Path, public_url: str, keys: Sequence[bytes], clock: Clock) -> None:
        """Keep objects below the folder, made when first needed; URLs begin with `public_url`.

        `keys` are secrets of at least 32 bytes: the first one signs URLs, all of them are believed.
        """
        self._objects = folder / "objects"
        self._partial = folder / "partial"
        self._urls = SignedFileUrls(public_url, keys, clock)

    async def sign_upload(
        self, key: str, *, content_type: str, size_bytes: int, sha256: str | None, expires_at: datetime
    ) -> SignedUpload:
        grant = UploadGrant(key, content_type, size_bytes, sha256, expires_at)
        return SignedUpload("PUT", self._urls.upload(grant), grant.headers(), expires_at)

    async def sign_download(
        self, key: str, *, filename: str, content_type: str, expires_at: datetime
    ) -> SignedDownload:
        grant = DownloadGrant(key, filename, content_type, expires_at)
        return SignedDownload(self._urls.download(grant), expires_at)

    async def inspect(self, key: str) -> StoredObject | None:
        # The digest is taken from the disk, not from a note made at upload: it is what is there.
        return await _in_thread(_inspect, self._path(key))

    async def read(self, key: str) -> bytes:
        return await _in_thread(self._path(key).read_bytes)

    async def write(self, key: str, chunks: AsyncIterator[bytes]) -> StoredObject:
        return await self._store(key, chunks)

    async def move(self, source: str, target: str) -> bool:
        return await _in_thread(_move, self._path(source), self._path(target))

    async def delete(self, key: str) -> None:
        await _in_thread(_delete, self._path(key))

    def read_upload(self, token: str) -> UploadGrant:
        """Raises: SignedUrlInvalid, SignedUrlExpired."""
        return self._urls.read_upload(token)

    def read_download(self, token: str) -> DownloadGrant:
        """Raises: SignedUrlInvalid, SignedUrlExpired."""
        return self._urls.read_download(token)

    async def receive(self, grant: UploadGrant, chunks: AsyncIterator[bytes]) -> StoredObject:
        """Store the bytes of a PUT; an earlier one to the same URL is replaced.

        Raises:
            UploadClosed: the object was moved away from the incoming key, so it is confirmed.
            UploadRefused: more or fewer bytes than granted, or another SHA-256. Nothing was stored.
        """
        if self._path(grant.key.removeprefix(_INCOMING)).exists():
            raise UploadClosed()
        return await self._store(grant.key, chunks, grant)

    @asynccontextmanager
    async def send(self, grant: DownloadGrant) -> AsyncGenerator[tuple[int, AsyncIterator[bytes]] | None, None]:
        """Size and bytes of the object while the block runs, or None when it is gone."""
        try:
            with _disk_faults():
                file = _open(self._path(grant.key))
        except FileNotFoundError:
            yield None
            return
        # The block owns the file: a generator that nobody began to read would never close it.
        with file:
            yield os.fstat(file.fileno()).st_size, _chunks_of(file)

    async def _store(self, key: str, chunks: AsyncIterator[bytes], grant: UploadGrant | None = None) -> StoredObject:
        path = self._path(key)
        # Not in a thread, where a cancelled task would lose the open file.
        with _disk_faults():
            partial = _Partial.begin(self._partial)
        try:
            async for chunk in chunks:
                if grant is not None and partial.size_bytes + len(chunk) > grant.size_bytes:
                    raise length_refusal(grant, longer=True)
                await _in_thread(partial.append, chunk)
            stored = partial.stored()
            if grant is not None and stored.size_bytes != grant.size_bytes:
                raise length_refusal(grant, longer=False)
            if grant is not None and grant.sha256 not in {None, stored.sha256}:
                raise UploadRefused("checksum_mismatch")
            await _in_thread(partial.finish, path)
            return stored
        finally:
            # Not awaited: this also runs when the client is gone and the task is being cancelled.
            partial.discard()

    def _path(self, key: str) -> Path:
        if not _KEY.fullmatch(key):
            raise ValueError("not a key")
        return self._objects / key


@dataclass(slots=True)
class _Partial:
    """An object that is still arriving."""

    path: Path
    file: BinaryIO
    digest: "hashlib._Hash"
    size_bytes: int = 0
    head: bytes = b""

    @classmethod
    def begin(cls, folder: Path) -> "_Partial":
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / secrets.token_hex(16)
        return cls(path, path.open("xb"), hashlib.sha256())

    def append(self, chunk: bytes) -> None:
        self.file.write(chunk)
        self.digest.update(chunk)
        self.size_bytes += len(chunk)
        self.head += chunk[: HEAD_LIMIT_BYTES - len(self.head)]

    def stored(self) -> StoredObject:
        return StoredObject(self.size_bytes, self.digest.hexdigest(), self.head)

    def finish(self, path: Path) -> None:
        self.file.flush()
        os.fsync(self.file.fileno())
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.path.replace(path)
        _sync_folder(path.parent)

    def discard(self) -> None:
        with suppress(OSError):
            self.file.close()
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


def _open(path: Path) -> BufferedReader:
    return path.open("rb")


def _inspect(path: Path) -> StoredObject | None:
    try:
        with _open(path) as file:
            head = file.read(HEAD_LIMIT_BYTES)
            file.seek(0)
            digest = hashlib.file_digest(file, "sha256")
            return StoredObject(file.tell(), digest.hexdigest(), head)
    except FileNotFoundError:
        return None


def _move(source: Path, target: Path) -> bool:
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        source.replace(target)
    except FileNotFoundError:
        return False
    _sync_folder(target.parent)
    return True


def _delete(path: Path) -> None:
    path.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """A rename is safe from a power cut once its folder is on disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


async def _chunks_of(file: BufferedReader) -> AsyncIterator[bytes]:
    while chunk := await _in_thread(file.read, CHUNK_BYTES):
        yield chunk


async def _in_thread(work: Callable[..., T], *arguments: object) -> T:
    """Run blocking disk work off the event loop; raises as `_disk_faults`."""
    with _disk_faults():
        return await asyncio.to_thread(work, *arguments)


@contextmanager
def _disk_faults() -> Generator[None]:
    """Tell a missing object from a disk that fails.

    Raises:
        FileNotFoundError: as the work does.
        ObjectStoreUnavailable: the disk is full, failing, or closed to us.
    """
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ObjectStoreUnavailable(f"the folder of files cannot be used: {error.strerror}") from error
