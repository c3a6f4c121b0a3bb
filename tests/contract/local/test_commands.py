"""The commands that containers run once, as containers run them."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def _run(database_url: str, command: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tool_service", command],
        cwd=ROOT,
        env={**os.environ, "TOOL_SERVICE_DATABASE_URL": database_url},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    return done.returncode, done.stdout


def test_an_empty_database_is_migrated_and_seeded_and_doing_it_again_is_fine(empty_database_url: str) -> None:
    assert _run(empty_database_url, "migrate") == (0, "The database is up to date.\n")
    assert _run(empty_database_url, "seed") == (0, "Added the demo data.\n")
    assert _run(empty_database_url, "migrate") == (0, "The database is up to date.\n")
    assert _run(empty_database_url, "seed") == (0, "The demo data is there.\n")
