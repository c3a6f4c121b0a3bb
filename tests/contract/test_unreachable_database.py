"""A database that cannot be reached costs one sentence: no traceback, and no thread that dies later."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Many loops, each closed at once: a thread of the driver that outlives its loop dies with a traceback.
_FAILS_TO_CONNECT = """
import asyncio, sys
from tool_service.db.engine import Database, DatabaseUnavailable

async def connect():
    database = Database(sys.argv[1])
    try:
        async with database.begin(write=False):
            raise AssertionError("it can be reached")
    except DatabaseUnavailable:
        pass
    await database.close()

for _ in range(50):
    asyncio.run(connect())
"""


def test_a_failed_connection_leaves_no_thread_behind(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _FAILS_TO_CONNECT, f"sqlite:///{tmp_path}/no/such/folder/kadu.db"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", ["migrate", "seed", "serve", "worker"])
def test_a_command_says_in_one_sentence_that_the_database_does_not_answer(command: str, tmp_path: Path) -> None:
    subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from pathlib import Path; from tool_service.adapters.local_keys import"
            " generate_missing_rings; generate_missing_rings(Path(sys.argv[1]))",
            str(tmp_path / "keys"),
        ],
        check=True,
    )
    environment = {
        **os.environ,
        "TOOL_SERVICE_DATABASE_URL": f"sqlite:///{tmp_path}/no/such/folder/kadu.db",
        "TOOL_SERVICE_KEYS_DIR": str(tmp_path / "keys"),
        "TOOL_SERVICE_DATA_DIR": str(tmp_path),
        "TOOL_SERVICE_GRPC_LISTEN": "127.0.0.1:1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "tool_service", command],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("The database does not answer")
    assert len(done.stderr.strip().splitlines()) == 1
