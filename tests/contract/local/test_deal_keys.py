"""The key rings of a first deployment, each with the service that needs it and with no other."""

import stat
from pathlib import Path

import pytest

from tool_service.local.deal_keys import deal


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path, Path]:
    made = (tmp_path / "all", tmp_path / "tool_service", tmp_path / "mcp_frontend")
    for folder in made:
        folder.mkdir()
    return made


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_each_service_gets_its_own_rings_and_no_other(folders: tuple[Path, Path, Path]) -> None:
    deal(*folders)
    assert {path.name for path in folders[1].iterdir()} == {
        "issuer_keys.json",
        "seal_keys.json",
        "assertion_public_keys.json",
    }
    assert {path.name for path in folders[2].iterdir()} == {"assertion_keys.json", "state_keys.json"}


def test_nobody_else_may_read_what_was_dealt(folders: tuple[Path, Path, Path]) -> None:
    deal(*folders)
    files = [path for folder in folders for path in folder.iterdir()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_dealing_again_changes_nothing(folders: tuple[Path, Path, Path]) -> None:
    deal(*folders)
    before = [_contents(folder) for folder in folders]
    deal(*folders)
    assert [_contents(folder) for folder in folders] == before
