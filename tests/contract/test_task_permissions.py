"""Who may see and run a task by a grant: the same in every list, read, run and suggestion, on both databases."""

import asyncio
from typing import Any

import pytest
import sqlalchemy as sa

from protos.tool_service.v1 import tool_service_pb2 as pb
from tests.support import world
from tests.support.faces import FaceAnswer, Faces, operation_named
from tests.support.factories import add_file, add_member, add_person
from tool_service.db.tables import audit_events
from tool_service.domain.caller import Role

TASK = {"id": str(world.RESTRICTED_TASK)}
UPDATE, GET = operation_named("task_permissions_update"), operation_named("task_permissions_get")


async def permit(faces: Faces, *grants: tuple[str, object, str], **changed: Any) -> FaceAnswer:
    version = (await faces.rest(GET, TASK, role="owner")).json()["data"]["version"]
    said = [{"principal_type": kind, "principal_id": str(who), "access": access} for kind, who, access in grants]
    values = {"mode": "restricted", "visibility": "restricted", "grants": said, "version": version, **changed}
    return await faces.rest(UPDATE, {**TASK, **values}, role="owner")


async def seen(faces: Faces, role: str) -> set[str]:
    """By which ways a person sees the task, its execution and what that wrote."""
    ways = {
        "task": ("tasks_get", TASK),
        "execution": ("executions_get", {"id": str(world.HIDDEN)}),
        "file": ("files_get", {"id": str(world.READY_FILE)}),
    }
    found = {
        name
        for name, (operation, arguments) in ways.items()
        if (await faces.rest(operation_named(operation), arguments, role=role)).status == 200
    }
    for name, operation, wanted in (
        ("tasks", "tasks_list", world.RESTRICTED_TASK),
        ("executions", "executions_list", world.HIDDEN),
        ("files", "files_list", world.READY_FILE),
    ):
        listed = await faces.rest(operation_named(operation), {"limit": 100}, role=role)
        if str(wanted) in {each["id"] for each in listed.json()["data"]}:
            found.add(name)
    completed = await faces.stub.Complete(
        pb.CompleteRequest(uri_template="kobana://kadu/tasks/{id}", argument="id", value="restrita"),
        metadata=faces.metadata(role, "kadu.admin"),
        timeout=10,
    )
    return found | ({"suggestion"} if "restrita" in completed.completion.values else set())


EVERYTHING = {"task", "execution", "file", "tasks", "executions", "files", "suggestion"}


@pytest.fixture(autouse=True)
async def written(faces: Faces) -> None:
    """A file that the execution of the restricted task wrote for the owner."""
    async with faces.database.begin(write=True) as connection:
        await connection.execute(sa.text("DELETE FROM files"))
        owned = {"organization_id": world.ORGANIZATION, "created_by": world.MEMBERS["owner"], "purpose": "output"}
        await add_file(connection, id=world.READY_FILE, execution_id=world.HIDDEN, **owned)


async def run(faces: Faces, role: str) -> int:
    arguments = {**TASK, "message": "Resuma."}
    return (await faces.rest(operation_named("tasks_run"), arguments, role=role)).status


async def runnable(faces: Faces, role: str) -> bool:
    listed = await faces.rest(operation_named("tasks_list"), {"runnable": True, "limit": 100}, role=role)
    shown = await faces.rest(operation_named("tasks_get"), TASK, role=role)
    is_listed = str(world.RESTRICTED_TASK) in {each["id"] for each in listed.json()["data"]}
    assert is_listed is (shown.status == 200 and shown.json()["data"]["runnable"])
    return is_listed


async def test_without_a_grant_only_managers_see_a_restricted_task_and_nobody_runs_it(faces: Faces) -> None:
    assert (await permit(faces)).status == 200
    for role in Role:
        assert await seen(faces, role) == (EVERYTHING if role.includes(Role.MANAGER) else set()), role
        assert not await runnable(faces, role)
        assert await run(faces, role) in {403, 404}


@pytest.mark.parametrize("access", ["view", "run"])
async def test_whom_a_grant_names_sees_it_everywhere_and_runs_it_if_it_says_so(faces: Faces, access: str) -> None:
    await permit(faces, ("member", world.MEMBERS["operator"], access))
    assert await seen(faces, "operator") == EVERYTHING
    assert await seen(faces, "viewer") == set()
    assert await runnable(faces, "operator") is (access == "run")
    assert await run(faces, "operator") == (202 if access == "run" else 403)


async def test_a_grant_to_a_role_is_one_to_everybody_of_it_and_above(faces: Faces) -> None:
    await permit(faces, ("role", "viewer", "run"))
    assert await seen(faces, "viewer") == EVERYTHING
    assert not await runnable(faces, "viewer")
    for role in ("operator", "manager", "owner"):
        assert await runnable(faces, role)
        assert await run(faces, role) == 202


async def test_a_grant_that_is_taken_back_counts_at_once(faces: Faces) -> None:
    await permit(faces, ("member", world.MEMBERS["operator"], "run"))
    await permit(faces)
    assert await seen(faces, "operator") == set()
    assert await run(faces, "operator") == 404


async def test_a_service_is_granted_as_such(faces: Faces) -> None:
    async with faces.database.begin(write=True) as connection:
        person = await add_person(connection, kind="service", name="ERP")
        service = await add_member(
            connection, organization_id=world.ORGANIZATION, person_id=person["id"], role="operator"
        )
    assert (await permit(faces, ("service", service["id"], "run"))).status == 200
    for kind, who in (("member", service["id"]), ("service", world.MEMBERS["operator"]), ("member", "no id")):
        refused = await permit(faces, (kind, who, "run"))
        assert refused.json()["errors"][0]["code"] == "unknown_member"
        assert refused.json()["errors"][0]["param"] == "grants[0].principal_id"


async def test_the_same_again_is_fine_and_changes_nothing(faces: Faces) -> None:
    first = await permit(faces, ("role", "operator", "run"), version=1)
    again = await permit(faces, ("role", "operator", "run"), version=1)
    assert (first.body, first.json()["data"]["version"]) == (again.body, 2)


async def test_of_two_who_change_it_at_once_one_is_told(faces: Faces) -> None:
    answers = await asyncio.gather(
        permit(faces, ("role", "operator", "run"), version=1), permit(faces, ("role", "manager", "run"), version=1)
    )
    assert sorted(each.status for each in answers) == [200, 409]


async def test_other_changes_of_the_task_leave_the_permissions_alone(faces: Faces) -> None:
    await permit(faces, ("role", "operator", "run"))
    before = (await faces.rest(GET, TASK, role="owner")).json()
    await faces.rest(operation_named("tasks_update"), {**TASK, "name": "Outro nome"}, role="owner")
    assert (await faces.rest(GET, TASK, role="owner")).json() == before


async def test_what_changed_is_on_record(faces: Faces) -> None:
    await permit(faces, ("member", world.MEMBERS["operator"], "run"))
    async with faces.database.begin(write=False) as connection:
        statement = sa.select(audit_events.c.changes).where(audit_events.c.action == "task_permissions_update")
        changes = {each["field"]: (each["from"], each["to"]) for each in await connection.scalar(statement)}
    assert changes["mode"][1] == "restricted"
    assert changes["grants"] == ([], [f"member:{world.MEMBERS['operator']} run"])


async def test_the_person_reads_who_gets_what(faces: Faces) -> None:
    said = [
        {"principal_type": "member", "principal_id": str(world.MEMBERS["operator"]), "access": "run"},
        {"principal_type": "role", "principal_id": "viewer", "access": "view"},
    ]
    arguments = {**TASK, "mode": "restricted", "visibility": "organization", "grants": said, "version": 1}
    asked = await faces.grpc(UPDATE, arguments, role="owner")
    assert isinstance(asked, pb.ConfirmationRequired)
    assert asked.summary == (
        "Mudar quem pode disparar a tarefa «Restrita»: só quem está na lista. Quem a vê: toda a empresa."
        " Na lista: Pessoa 1 (disparar); leitores e acima (ver)."
    )
