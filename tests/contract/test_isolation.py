"""Organizations are strangers: what belongs to one is, for everybody of another, as if it did not exist."""

from typing import Any
from uuid import UUID

import sqlalchemy as sa

from tests.contract.parity_cases import CASES
from tests.support import world
from tests.support.faces import REGISTRY, FaceAnswer, Faces, operation_named
from tests.support.factories import add_member
from tests.support.rest_client import JSON, TASK, TASKS, RestClient, codes
from tool_service.db.schema import metadata
from tool_service.domain.schema import Page

OF_ONE = [each for each in REGISTRY.operations if "{id}" in each.route.path]
LISTS = [each for each in REGISTRY.operations if each.answer is Page and each not in OF_ONE]


def successful_arguments(operation_name: str) -> dict[str, Any]:
    """Of a call that succeeds for a member of the company, by the id of its object."""
    right = (case.arguments for case in CASES if case.operation == operation_name and case.code is None)
    return next(arguments for arguments in right if _is_id(arguments["id"]))


def _is_id(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False


async def rows_of_the_company(faces: Faces) -> dict[str, list[tuple[Any, ...]]]:
    found: dict[str, list[tuple[Any, ...]]] = {}
    async with faces.database.begin(write=False) as connection:
        for table in metadata.sorted_tables:
            if "organization_id" in table.c:
                mine = sa.select(table).where(table.c.organization_id == world.ORGANIZATION)
                rows = await connection.execute(mine.order_by(*table.primary_key))
                found[table.name] = [tuple(row) for row in rows]
    return found


async def test_a_stranger_gets_for_every_id_what_an_id_of_nothing_gets_and_changes_nothing(faces: Faces) -> None:
    before = await rows_of_the_company(faces)
    assert before["tasks"]
    assert before["executions"]
    for operation in OF_ONE:
        arguments = successful_arguments(operation.name)
        nothing = {**arguments, "id": str(world.NO_SUCH)}
        asked = await faces.rest(operation, arguments, role="stranger")
        assert asked.status == 404, operation.name
        assert asked == await faces.rest(operation, nothing, role="stranger"), operation.name
        confirmed = await faces.grpc(operation, arguments, role="stranger", confirmation_id=operation.name)
        assert confirmed == asked, operation.name
        # Without a yes as well: nobody is asked to confirm what is not theirs.
        assert await faces.grpc(operation, arguments, role="stranger") == asked, operation.name
    assert await rows_of_the_company(faces) == before
    assert faces.queue.enqueued == []


async def test_every_list_holds_what_is_of_the_callers_organization_alone(faces: Faces) -> None:
    for operation in LISTS:
        ours, theirs = [await _ids(faces, operation.name, role) for role in ("owner", "stranger")]
        assert ours, operation.name
        assert not ours & theirs, operation.name
    assert await _ids(faces, "tasks_list", "stranger") == {str(world.FOREIGN_TASK)}


async def _ids(faces: Faces, operation_name: str, role: str) -> set[str]:
    answer = await faces.rest(operation_named(operation_name), {"limit": 100}, role=role)
    assert answer.status == 200
    return {item["id"] for item in answer.json()["data"]}


async def test_a_filter_by_what_is_not_ours_finds_what_a_filter_by_nothing_finds(faces: Faces) -> None:
    listing = operation_named("executions_list")
    foreign = {"task_id": world.TASK, "thread_id": world.QUEUED, "requested_by": world.MEMBERS["operator"]}
    for name, value in foreign.items():
        found = await faces.rest(listing, {name: str(value)}, role="stranger")
        assert found == await faces.rest(listing, {name: str(world.NO_SUCH)}, role="stranger"), name
        assert found.json()["data"] == [], name


async def test_a_file_that_is_not_ours_cannot_be_given_to_a_run(faces: Faces) -> None:
    run = operation_named("tasks_run")
    answers = []
    for file_id in (world.READY_FILE, world.NO_SUCH):
        arguments = {"id": str(world.FOREIGN_TASK), "message": "x", "input_file_ids": [str(file_id)]}
        answers.append(await faces.rest(run, arguments, role="stranger"))
    assert answers[0] == answers[1]
    assert answers[0].json()["errors"][0]["code"] == "unknown_file"


async def test_a_slug_means_the_task_of_the_callers_own_organization(faces: Faces) -> None:
    """Both organizations have a task of that slug."""
    read = operation_named("tasks_get")
    ids = [(await faces.rest(read, {"id": "resumo"}, role=role)).json()["data"]["id"] for role in ("owner", "stranger")]
    assert ids == [str(world.TASK), str(world.FOREIGN_TASK)]


async def test_a_cursor_of_one_organization_is_refused_in_another(faces: Faces) -> None:
    for operation in LISTS:
        page = await faces.rest(operation, {"limit": 1}, role="owner")
        cursor = page.json()["meta"]["next_cursor"]
        assert cursor is not None, operation.name
        refused = await faces.rest(operation, {"limit": 1, "cursor": cursor}, role="stranger")
        made_up = await faces.rest(operation, {"limit": 1, "cursor": "made-up"}, role="stranger")
        assert refused == made_up, operation.name
        assert refused.json()["errors"][0]["code"] == "invalid_cursor"


async def test_a_person_of_two_organizations_acts_in_the_one_of_the_token(faces: Faces) -> None:
    async with faces.database.begin(write=True) as connection:
        both = {"organization_id": world.OTHER_ORGANIZATION, "person_id": world.PEOPLE["manager"]}
        await add_member(connection, role="viewer", **both)
    client = RestClient(faces)
    there = [("Authorization", f"Bearer {client.token(organization=world.OTHER_ORGANIZATION)}"), JSON]
    listed = await client.send("GET", TASKS, there)
    assert [each["id"] for each in listed.json()["data"]] == [str(world.FOREIGN_TASK)]
    assert codes(await client.send("GET", TASK, there)) == (404, ["not_found"])
    # A manager here is a viewer there.
    refused = await client.send("PATCH", f"{TASKS}/{world.FOREIGN_TASK}", there, b'{"name":"N"}')
    assert codes(refused) == (403, ["forbidden"])


async def test_a_repeat_key_of_one_organization_means_nothing_in_another(faces: Faces) -> None:
    create, task = operation_named("tasks_create"), {"name": "Nova", "instructions": "I"}
    answers = [await faces.rest(create, task, role=role, key="k") for role in ("owner", "stranger")]
    assert [(answer.status, answer.replayed) for answer in answers] == [(201, False), (201, False)]
    assert isinstance(answers[0], FaceAnswer)
    assert answers[0].json()["data"]["id"] != answers[1].json()["data"]["id"]
