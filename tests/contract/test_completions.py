"""Completions over real gRPC: only what the caller sees, at most a hundred, on both databases."""

from datetime import timedelta
from uuid import UUID

import pytest

from protos.tool_service.v1 import tool_service_pb2 as pb
from tests.support import world
from tests.support.clock import NOON, fake_id
from tests.support.faces import Faces, operation_named
from tests.support.factories import add_file, add_task
from tool_service.db import tables

TASK = "kobana://kadu/tasks/{id}"
EXECUTION = "kobana://kadu/executions/{id}"
FILE = "kobana://kadu/files/{id}"
UNKNOWN = pb.CompleteResponse(
    failure=pb.ReferenceFailure(message="There is no such argument of a prompt or variable of a resource template.")
)


async def complete(
    faces: Faces,
    reference: str,
    argument: str,
    value: str = "",
    *,
    role: str = "manager",
    scopes: str = "kadu.admin",
    task: str | None = None,
) -> pb.CompleteResponse:
    request = pb.CompleteRequest(argument=argument, value=value, context={} if task is None else {"task": task})
    if "://" in reference:
        request.uri_template = reference
    else:
        request.prompt = reference
    return await faces.stub.Complete(request, metadata=faces.metadata(role, scopes), timeout=10)


async def values(
    faces: Faces, reference: str, argument: str, value: str = "", *, role: str = "manager", task: str | None = None
) -> list[str]:
    return list((await complete(faces, reference, argument, value, role=role, task=task)).completion.values)


async def test_a_prompt_is_offered_the_tasks_that_the_caller_may_run(faces: Faces) -> None:
    # Who sees no restricted task cannot run it either; a disabled one nobody can run.
    runnable = {
        "operator": ["com-schema", "ocupada", "resumo"],
        "manager": ["com-schema", "ocupada", "restrita", "resumo", "so-gestores"],
        "stranger": ["resumo"],
    }
    assert {role: await values(faces, "kadu_run_task", "task", role=role) for role in runnable} == runnable


async def test_a_template_is_offered_the_tasks_that_the_caller_may_see(faces: Faces) -> None:
    everything = ["com-schema", "desativada", "ocupada", "restrita", "resumo", "so-gestores"]
    assert await values(faces, TASK, "id") == everything
    assert await values(faces, TASK, "id", role="viewer") == [each for each in everything if each != "restrita"]
    assert await values(faces, TASK, "id", role="stranger") == ["resumo"]


@pytest.mark.parametrize(
    ("typed", "slugs"),
    [
        ("RES", ["restrita", "resumo", "so-gestores"]),
        ("gestores", ["so-gestores"]),
        ("extrato", ["resumo"]),
        ("s", ["so-gestores", "com-schema", "desativada", "restrita", "resumo"]),
        ("%", []),
        ("_", []),
        ("\\", []),
        ("'; --", []),
        ("a\x00", []),
        ("x" * 5 * 1024, []),
    ],
)
async def test_d28_tasks_are_found_by_literal_text_in_slug_or_name_beginnings_first(
    faces: Faces, typed: str, slugs: list[str]
) -> None:
    assert await values(faces, TASK, "id", typed) == slugs


async def test_d28_of_250_tasks_a_hundred_are_offered_and_nobody_claims_to_have_counted(faces: Faces) -> None:
    async with faces.database.begin(write=True) as connection:
        for n in range(250):
            await add_task(
                connection, slug=f"t-{n:03}", organization_id=world.ORGANIZATION, created_by=world.MEMBERS["owner"]
            )
    for reference, argument in ((TASK, "id"), ("kadu_run_task", "task")):
        found = (await complete(faces, reference, argument, "t-")).completion
        assert found == pb.Completion(values=[f"t-{n:03}" for n in range(100)], total=0, has_more=True)
        assert (await complete(faces, reference, argument, "t-24")).completion == pb.Completion(
            values=[f"t-{n}" for n in range(240, 250)], total=10
        )


async def test_executions_are_offered_newest_first_as_far_as_the_caller_sees_them(faces: Faces) -> None:
    newest_first = [str(each) for each in (world.OF_OWNER, world.COMPLETED, world.RUNNING, world.QUEUED)]
    assert await values(faces, EXECUTION, "id", role="viewer") == newest_first
    assert await values(faces, "kadu_follow_execution", "execution") == [str(world.HIDDEN), *newest_first]
    assert await values(faces, EXECUTION, "id", role="stranger") == []


async def test_an_execution_is_found_by_the_beginning_of_its_id(faces: Faces) -> None:
    whole = str(world.COMPLETED)
    assert await values(faces, EXECUTION, "id", whole.upper()) == [whole]
    assert len(await values(faces, EXECUTION, "id", whole[:-4])) == 5
    for typed in ("%", "_", "zz", whole + "0", whole[:8] + "_"):
        assert await values(faces, EXECUTION, "id", typed) == []


@pytest.mark.parametrize("task", ["ocupada", str(world.BUSY_TASK)])
async def test_executions_are_cut_to_the_task_that_was_filled_in_before(faces: Faces, task: str) -> None:
    assert await values(faces, EXECUTION, "id", task=task) == [str(world.RUNNING)]


@pytest.mark.parametrize("task", ["no-such", "restrita", str(world.FOREIGN_TASK), "%", "a\x00", "x" * 5000])
async def test_a_task_that_the_caller_does_not_see_has_no_executions(faces: Faces, task: str) -> None:
    assert await values(faces, EXECUTION, "id", role="viewer", task=task) == []


async def test_a_task_that_was_left_empty_restricts_nothing(faces: Faces) -> None:
    assert len(await values(faces, EXECUTION, "id", task="")) == 5


async def test_the_files_that_are_offered_are_those_that_can_be_read(faces: Faces) -> None:
    outputs = {fake_id(0x7000): world.COMPLETED, fake_id(0x7001): world.HIDDEN}
    async with faces.database.begin(write=True) as connection:
        for n, (file_id, execution_id) in enumerate(outputs.items()):
            await add_file(
                connection,
                id=file_id,
                organization_id=world.ORGANIZATION,
                created_by=world.MEMBERS["owner"],
                purpose="output",
                execution_id=execution_id,
                created_at=NOON + timedelta(minutes=n),
            )
        ids = [
            row.id
            for row in await connection.execute(
                tables.files.select().order_by(tables.files.c.created_at.desc(), tables.files.c.id.desc())
            )
        ]
    counts = {}
    for role in ("viewer", "operator", "manager", "owner", "stranger"):
        readable = [str(each) for each in ids if await _can_read(faces, each, role)]
        assert await values(faces, FILE, "id", role=role) == readable
        counts[role] = len(readable)
    assert counts == {"viewer": 1, "operator": 5, "manager": 6, "owner": 6, "stranger": 1}


async def _can_read(faces: Faces, file_id: UUID, role: str) -> bool:
    return (await faces.rest(operation_named("files_get"), {"id": str(file_id)}, role=role)).status == 200


async def test_a_file_is_found_by_its_name_or_the_beginning_of_its_id(faces: Faces) -> None:
    assert await values(faces, FILE, "id", str(world.READY_FILE)) == [str(world.READY_FILE)]
    assert len(await values(faces, FILE, "id", "EXTRATO")) == 4
    for typed in ("%", "_", "no-such"):
        assert await values(faces, FILE, "id", typed) == []


async def test_days_and_months_are_the_latest_where_the_person_is(faces: Faces) -> None:
    # 2:00 of 1 December in UTC is 23:00 of 30 November in São Paulo.
    faces.clock.advance(-timedelta(hours=10))
    days = await values(faces, "kadu_daily_summary", "date")
    assert (days[0], days[-1], len(days)) == ("2026-11-30", "2026-11-17", 14)
    months = await values(faces, "kadu_cash_flow_report", "period")
    assert (months[0], months[-1], len(months)) == ("2026-11", "2025-12", 12)
    assert await values(faces, "kadu_reconcile_statement", "period", "2025") == ["2025-12"]


@pytest.mark.parametrize(
    ("prompt", "argument", "typed", "found"),
    [
        ("kadu_run_task", "language", "", ["pt-BR", "en"]),
        ("kadu_run_task", "language", "P", ["pt-BR"]),
        ("kadu_cash_flow_report", "format", "c", ["csv"]),
        ("kadu_run_task", "request", "a", []),
    ],
)
async def test_choices_are_offered_and_free_text_is_not_guessed(
    faces: Faces, prompt: str, argument: str, typed: str, found: list[str]
) -> None:
    completion = (await complete(faces, prompt, argument, typed)).completion
    assert completion == pb.Completion(values=found, total=len(found))


@pytest.mark.parametrize(
    ("reference", "argument"),
    [
        ("kadu_no_such", "task"),
        ("kadu_run_task", "no_such"),
        ("run_task", "task"),
        ("kobana://kadu/no/{id}", "id"),
        (TASK, "no_such"),
        ("kobana://kadu/me", "id"),
        ("kobana://kadu/tasks/resumo", "id"),
    ],
)
async def test_an_unknown_reference_or_argument_is_refused(faces: Faces, reference: str, argument: str) -> None:
    assert await complete(faces, reference, argument) == UNKNOWN


async def test_what_the_caller_may_not_use_is_refused_as_if_it_were_not_there(faces: Faces) -> None:
    assert await complete(faces, "kadu_run_task", "task", role="viewer") == UNKNOWN
    assert await complete(faces, TASK, "id", scopes="kadu.files.read") == UNKNOWN
    assert await complete(faces, FILE, "id", scopes="kadu.tasks.read") == UNKNOWN
