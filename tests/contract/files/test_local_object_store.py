"""The folder behind the store: keys stay inside, faults of the disk are told, nothing half-done stays."""

import asyncio
import resource
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.clock import FakeClock
from tool_service.adapters.local_object_store import LocalObjectStore
from tool_service.ports import ObjectStoreUnavailable

KEY = "org/0198a1/0198b2"


def _store(folder: Path) -> LocalObjectStore:
    return LocalObjectStore(folder, "http://files.test", [b"k" * 32], FakeClock())


async def _pieces(*pieces: bytes) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


def _files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@contextmanager
def _disk_of(limit_bytes: int) -> Generator[None]:
    """No file of this process may grow beyond that: what a full disk looks like, without filling one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("key", ["", "/etc/passwd", "../secret", "org/../../x", "org//x", "org/x/", "org/.x", "a\x00b"])
async def test_a_key_never_leads_out_of_the_folder(tmp_path: Path, key: str) -> None:
    store = _store(tmp_path / "files")
    for attempt in (store.inspect(key), store.read(key), store.delete(key), store.move(KEY, key)):
        with pytest.raises(ValueError, match="not a key"):
            await attempt
    with pytest.raises(ValueError, match="not a key"):
        await store.write(key, _pieces(b"abc"))
    assert _files(tmp_path) == []


async def test_a_full_disk_is_told_and_leaves_nothing_half_done(tmp_path: Path) -> None:
    store = _store(tmp_path)
    await store.write(KEY, _pieces(b"before"))
    with _disk_of(64 * 1024), pytest.raises(ObjectStoreUnavailable, match=r"^the folder of files cannot be used: "):
        await store.write(KEY, _pieces(*[b"x" * 50_000] * 3))
    assert await store.read(KEY) == b"before"
    assert _files(tmp_path) == [f"objects/{KEY}"]


async def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    # A file in its place: root, as in a container, passes over missing permissions.
    (tmp_path / "files").write_bytes(b"")
    store = _store(tmp_path / "files")
    with pytest.raises(ObjectStoreUnavailable, match=r"^the folder of files cannot be used: "):
        await store.write(KEY, _pieces(b"abc"))
    with pytest.raises(ObjectStoreUnavailable):
        await store.inspect(KEY)


async def test_a_write_that_is_cancelled_leaves_nothing_behind(tmp_path: Path) -> None:
    store, waiting = _store(tmp_path), asyncio.Event()

    async def stalled() -> AsyncIterator[bytes]:
        yield b"half"
        waiting.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(store.write(KEY, stalled()))
    await waiting.wait()
    assert len(_files(tmp_path)) == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert _files(tmp_path) == []


async def test_two_stores_share_one_folder(tmp_path: Path) -> None:
    # As several replicas on one machine do.
    one, other = _store(tmp_path), _store(tmp_path)
    await asyncio.gather(*(store.write(KEY, _pieces(*[b"same"] * 100)) for store in (one, other) * 5))
    assert await other.read(KEY) == b"same" * 100
    assert _files(tmp_path) == [f"objects/{KEY}"]
