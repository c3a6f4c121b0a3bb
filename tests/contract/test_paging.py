"""Every list, followed to its end while rows are added: nothing twice, nothing of what was there missing."""

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from tests.support import world
from tests.support.clock import NOON, fake_id
from tests.support.faces import REGISTRY, FaceAnswer, Faces, operation_named
from tests.support.factories import add_approval, add_execution, add_file, add_task
from tool_service.db.tables import execution_outputs, tasks
from tool_service.domain.paging import ListArguments
from tool_service.domain.schema import Page

LISTS = {each.name: each for each in REGISTRY.operations if each.answer is Page}
# Of which thing a list is, where it is of one.
OF = {"execution_outputs_list": {"id": str(world.COMPLETED)}}
EACH_LIST = pytest.mark.parametrize("name", LISTS)
BURST = 3


async def add_rows(faces: Faces, name: str, round_number: int) -> None:
    """A burst of rows of one moment, as an import makes them: newer than what is there, or behind it in its order."""
    moment = NOON + timedelta(minutes=round_number)
    owned: dict[str, Any] = {"organization_id": world.ORGANIZATION, "created_at": moment}
    async with faces.database.begin(write=True) as connection:
        for n in range(BURST):
            match name:
                case "tasks_list":
                    await add_task(connection, created_by=world.MEMBERS["manager"], **owned)
                case "executions_list":
                    mine = {"task_id": world.TASK, "requested_by": world.MEMBERS["operator"]}
                    await add_execution(connection, **mine, **owned)
                case "execution_outputs_list":
                    index = round_number * BURST + n
                    row = {"index": index, "kind": "text", "text": str(index), "updated_at": moment, **owned}
                    row |= {"id": fake_id(0x9000 - index), "execution_id": world.COMPLETED}
                    await connection.execute(sa.insert(execution_outputs).values(row))
                case "files_list":
                    await add_file(connection, created_by=world.MEMBERS["operator"], **owned)
                case "approvals_list":
                    await add_approval(connection, member_id=world.MEMBERS["manager"], **owned)
                case _:
                    raise AssertionError(f"say here how a row of {name} comes about")


async def page(faces: Faces, name: str, **arguments: Any) -> FaceAnswer:
    return await faces.rest(LISTS[name], {**OF.get(name, {}), **arguments})


async def ids_of_everything(faces: Faces, name: str) -> list[str]:
    whole = (await page(faces, name, limit=100)).json()
    assert whole["meta"] == {"next_cursor": None, "limit": 100}
    return [item["id"] for item in whole["data"]]


@EACH_LIST
@pytest.mark.parametrize("limit", [1, 2, 100])
async def test_d27_a_list_is_followed_to_its_end_while_rows_are_added(faces: Faces, name: str, limit: int) -> None:
    """Field report D27."""
    for round_number in range(3):
        await add_rows(faces, name, round_number)
    there = await ids_of_everything(faces, name)
    assert len(there) >= 3 * BURST
    seen: list[str] = []
    arguments: dict[str, Any] = {"limit": limit}
    for round_number in range(3, 3 + 100):
        answer = (await page(faces, name, **arguments)).json()
        assert answer["meta"].keys() == {"next_cursor", "limit"}
        assert answer["meta"]["limit"] == limit
        assert 1 <= len(answer["data"]) <= limit
        seen += [item["id"] for item in answer["data"]]
        if answer["meta"]["next_cursor"] is None:
            break
        arguments["cursor"] = answer["meta"]["next_cursor"]
        if round_number < 6:
            await add_rows(faces, name, round_number)
    else:
        raise AssertionError("the list has no end")
    assert len(set(seen)) == len(seen)
    # In the order in which they were there, and no newer one among them.
    assert seen[: len(there)] == there


@EACH_LIST
async def test_rows_of_one_moment_have_one_order_whatever_the_page(faces: Faces, name: str) -> None:
    await add_rows(faces, name, 0)
    await add_rows(faces, name, 1)
    there = await ids_of_everything(faces, name)
    for limit in (1, 2, 5):
        seen: list[str] = []
        cursor: dict[str, str] = {}
        while True:
            answer = (await page(faces, name, limit=limit, **cursor)).json()
            seen += [item["id"] for item in answer["data"]]
            if answer["meta"]["next_cursor"] is None:
                break
            cursor = {"cursor": answer["meta"]["next_cursor"]}
        assert seen == there


async def first_cursor(faces: Faces, name: str) -> str:
    await add_rows(faces, name, 0)
    cursor = (await page(faces, name, limit=1)).json()["meta"]["next_cursor"]
    assert cursor is not None
    return cursor


def code(answer: FaceAnswer) -> tuple[int, str]:
    return answer.status, answer.json()["errors"][0]["code"]


@EACH_LIST
async def test_a_cursor_works_for_a_day_and_only_as_it_was_given(sqlite_faces: Faces, name: str) -> None:
    cursor = await first_cursor(sqlite_faces, name)
    for changed in (cursor[:-8], cursor + "AAAA", cursor[8:], cursor.swapcase()):
        assert code(await page(sqlite_faces, name, cursor=changed)) == (400, "invalid_cursor")
    sqlite_faces.clock.advance(timedelta(hours=24))
    assert (await page(sqlite_faces, name, cursor=cursor)).status == 200
    sqlite_faces.clock.advance(timedelta(seconds=1))
    assert code(await page(sqlite_faces, name, cursor=cursor)) == (400, "invalid_cursor")


@EACH_LIST
async def test_a_cursor_of_one_list_is_refused_by_the_others(sqlite_faces: Faces, name: str) -> None:
    cursor = await first_cursor(sqlite_faces, name)
    for other in LISTS.keys() - {name}:
        assert code(await page(sqlite_faces, other, cursor=cursor)) == (400, "invalid_cursor"), other


OTHER_FILTERS: dict[str, list[dict[str, Any]]] = {
    "tasks_list": [{"q": "resumo"}, {"enabled": True}, {"tags": "banco"}, {"created_from": "2026-01-01"}],
    "executions_list": [{"status": "queued"}, {"requested_by": "me"}, {"created_to": "2026-12-31"}],
    "files_list": [{"q": "extrato"}, {"purpose": "input"}, {"status": "ready"}],
    "approvals_list": [{"status": "pending"}, {"status": "completed,failed"}],
    "execution_outputs_list": [{"id": str(world.QUEUED)}],
}


@EACH_LIST
async def test_a_cursor_is_refused_with_another_filter(sqlite_faces: Faces, name: str) -> None:
    cursor = await first_cursor(sqlite_faces, name)
    for filters in OTHER_FILTERS[name]:
        assert code(await page(sqlite_faces, name, cursor=cursor, **filters)) == (400, "invalid_cursor"), filters


async def test_a_page_continues_even_when_its_last_row_is_gone(faces: Faces) -> None:
    first = (await page(faces, "tasks_list", limit=2)).json()
    there = await ids_of_everything(faces, "tasks_list")
    async with faces.database.begin(write=True) as connection:
        gone = sa.update(tasks).where(tasks.c.slug == first["data"][-1]["slug"])
        await connection.execute(gone.values(deleted_at=NOON))
    rest = (await page(faces, "tasks_list", limit=100, cursor=first["meta"]["next_cursor"])).json()
    assert [item["id"] for item in rest["data"]] == there[2:]


async def test_a_list_without_a_limit_has_pages_of_25(sqlite_faces: Faces) -> None:
    for round_number in range(10):
        await add_rows(sqlite_faces, "tasks_list", round_number)
    answer = (await page(sqlite_faces, "tasks_list")).json()
    assert (len(answer["data"]), answer["meta"]["limit"]) == (25, 25)
    assert answer["meta"]["next_cursor"] is not None


def test_every_list_takes_a_limit_and_a_cursor() -> None:
    assert all(issubclass(each.arguments, ListArguments) for each in LISTS.values())
    assert operation_named("tasks_list").name in LISTS
