"""files_list through both faces, on both databases: who sees what, and what each filter leaves."""

from typing import Any

import pytest

from tests.support import world
from tests.support.clock import fake_id
from tests.support.faces import Faces, operation_named
from tests.support.factories import add_file

OF_OPEN_TASK, OF_HIDDEN_TASK = fake_id(0x6100), fake_id(0x6101)


async def ids(faces: Faces, role: str, **arguments: Any) -> list[str]:
    answer = await faces.rest(operation_named("files_list"), {"limit": 100, **arguments}, role=role)
    assert answer.status == 200, answer.body
    return [each["id"] for each in answer.json()["data"]]


async def outputs(faces: Faces) -> None:
    """One file of an execution that everybody sees, one of an execution of a restricted task."""
    owned = {"organization_id": world.ORGANIZATION, "created_by": world.MEMBERS["owner"], "purpose": "output"}
    async with faces.database.begin(write=True) as connection:
        for file_id, execution_id in ((OF_OPEN_TASK, world.COMPLETED), (OF_HIDDEN_TASK, world.HIDDEN)):
            await add_file(connection, id=file_id, execution_id=execution_id, filename="resumo.md", **owned)


ALL_UPLOADS = [str(each) for each in (world.PURGED_FILE, world.EXPIRED_FILE, world.PENDING_FILE, world.READY_FILE)]


@pytest.mark.parametrize(
    ("role", "seen"),
    [
        ("manager", {OF_OPEN_TASK, OF_HIDDEN_TASK}),
        ("owner", {OF_OPEN_TASK, OF_HIDDEN_TASK}),
        ("operator", {OF_OPEN_TASK}),
        ("viewer", {OF_OPEN_TASK}),
    ],
)
async def test_a_list_holds_what_a_read_would_show(faces: Faces, role: str, seen: set[Any]) -> None:
    await outputs(faces)
    listed = set(await ids(faces, role))
    assert {each for each in (OF_OPEN_TASK, OF_HIDDEN_TASK) if str(each) in listed} == seen
    assert (set(ALL_UPLOADS) <= listed) is (role != "viewer")
    for file_id in (*ALL_UPLOADS, str(OF_OPEN_TASK), str(OF_HIDDEN_TASK), str(world.FOREIGN_FILE)):
        read = await faces.rest(operation_named("files_get"), {"id": file_id}, role=role)
        assert (read.status == 200) is (file_id in listed), file_id


async def test_uploads_come_newest_first(faces: Faces) -> None:
    assert await ids(faces, "operator") == ALL_UPLOADS


@pytest.mark.parametrize(
    ("filters", "left"),
    [
        ({"status": "ready", "purpose": "input"}, [world.READY_FILE]),
        ({"status": "pending_upload"}, [world.PENDING_FILE]),
        # Nobody has to come by for one to expire.
        ({"status": "expired"}, [world.EXPIRED_FILE]),
        ({"status": "purged,ready", "purpose": "input"}, [world.PURGED_FILE, world.READY_FILE]),
        ({"purpose": "output"}, [OF_OPEN_TASK, OF_HIDDEN_TASK]),
        ({"execution_id": str(world.COMPLETED)}, [OF_OPEN_TASK]),
        ({"execution_id": str(world.NO_SUCH)}, []),
        ({"q": "RESUMO.MD"}, [OF_OPEN_TASK, OF_HIDDEN_TASK]),
        ({"q": "100%"}, []),
        ({"created_to": "2026-11-01"}, []),
    ],
)
async def test_each_filter_leaves_what_it_says(faces: Faces, filters: dict[str, Any], left: list[Any]) -> None:
    await outputs(faces)
    found = await ids(faces, "manager", **filters)
    assert sorted(found) == sorted(str(each) for each in left)
