"""What clients see changes on purpose only: the golden files are what the code says."""

from pathlib import Path

import pytest

from tests.contract.snapshots.write import FOLDER, golden_files

FILES = golden_files()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_golden_file_says_what_the_code_says(path: Path) -> None:
    assert path.exists(), "make snapshots writes it"
    assert path.read_text(encoding="utf-8") == FILES[path]


def test_no_golden_file_outlives_its_tool() -> None:
    assert set(FOLDER.rglob("*.json")) == FILES.keys()
