"""Tasks as people keep them, on both databases: created once, changed without loss, deleted, found again."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from tests.support import world
from tests.support.clock import NOON
from tests.support.faces import FaceAnswer, Faces, operation_named
from tests.support.factories import add_task
from tool_service.db.tables import executions, tasks

CREATE, UPDATE, DELETE, GET, LIST = (
    operation_named(f"tasks_{verb}") for verb in ("create", "update", "delete", "get", "list")
)
NEW = {"name": "Conciliação diária", "instructions": "Concilie os dois extratos."}
EVERYTHING = {
    **NEW,
    "slug": "conciliacao",
    "description": "Todo dia.",
    "input_schema": world.MONTH_SCHEMA,
    "default_max_cost_cents": 100,
    "timeout_seconds": 60,
    "enabled": False,
    "external_id": "erp-1",
    "tags": ["a", "b"],
    "custom_data": {"n": 9007199254740993, "é": [None, 1.5]},
}


def problem(answer: FaceAnswer) -> tuple[int, str, str | None]:
    [first, *_] = answer.json()["errors"]
    return answer.status, first["code"], first["param"]


async def updated(faces: Faces, **arguments: Any) -> FaceAnswer:
    return await faces.rest(UPDATE, {"id": str(world.TASK), **arguments})


async def task(faces: Faces, task_id: object = world.TASK, role: str = "manager") -> dict[str, Any]:
    answer = await faces.rest(GET, {"id": str(task_id)}, role=role)
    assert answer.status == 200
    return answer.json()["data"]


async def slugs(faces: Faces, *, role: str = "manager", **filters: Any) -> list[str]:
    answer = await faces.rest(LIST, filters, role=role)
    assert answer.status == 200, answer.body
    return [item["slug"] for item in answer.json()["data"]]


async def test_a_new_task_has_what_was_said_and_the_house_defaults_for_the_rest(faces: Faces) -> None:
    answer = await faces.rest(CREATE, NEW)
    assert answer.status == 201
    data = answer.json()["data"]
    assert data == {
        "id": data["id"],
        "slug": "conciliacao-diaria",
        "name": "Conciliação diária",
        "description": "",
        "instructions": "Concilie os dois extratos.",
        "input_schema": None,
        "default_max_cost_cents": 500,
        "timeout_seconds": 1800,
        "enabled": True,
        "runnable": True,
        "permission_mode": "managers",
        "visibility": "organization",
        "version": 1,
        "last_execution": None,
        "external_id": None,
        "tags": [],
        "custom_data": None,
        "created_by": str(world.MEMBERS["manager"]),
        "created_at": "2026-12-01T12:00:00.000Z",
        "updated_at": "2026-12-01T12:00:00.000Z",
    }
    assert await task(faces, data["id"]) == data


async def test_everything_that_is_said_of_a_task_is_read_back_as_it_was(faces: Faces) -> None:
    data = (await faces.rest(CREATE, EVERYTHING)).json()["data"]
    assert {name: data[name] for name in EVERYTHING} == EVERYTHING
    assert {name: (await task(faces, "conciliacao"))[name] for name in EVERYTHING} == EVERYTHING


async def test_creating_the_same_task_again_answers_the_existing_one(faces: Faces) -> None:
    first = await faces.rest(CREATE, EVERYTHING)
    faces.clock.advance(timedelta(hours=1))
    again = await faces.rest(CREATE, EVERYTHING, role="owner")
    assert (first.status, again.status) == (201, 200)
    assert again.json() == first.json()


@pytest.mark.parametrize(
    "changed",
    [{"instructions": "Outra coisa."}, {"enabled": True}, {"tags": ["b", "a"]}, {"custom_data": {}}, {"name": "Outro"}],
)
async def test_another_task_of_the_same_slug_is_refused(sqlite_faces: Faces, changed: dict[str, Any]) -> None:
    await sqlite_faces.rest(CREATE, EVERYTHING)
    answer = await sqlite_faces.rest(CREATE, {**EVERYTHING, **changed})
    assert problem(answer) == (409, "slug_taken", "slug")


async def test_many_equal_creates_at_once_make_one_task(faces: Faces) -> None:
    answers = await asyncio.gather(*(faces.rest(CREATE, NEW) for _ in range(8)))
    # A create that lost the race may be told so; sent again, it converges.
    assert {answer.status for answer in answers} <= {200, 201, 409}
    assert [answer.status for answer in answers].count(201) == 1
    assert (await faces.rest(CREATE, NEW)).status == 200
    assert await slugs(faces, q="conciliacao-diaria") == ["conciliacao-diaria"]


async def test_a_deleted_task_frees_its_slug(faces: Faces) -> None:
    first = (await faces.rest(CREATE, NEW)).json()["data"]["id"]
    assert (await faces.rest(DELETE, {"id": first})).status == 204
    second = await faces.rest(CREATE, NEW)
    assert second.status == 201
    assert second.json()["data"]["id"] != first
    assert (await task(faces, "conciliacao-diaria"))["id"] == second.json()["data"]["id"]


async def test_a_slug_of_a_hidden_task_is_taken_for_everybody(faces: Faces) -> None:
    assert problem(await updated(faces, slug="restrita")) == (409, "slug_taken", "slug")


async def test_a_change_that_changes_nothing_makes_no_version(faces: Faces) -> None:
    before = await task(faces)
    faces.clock.advance(timedelta(hours=1))
    assert (await updated(faces)).json()["data"] == before
    assert (await updated(faces, name=before["name"])).json()["data"] == before
    assert (await updated(faces, tags=["banco", "diario"], slug="resumo", version=1)).json()["data"] == before


async def test_a_change_touches_the_named_fields_and_counts_the_version_on(faces: Faces) -> None:
    before = await task(faces)
    faces.clock.advance(timedelta(hours=1))
    after = (await updated(faces, name="Novo nome", tags=["x", "x"])).json()["data"]
    changed = {"name": "Novo nome", "tags": ["x"], "version": 2, "updated_at": "2026-12-01T13:00:00.000Z"}
    assert after == {**before, **changed} == await task(faces)


async def test_empty_values_clear_what_may_be_absent(faces: Faces) -> None:
    created = (await faces.rest(CREATE, EVERYTHING)).json()["data"]
    empty: dict[str, Any] = {"description": "", "external_id": "", "tags": [], "custom_data": {}, "input_schema": {}}
    cleared = (await faces.rest(UPDATE, {"id": created["id"], **empty})).json()["data"]
    assert {name: cleared[name] for name in empty} == {
        "description": "",
        "external_id": None,
        "tags": [],
        "custom_data": None,
        "input_schema": None,
    }


@pytest.mark.parametrize("name", ["name", "instructions", "slug"])
async def test_what_a_task_cannot_be_without_cannot_be_cleared(sqlite_faces: Faces, name: str) -> None:
    assert problem(await updated(sqlite_faces, **{name: ""})) == (422, "validation_error", name)
    assert problem(await updated(sqlite_faces, **{name: None})) == (422, "validation_error", name)


async def test_a_change_over_another_that_was_not_seen_is_refused(faces: Faces) -> None:
    assert (await updated(faces, name="Primeiro", version=1)).status == 200
    assert problem(await updated(faces, name="Segundo", version=1)) == (409, "version_conflict", "version")
    assert ((await task(faces))["name"], (await updated(faces, name="Segundo", version=2)).status) == ("Primeiro", 200)


async def test_of_many_changes_at_once_each_is_kept_or_refused(faces: Faces) -> None:
    answers = await asyncio.gather(*(updated(faces, external_id=str(n), version=1) for n in range(8)))
    kept = [n for n, answer in enumerate(answers) if answer.status == 200]
    refused = [problem(answer)[1] for answer in answers if answer.status != 200]
    assert len(kept) == 1
    assert set(refused) == {"version_conflict"}
    assert (await task(faces))["external_id"] == str(kept[0])
    assert (await task(faces))["version"] == 2


async def test_deleting_a_task_cancels_what_waits_and_keeps_its_history(faces: Faces) -> None:
    assert (await faces.rest(DELETE, {"id": str(world.TASK)})).status == 204
    assert problem(await faces.rest(GET, {"id": str(world.TASK)})) == (404, "not_found", "id")
    assert "resumo" not in await slugs(faces)
    async with faces.database.begin(write=False) as connection:
        columns = executions.c.id, executions.c.status, executions.c.status_reason
        rows = await connection.execute(sa.select(*columns).where(executions.c.task_id == world.TASK))
        left = {row.id: (row.status, row.status_reason) for row in rows}
    canceled = ("canceled", "task_deleted")
    assert left == {world.QUEUED: canceled, world.OF_OWNER: canceled, world.COMPLETED: ("completed", None)}
    history = await faces.rest(operation_named("executions_get"), {"id": str(world.COMPLETED)})
    assert history.json()["data"]["task"] == {
        "id": str(world.TASK),
        "slug": "resumo",
        "name": "Resumo de extrato",
        "deleted": True,
    }


async def test_deleting_a_task_again_is_fine_by_id_and_by_slug(faces: Faces) -> None:
    for named in (world.TASK, "resumo", world.TASK, "resumo"):
        assert (await faces.rest(DELETE, {"id": str(named)})).status == 204
    async with faces.database.begin(write=False) as connection:
        row = (await connection.execute(sa.select(tasks).where(tasks.c.id == world.TASK))).one()
    assert (row.version, row.deleted_at) == (2, NOON)


async def test_a_task_that_runs_is_not_deleted(faces: Faces) -> None:
    refused = await faces.rest(DELETE, {"id": str(world.BUSY_TASK)})
    assert problem(refused) == (409, "task_has_running_executions", "id")
    assert (await task(faces, world.BUSY_TASK))["version"] == 1


@pytest.mark.parametrize("role", ["viewer", "operator", "manager", "owner"])
async def test_what_a_person_sees_of_tasks_follows_from_the_role(faces: Faces, role: str) -> None:
    manages = role in {"manager", "owner"}
    everybodys = ["ocupada", "com-schema", "desativada", "so-gestores", "resumo"]
    theirs = ["ocupada", "com-schema", "restrita", *everybodys[2:]] if manages else everybodys
    runs_of: dict[str, list[str]] = {
        "viewer": [],
        "operator": ["ocupada", "com-schema", "resumo"],
        "manager": ["ocupada", "com-schema", "restrita", "so-gestores", "resumo"],
    }
    runs = runs_of["manager" if manages else role]
    assert await slugs(faces, role=role) == theirs
    assert await slugs(faces, role=role, runnable=True) == runs
    assert await slugs(faces, role=role, runnable=False) == [slug for slug in theirs if slug not in runs]
    shown = {slug: await task(faces, slug, role) for slug in theirs}
    assert [slug for slug in theirs if shown[slug]["runnable"]] == runs
    assert [slug for slug in theirs if "instructions" in shown[slug]] == (theirs if manages else [])
    hidden = await faces.rest(GET, {"id": str(world.RESTRICTED_TASK)}, role=role)
    assert hidden.status == (200 if manages else 404)


async def test_items_of_a_list_are_compact(faces: Faces) -> None:
    [item, *_] = (await faces.rest(LIST, {"q": "resumo"}, role="owner")).json()["data"]
    whole = await task(faces, role="owner")
    left_out = {"instructions", "input_schema", "created_by", "custom_data"}
    assert item == {name: value for name, value in whole.items() if name not in left_out}
    assert item["last_execution"] == {"id": str(world.OF_OWNER), "status": "queued", "finished_at": None}


async def add(faces: Faces, *rows: dict[str, Any]) -> None:
    async with faces.database.begin(write=True) as connection:
        for n, row in enumerate(rows):
            owned = {"organization_id": world.ORGANIZATION, "created_by": world.MEMBERS["manager"]}
            await add_task(connection, **{"created_at": NOON - timedelta(hours=n), **owned, **row})


async def test_text_is_searched_as_it_stands_in_name_slug_and_description(faces: Faces) -> None:
    await add(
        faces,
        {"slug": "a", "name": "Taxa de 100%"},
        {"slug": "b", "name": "Taxa de 100 reais"},
        {"slug": "c", "name": "x", "description": "campo_interno \\ path"},
        {"slug": "d", "name": "x", "description": "campointerno"},
        {"slug": "zz-topo", "name": "x"},
    )
    expected: dict[str, list[str]] = {
        "100%": ["a"],
        "%": ["a"],
        "_": ["c"],
        "\\": ["c"],
        "TAXA DE": ["a", "b"],
        "zz-t": ["zz-topo"],
        "'": [],
    }
    assert {text: await slugs(faces, q=text) for text in expected} == expected


async def test_a_filter_by_tags_wants_all_of_them_whole(faces: Faces) -> None:
    await add(
        faces,
        {"slug": "a", "tags": ["fiscal", "50%"]},
        {"slug": "b", "tags": ["fiscal"]},
        {"slug": "c", "tags": ["fiscal2", '"fiscal"']},
    )
    expected: dict[str, list[str]] = {
        "fiscal": ["a", "b"],
        " fiscal , 50% ,": ["a"],
        "fis": [],
        "%": [],
        '"fiscal"': ["c"],
        "Fiscal": [],
        "banco,diario": ["resumo"],
        "banco,fiscal": [],
    }
    assert {tags: await slugs(faces, tags=tags) for tags in expected} == expected


async def test_a_period_holds_both_its_ends(faces: Faces) -> None:
    """A bare date is a day in São Paulo, three hours behind UTC."""
    midnight = datetime(2026, 1, 10, 3, tzinfo=UTC)
    await add(
        faces,
        {"slug": "before", "created_at": midnight - timedelta(microseconds=1)},
        {"slug": "first", "created_at": midnight},
        {"slug": "last", "created_at": midnight + timedelta(days=1) - timedelta(microseconds=1)},
        {"slug": "after", "created_at": midnight + timedelta(days=1)},
    )
    assert await slugs(faces, created_from="2026-01-10", created_to="2026-01-10") == ["last", "first"]
    assert await slugs(faces, created_to="2026-01-09") == ["before"]
    assert await slugs(faces, created_from="2026-01-10T04:00:00+01:00", created_to="2026-01-10T00:00:00-03:00") == [
        "first"
    ]
    assert await slugs(faces, created_from="2026-01-11", created_to="2026-01-11T03:00:00.000Z") == ["after"]
    assert await slugs(faces, created_from="2026-01-12", created_to="2026-01-11") == []


MEANINGLESS = [
    ("created_from", "2026-12-01T12:00:00"),
    ("created_from", "2026-02-30"),
    ("created_to", "tomorrow, or so"),
    ("created_to", "9999-12-31"),
    # In UTC these lie outside of the years that a date can have.
    ("created_to", "9999-12-31T23:59:59-03:00"),
    ("created_from", "0001-01-01T00:00:00+14:00"),
    ("enabled", "yes"),
    ("q", ""),
    ("q", "x" * 101),
    ("tags", "\x00"),
]


async def test_a_filter_that_means_nothing_is_refused_by_its_name(faces: Faces) -> None:
    for name, value in MEANINGLESS:
        assert problem(await faces.rest(LIST, {name: value})) == (422, "validation_error", name), value
