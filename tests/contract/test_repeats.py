"""A repeated call answers what the first one did (field report D36), through either face."""

import asyncio
import json
from datetime import timedelta

import pytest
import sqlalchemy as sa

from protos.tool_service.v1 import tool_service_pb2 as pb
from tests.support import world
from tests.support.faces import FaceAnswer, Faces, operation_named
from tool_service.db.tables import audit_events, executions

RUN = operation_named("tasks_run")
CREATE = operation_named("tasks_create")
DELETE = operation_named("tasks_delete")
CREATE_FILE = operation_named("files_create")
ARGUMENTS = {"id": str(world.TASK), "message": "Resuma."}


async def runs(faces: Faces) -> int:
    """How many executions of the task were started beside those of the fixed company."""
    async with faces.database.begin(write=False) as connection:
        counted = sa.select(sa.func.count()).where(executions.c.message == "Resuma.")
        return await connection.scalar(counted) or 0


async def test_d36_a_key_makes_a_second_run_answer_the_first(faces: Faces) -> None:
    first = await faces.rest(RUN, ARGUMENTS, key="k")
    second = await faces.rest(RUN, ARGUMENTS, key="k")
    assert second == FaceAnswer(first.status, first.body, replayed=True)
    assert await runs(faces) == 1


async def test_a_key_means_the_same_through_either_face(faces: Faces) -> None:
    task = {"name": "Nova tarefa", "instructions": "Faça."}
    first = await faces.rest(CREATE, task, key="k")
    second = await faces.grpc(CREATE, task, key="k")
    assert second == FaceAnswer(201, first.body, replayed=True)


async def test_without_a_key_every_run_is_one_more(faces: Faces) -> None:
    await faces.rest(RUN, ARGUMENTS)
    await faces.rest(RUN, ARGUMENTS)
    assert await runs(faces) == 2


async def test_a_key_used_for_another_call_is_refused(faces: Faces) -> None:
    await faces.rest(RUN, ARGUMENTS, key="k")
    other = await faces.rest(RUN, {**ARGUMENTS, "message": "Outra coisa."}, key="k")
    assert other.status == 422
    assert other.json()["errors"][0]["code"] == "idempotency_key_mismatch"


async def test_a_key_of_one_person_means_nothing_for_another(faces: Faces) -> None:
    first = await faces.rest(RUN, ARGUMENTS, key="k", role="operator")
    second = await faces.rest(RUN, ARGUMENTS, key="k", role="manager")
    assert first.status == second.status == 202
    assert not second.replayed
    assert await runs(faces) == 2


async def test_a_failure_of_the_handler_is_answered_again_even_when_its_cause_is_gone(faces: Faces) -> None:
    arguments = {"id": str(world.DISABLED_TASK), "message": "Resuma."}
    first = await faces.rest(RUN, arguments, key="k")
    await faces.rest(operation_named("tasks_update"), {"id": str(world.DISABLED_TASK), "enabled": True})
    second = await faces.rest(RUN, arguments, key="k")
    assert first.status == 409
    assert second == FaceAnswer(first.status, first.body, replayed=True)


async def test_arguments_that_never_reached_the_handler_leave_the_key_free(faces: Faces) -> None:
    refused = await faces.rest(RUN, {**ARGUMENTS, "max_cost_cents": "many"}, key="k")
    accepted = await faces.rest(RUN, ARGUMENTS, key="k")
    assert (refused.status, accepted.status) == (422, 202)


async def test_a_key_is_forgotten_after_a_day(faces: Faces) -> None:
    await faces.rest(RUN, ARGUMENTS, key="k")
    faces.clock.advance(timedelta(hours=24, seconds=1))
    assert not (await faces.rest(RUN, ARGUMENTS, key="k")).replayed
    assert await runs(faces) == 2


async def test_d36_many_calls_with_one_key_at_once_run_once(faces: Faces) -> None:
    answers = await asyncio.gather(*(faces.rest(RUN, ARGUMENTS, key="k") for _ in range(12)))
    assert {answer.status for answer in answers} <= {202, 409}
    bodies = {answer.body for answer in answers if answer.status == 202}
    codes = {answer.json()["errors"][0]["code"] for answer in answers if answer.status == 409}
    assert len(bodies) == 1
    assert codes <= {"idempotency_key_in_progress"}
    assert await runs(faces) == 1


@pytest.mark.parametrize("key", ["", "x" * 256, "com espaço", 7, ["k"]])
async def test_what_is_no_key_is_refused_naming_the_field(faces: Faces, key: object) -> None:
    answer = await faces.grpc(CREATE, {"name": "a", "instructions": "b", "idempotency_key": key})
    assert isinstance(answer, FaceAnswer)
    assert answer.status == 422
    assert answer.json()["errors"][0]["param"] == "idempotency_key"


async def test_a_key_on_a_delete_is_accepted_without_effect(faces: Faces) -> None:
    answers = [await faces.rest(DELETE, {"id": str(world.TASK)}, key="k") for _ in range(2)]
    assert answers == [FaceAnswer(204, b""), FaceAnswer(204, b"")]


async def test_a_replayed_answer_holds_no_signed_url(faces: Faces) -> None:
    file = {"filename": "a.csv", "content_type": "text/csv", "size_bytes": 3}
    first = await faces.rest(CREATE_FILE, file, key="k")
    second = await faces.rest(CREATE_FILE, file, key="k")
    assert first.json()["data"]["upload"]["url"]
    assert second.replayed
    assert second.json()["data"] == {**first.json()["data"], "upload": None}


async def test_one_confirmation_runs_once_whatever_key_comes_with_it(faces: Faces) -> None:
    first = await faces.grpc(RUN, ARGUMENTS, confirmation_id="yes", key="a")
    second = await faces.grpc(RUN, ARGUMENTS, confirmation_id="yes", key="b")
    assert isinstance(first, FaceAnswer)
    assert second == FaceAnswer(first.status, first.body, replayed=True)
    assert await runs(faces) == 1


async def test_d36_one_key_runs_once_whatever_confirmation_comes_with_it(faces: Faces) -> None:
    first = await faces.grpc(RUN, ARGUMENTS, confirmation_id="yes", key="k")
    second = await faces.grpc(RUN, ARGUMENTS, confirmation_id="another yes", key="k")
    third = await faces.grpc(RUN, ARGUMENTS, confirmation_id="another yes", key="another")
    assert isinstance(first, FaceAnswer)
    assert second == third == FaceAnswer(first.status, first.body, replayed=True)
    assert await runs(faces) == 1


async def test_d36_many_confirmations_of_one_key_at_once_run_once(faces: Faces) -> None:
    answers = await asyncio.gather(
        *(faces.grpc(RUN, ARGUMENTS, confirmation_id=f"yes-{n}", key="k") for n in range(20))
    )
    assert {answer.status for answer in answers if isinstance(answer, FaceAnswer)} <= {202, 409}
    assert await runs(faces) == 1


async def test_a_no_leaves_the_key_of_the_client_free(faces: Faces) -> None:
    await decline(faces, key="k")
    ran = await faces.grpc(RUN, ARGUMENTS, confirmation_id="another yes", key="k")
    assert isinstance(ran, FaceAnswer)
    assert (ran.status, ran.replayed, await runs(faces)) == (202, False, 1)


async def test_fifty_retries_of_one_confirmation_run_once(faces: Faces) -> None:
    answers = await asyncio.gather(*(faces.grpc(RUN, ARGUMENTS, confirmation_id="yes") for _ in range(50)))
    assert {answer.status for answer in answers if isinstance(answer, FaceAnswer)} <= {202, 409}
    assert await runs(faces) == 1


async def decline(
    faces: Faces, refusal: pb.Refusal.ValueType = pb.REFUSAL_DECLINED, *, key: str | None = None
) -> pb.DeclineToolResponse:
    request = pb.DeclineToolRequest(
        name=RUN.tool_name,
        arguments_json=json.dumps({**ARGUMENTS, **({"idempotency_key": key} if key else {})}).encode(),
        confirmation_id="yes",
        refusal=refusal,
    )
    return await faces.stub.DeclineTool(request, metadata=faces.metadata("manager", "kadu.admin"), timeout=10)


async def test_a_no_is_the_last_word_on_its_confirmation_and_the_audit_says_whose(faces: Faces) -> None:
    declined = await decline(faces)
    afterwards = await faces.grpc(RUN, ARGUMENTS, confirmation_id="yes")
    assert declined.failure.kind == pb.FAILURE_KIND_DECLINED
    assert isinstance(afterwards, FaceAnswer)
    assert afterwards.body == declined.failure.body_json
    assert afterwards.json()["errors"][0]["code"] == "confirmation_declined"
    assert await runs(faces) == 0
    async with faces.database.begin(write=False) as connection:
        columns = audit_events.c
        statement = sa.select(columns.actor_name, columns.action, columns.result, columns.code, columns.confirmation_id)
        rows = (await connection.execute(statement)).all()
    assert [tuple(row) for row in rows] == [("Pessoa 2", "tasks_run", "denied", "confirmation_declined", "yes")]


async def test_a_no_that_comes_after_the_yes_answers_what_was_run(faces: Faces) -> None:
    ran = await faces.grpc(RUN, ARGUMENTS, confirmation_id="yes")
    declined = await decline(faces, pb.REFUSAL_CANCELED)
    assert isinstance(ran, FaceAnswer)
    assert declined.result.body_json == ran.body
    assert await runs(faces) == 1


async def test_d36_a_fault_of_ours_is_never_frozen_under_the_key(faces: Faces, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("the queue is gone")

    with monkeypatch.context() as patched:
        patched.setattr(faces.queue, "enqueue", broken)
        failed = await faces.rest(RUN, ARGUMENTS, key="k")
    worked = await faces.rest(RUN, ARGUMENTS, key="k")
    assert failed.status == 500
    assert failed.json()["errors"][0]["code"] == "internal_error"
    assert (worked.status, worked.replayed) == (202, False)
    assert await runs(faces) == 1
