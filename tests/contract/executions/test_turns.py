"""One turn from claim to settlement, on both databases, with a clock that stands still."""

import asyncio
import hashlib
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from uuid import uuid5

import pytest

from tests.contract.executions.stage import TIMEOUT_SECONDS, Stage, set_stage
from tests.support.clock import NOON
from tests.support.factories import add_file
from tests.support.staged_runner import StagedRunner, blocking, returning
from tool_service.db.engine import Database
from tool_service.domain.audit import ActorType, AuditResult, Change
from tool_service.domain.execution_outputs import FileReference, Output, OutputKind
from tool_service.domain.executions import Execution, Status
from tool_service.domain.files import File, FilePurpose, FileStatus
from tool_service.ports import (
    InputFile,
    OutputFile,
    Turn,
    TurnFailure,
    TurnObserver,
    TurnQuestion,
    TurnResult,
)
from tool_service.repositories.files import FileRepository

CSV = b"data;valor\n2026-11-03;-10,00\n"


async def at_once(_seconds: float) -> None:
    """A pause that lets the others go on and takes no time."""
    await asyncio.sleep(0)


async def never(_seconds: float) -> None:
    """A pause without an end, for tests in which nobody looks whether to stop."""
    await asyncio.Event().wait()


def canceling(execution: Execution) -> Execution:
    return replace(
        execution,
        status=Status.CANCELING,
        status_reason="user_request",
        canceling_at=NOON,
        version=execution.version + 1,
    )


async def test_a_completed_turn_leaves_text_data_files_cost_and_an_audit_trail(database: Database) -> None:
    stage = await set_stage(database)
    result = TurnResult(
        text="Saldo final: R$ 10,00",
        data={"closing_cents": 1000},
        files=[OutputFile("resumo.csv", "text/csv", CSV)],
        cost_cents=Decimal("12.01"),
        input_tokens=300,
        output_tokens=20,
    )
    before = await stage.execution()
    await stage.perform(returning(result), never)

    assert await stage.execution() == replace(
        before,
        status=Status.COMPLETED,
        output_text="Saldo final: R$ 10,00",
        output_data={"closing_cents": 1000},
        attempt=1,
        steps=1,
        cost_cents=13,
        input_tokens=300,
        output_tokens=20,
        version=3,
        started_at=NOON,
        finished_at=NOON,
    )
    file_id = uuid5(stage.execution_id, "file:0")
    reference = FileReference(file_id, "resumo.csv", "text/csv", len(CSV))
    ids = [uuid5(stage.execution_id, f"output:{index}") for index in range(3)]
    assert await stage.outputs() == [
        Output(ids[0], 0, OutputKind.TEXT, "Saldo final: R$ 10,00", None, None, NOON),
        Output(ids[1], 1, OutputKind.DATA, None, {"closing_cents": 1000}, None, NOON),
        Output(ids[2], 2, OutputKind.FILE, None, None, reference, NOON),
    ]
    assert stage.store.objects == {f"org/{stage.organization_id}/{file_id}": CSV}
    async with database.begin(write=False) as connection:
        files = await FileRepository(connection, stage.organization_id).get_many([file_id])
    assert files == {
        file_id: File(
            id=file_id,
            filename="resumo.csv",
            content_type="text/csv",
            size_bytes=len(CSV),
            sha256=hashlib.sha256(CSV).hexdigest(),
            declared_sha256=None,
            purpose=FilePurpose.OUTPUT,
            status=FileStatus.READY,
            rejected_reason=None,
            execution_id=stage.execution_id,
            created_by=before.requested_by.id,
            external_id=None,
            tags=(),
            confirmed_at=NOON,
            upload_expires_at=None,
            created_at=NOON,
            updated_at=NOON,
            task_visibility=before.task.visibility,
        )
    }
    events = await stage.events()
    assert [(each.action, each.actor_type, each.result, each.changes) for each in events] == [
        ("executions_running", ActorType.SYSTEM, AuditResult.OK, (Change("status", "queued", "running"),)),
        ("executions_completed", ActorType.SYSTEM, AuditResult.OK, (Change("status", "running", "completed"),)),
    ]
    assert {each.resource_id for each in events} == {str(stage.execution_id)}


async def test_the_runner_gets_what_the_task_and_the_caller_said_and_the_bytes_of_the_files(database: Database) -> None:
    stage = await set_stage(database, params={"month": "2026-11"})
    before = await stage.execution()
    async with database.begin(write=True) as connection:
        row = await add_file(connection, organization_id=stage.organization_id, created_by=before.requested_by.id)
    stage.store.objects[f"org/{stage.organization_id}/{row['id']}"] = CSV
    await stage.move(
        replace(before, status=Status.RUNNING, input_file_ids=(row["id"],), attempt=1, version=before.version + 1)
    )
    runner = returning(TurnResult(text="Pronto."))
    await stage.perform(runner, never)

    assert runner.turns == [
        Turn(
            execution_id=stage.execution_id,
            instructions="Some entradas e saídas do extrato.",
            message="Resuma o extrato de novembro.",
            params={"month": "2026-11"},
            files=[InputFile(row["id"], "extrato.ofx", "application/x-ofx", CSV)],
            language="pt-BR",
        )
    ]


async def test_a_question_ends_the_turn_and_stays_open_for_seven_days(database: Database) -> None:
    stage = await set_stage(database)
    await stage.perform(returning(TurnResult(question=TurnQuestion("Qual conta?", ["Itaú", "Inter"]))), never)

    execution = await stage.execution()
    assert (execution.status, execution.status_reason) == (Status.NEEDS_INPUT, "question")
    assert execution.pending_action == {
        "type": "question",
        "text": "Qual conta?",
        "options": ["Itaú", "Inter"],
        "expires_at": (NOON + timedelta(days=7)).isoformat(),
    }


async def test_a_failure_of_the_agent_says_why_and_keeps_what_it_had(database: Database) -> None:
    stage = await set_stage(database)
    failure = TurnFailure("input_rejected", "extrato.csv, linha 17: valor inválido", fatal=True)
    await stage.perform(returning(TurnResult(text="Li 16 linhas.", failure=failure)), never)

    execution = await stage.execution()
    assert (execution.status, execution.status_reason, execution.output_text) == (
        Status.FAILED,
        "input_rejected",
        "Li 16 linhas.",
    )
    assert execution.error == {
        "code": "input_rejected",
        "message": "extrato.csv, linha 17: valor inválido",
        "fatal": True,
    }
    assert [(each.result, each.code) for each in await stage.events()][-1] == (AuditResult.ERROR, "input_rejected")


async def test_an_exception_of_the_runner_is_an_internal_error_that_shows_nothing_of_it(database: Database) -> None:
    async def play(_turn: Turn, _observer: TurnObserver) -> TurnResult:
        raise RuntimeError("password=hunter2")

    stage = await set_stage(database)
    await stage.perform(StagedRunner(play), never)

    execution = await stage.execution()
    assert (execution.status, execution.status_reason) == (Status.FAILED, "internal_error")
    assert "hunter2" not in str(execution)


async def test_a_canceled_turn_stops_at_its_next_step(database: Database) -> None:
    stage = await set_stage(database)

    async def play(_turn: Turn, observer: TurnObserver) -> TurnResult:
        await observer.step("reading", "extrato.ofx")
        await stage.move(canceling(await stage.execution()))
        await observer.step("writing", "resumo.md")
        raise AssertionError("the step must not begin")

    await stage.perform(StagedRunner(play), never)

    execution = await stage.execution()
    assert (execution.status, execution.status_reason, execution.output_text) == (
        Status.CANCELED,
        "user_request",
        None,
    )
    assert [each.action for each in await stage.events()] == ["executions_running", "executions_canceled"]


async def test_a_canceled_turn_that_takes_no_step_is_ended_by_the_watch(database: Database) -> None:
    stage = await set_stage(database)
    runner = blocking()
    performing = asyncio.create_task(stage.perform(runner, at_once))
    await runner.next_begun()
    await stage.move(canceling(await stage.execution()))
    await asyncio.wait_for(performing, 20)

    assert (await stage.execution()).status is Status.CANCELED


async def test_a_turn_that_finishes_before_it_hears_of_the_cancel_keeps_its_result(database: Database) -> None:
    stage = await set_stage(database)

    async def play(_turn: Turn, _observer: TurnObserver) -> TurnResult:
        await stage.move(canceling(await stage.execution()))
        return TurnResult(text="Pronto.")

    await stage.perform(StagedRunner(play), never)

    execution = await stage.execution()
    assert (execution.status, execution.status_reason, execution.output_text) == (Status.COMPLETED, None, "Pronto.")


async def test_a_turn_over_its_time_fails_at_its_next_step(database: Database) -> None:
    stage = await set_stage(database)

    async def play(_turn: Turn, observer: TurnObserver) -> TurnResult:
        stage.clock.advance(timedelta(seconds=TIMEOUT_SECONDS))
        await observer.step("reading", "extrato.ofx")
        raise AssertionError("the step must not begin")

    await stage.perform(StagedRunner(play), never)

    execution = await stage.execution()
    assert (execution.status, execution.status_reason) == (Status.FAILED, "timeout")


async def test_a_turn_over_its_time_that_takes_no_step_is_ended_by_the_watch(database: Database) -> None:
    stage = await set_stage(database)
    runner = blocking()
    performing = asyncio.create_task(stage.perform(runner, at_once))
    await runner.next_begun()
    stage.clock.advance(timedelta(seconds=TIMEOUT_SECONDS))
    await asyncio.wait_for(performing, 20)

    assert (await stage.execution()).status_reason == "timeout"


async def test_an_attempt_that_was_taken_over_changes_nothing_any_more(database: Database) -> None:
    stage = await set_stage(database)

    async def play(_turn: Turn, _observer: TurnObserver) -> TurnResult:
        # Another worker believes this one dead, runs the turn again and ends it.
        await stage.perform(returning(TurnResult(text="Do segundo.")), never)
        return TurnResult(text="Do primeiro.")

    await stage.perform(StagedRunner(play), never)

    execution = await stage.execution()
    assert (execution.output_text, execution.attempt) == ("Do segundo.", 2)
    assert [(each.index, each.text) for each in await stage.outputs()] == [(0, "Do segundo.")]


async def test_the_step_of_an_attempt_that_was_taken_over_stops_it_without_a_trace(database: Database) -> None:
    stage = await set_stage(database)

    async def play(_turn: Turn, observer: TurnObserver) -> TurnResult:
        running = await stage.execution()
        await stage.move(replace(running, attempt=2, version=running.version + 1))
        await observer.step("reading", "extrato.ofx")
        raise AssertionError("the step must not begin")

    await stage.perform(StagedRunner(play), never)

    execution = await stage.execution()
    assert (execution.status, execution.attempt, execution.steps) == (Status.RUNNING, 2, 0)


async def test_a_turn_that_was_lost_three_times_fails_without_a_fourth(database: Database) -> None:
    stage = await set_stage(database, status="running", attempt=3)
    runner = returning(TurnResult(text="Pronto."))
    await stage.perform(runner, never)

    execution = await stage.execution()
    assert (execution.status, execution.status_reason, runner.turns) == (Status.FAILED, "worker_lost", [])


@pytest.mark.parametrize("status", ["canceled", "completed", "expired", "failed", "needs_input"])
async def test_an_execution_that_is_over_is_not_run_and_not_touched(database: Database, status: str) -> None:
    stage = await set_stage(database, status=status)
    before = await stage.execution()
    runner = returning(TurnResult(text="Pronto."))
    await stage.perform(runner, never)

    assert (await stage.execution(), runner.turns) == (before, [])


async def test_one_that_waited_for_a_day_expires_instead_of_running(database: Database) -> None:
    stage = await set_stage(database)
    stage.clock.advance(timedelta(hours=24))
    runner = returning(TurnResult(text="Pronto."))
    await stage.perform(runner, never)

    execution = await stage.execution()
    assert (execution.status, execution.status_reason, runner.turns) == (Status.EXPIRED, "queue_timeout", [])


async def test_one_that_was_canceled_while_its_worker_was_lost_is_canceled_and_not_run_again(
    database: Database,
) -> None:
    stage = await set_stage(database, status="canceling", status_reason="user_request", attempt=1)
    runner = returning(TurnResult(text="Pronto."))
    await stage.perform(runner, never)

    assert ((await stage.execution()).status, runner.turns) == (Status.CANCELED, [])


async def test_an_input_file_whose_bytes_are_gone_fails_the_turn_before_the_agent_is_asked(database: Database) -> None:
    stage = await _with_input_file(database)
    runner = returning(TurnResult(text="Pronto."))
    await stage.perform(runner, never)

    assert ((await stage.execution()).status_reason, runner.turns) == ("input_rejected", [])


async def _with_input_file(database: Database) -> Stage:
    """An execution with an input file that has a row and no bytes."""
    stage = await set_stage(database)
    before = await stage.execution()
    async with database.begin(write=True) as connection:
        row = await add_file(connection, organization_id=stage.organization_id, created_by=before.requested_by.id)
    await stage.move(
        replace(before, status=Status.RUNNING, input_file_ids=(row["id"],), attempt=1, version=before.version + 1)
    )
    return stage
