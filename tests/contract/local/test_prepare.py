"""What a start makes, and what a later start leaves alone."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from tool_service.adapters.local_keys import ASSERTION_KEYS, ISSUER_KEYS
from tool_service.db import tables
from tool_service.db.engine import Database
from tool_service.local.layout import Layout
from tool_service.local.preflight import LocalFault
from tool_service.local.prepare import prepare


@pytest.fixture
def prepared(tmp_path: Path) -> Layout:
    layout = Layout(tmp_path)
    prepare(layout, lambda _: None)
    return layout


def _prepare(layout: Layout) -> list[str]:
    said: list[str] = []
    prepare(layout, said.append)
    return said


async def test_a_new_folder_gets_keys_tables_and_the_demo_organization(prepared: Layout) -> None:
    database = Database(prepared.database_url)
    async with database.begin(write=False) as connection:
        organizations = (await connection.scalars(sa.select(tables.organizations.c.name))).all()
    await database.close()
    assert sorted(organizations) == ["Oficina Boreal Ltda", "Padaria Girassol Ltda"]
    assert (prepared.keys / ISSUER_KEYS).exists()


def test_a_prepared_folder_is_left_alone(prepared: Layout) -> None:
    assert _prepare(prepared) == []


def test_a_missing_key_ring_is_made_again_and_the_others_stay(prepared: Layout) -> None:
    issuer, assertion = prepared.keys / ISSUER_KEYS, (prepared.keys / ASSERTION_KEYS).read_bytes()
    issuer.unlink()
    assert _prepare(prepared) == [f"Preparing keys and database in {prepared.folder} ..."]
    assert issuer.exists()
    assert (prepared.keys / ASSERTION_KEYS).read_bytes() == assertion


def test_a_deleted_database_is_made_again(prepared: Layout) -> None:
    prepared.database.unlink()
    assert _prepare(prepared) == [
        f"Preparing keys and database in {prepared.folder} ...",
        "Added the demo organization.",
    ]


def test_a_folder_of_another_release_is_migrated(prepared: Layout) -> None:
    note = prepared.folder / "prepared.json"
    note.write_text(note.read_text().replace('"fingerprint": "', '"fingerprint": "0'))
    assert _prepare(prepared) == [f"Preparing keys and database in {prepared.folder} ..."]
    assert _prepare(prepared) == []


def test_keys_that_cannot_be_used_are_a_fault_with_a_sentence(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    layout.keys.mkdir()
    (layout.keys / ASSERTION_KEYS).write_text("{}")
    (layout.keys / ASSERTION_KEYS).chmod(0o600)
    with pytest.raises(LocalFault, match=ASSERTION_KEYS):
        prepare(layout, lambda _: None)
