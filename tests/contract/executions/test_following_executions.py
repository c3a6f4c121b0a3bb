"""Reading, listing and canceling executions, as each role."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.contract.executions.asking import Company
from tests.support.clock import NOON, fake_id
from tests.support.world import (
    BUSY_TASK,
    COMPLETED,
    HIDDEN,
    MEMBERS,
    NO_SUCH,
    OF_OWNER,
    ORGANIZATION,
    QUEUED,
    RUNNING,
    TASK,
)
from tool_service.domain.execution_outputs import Output, OutputKind
from tool_service.domain.executions import Execution, Status
from tool_service.operations.execution_outputs_list import execution_outputs_list
from tool_service.operations.executions_cancel import executions_cancel
from tool_service.operations.executions_get import executions_get
from tool_service.operations.executions_list import executions_list
from tool_service.repositories.executions import ExecutionRepository

NEWEST_FIRST = [OF_OWNER, COMPLETED, RUNNING, QUEUED]


async def listed(company: Company, role: str, **arguments: Any) -> list[UUID]:
    page = await company.ask(executions_list, role, **arguments)
    return [item.id for item in page.data]


@pytest.mark.parametrize(("role", "expected"), [("manager", [HIDDEN, *NEWEST_FIRST]), ("viewer", NEWEST_FIRST)])
async def test_executions_of_a_restricted_task_are_for_managers(
    company: Company, role: str, expected: list[UUID]
) -> None:
    assert await listed(company, role) == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"status": "running"}, [RUNNING]),
        ({"status": "completed, running"}, [COMPLETED, RUNNING]),
        ({"task_id": str(BUSY_TASK)}, [RUNNING]),
        ({"thread_id": str(QUEUED)}, [QUEUED]),
        ({"schedule_id": str(NO_SUCH)}, []),
        ({"trigger": "api"}, NEWEST_FIRST),
        ({"trigger": "mcp"}, []),
        ({"requested_by": "me"}, [COMPLETED, RUNNING, QUEUED]),
        ({"requested_by": str(MEMBERS["owner"])}, [OF_OWNER]),
        ({"external_id": "ERP-1"}, []),
        ({"tags": "mensal"}, []),
        ({"created_from": (NOON - timedelta(hours=8)).isoformat()}, [OF_OWNER, COMPLETED]),
        ({"created_to": (NOON - timedelta(hours=9)).isoformat()}, [RUNNING, QUEUED]),
    ],
)
async def test_a_list_is_cut_to_what_was_asked(
    company: Company, arguments: dict[str, Any], expected: list[UUID]
) -> None:
    assert await listed(company, "operator", **arguments) == expected


@pytest.mark.parametrize("name", ["task_id", "thread_id", "schedule_id", "requested_by"])
async def test_a_filter_that_is_no_id_is_refused_and_not_an_empty_list(company: Company, name: str) -> None:
    assert await company.refusal(executions_list, "viewer", **{name: "x"}) == ("validation_error", name)


@pytest.mark.parametrize("status", ["done", "running,done", ","])
async def test_an_unknown_status_is_refused(company: Company, status: str) -> None:
    assert await company.refusal(executions_list, "viewer", status=status) == ("validation_error", "status")


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5])
async def test_pages_follow_each_other_without_a_gap_or_a_repeat(company: Company, limit: int) -> None:
    seen: list[UUID] = []
    arguments: dict[str, Any] = {"limit": limit}
    while True:
        page = await company.ask(executions_list, "viewer", **arguments)
        seen += [item.id for item in page.data]
        if page.next_cursor is None:
            break
        arguments["cursor"] = page.next_cursor

    assert seen == NEWEST_FIRST


@pytest.mark.parametrize(
    ("role", "id_text"),
    [("viewer", str(HIDDEN)), ("stranger", str(COMPLETED)), ("owner", str(NO_SUCH)), ("owner", "not-an-id")],
)
@pytest.mark.parametrize("operation", [executions_get, executions_cancel, execution_outputs_list])
async def test_what_one_may_not_see_does_not_exist(company: Company, operation: Any, role: str, id_text: str) -> None:
    assert await company.refusal(operation, role, id=id_text) == ("not_found", "id")


async def stored(company: Company, execution_id: UUID) -> Execution:
    async with company.database.begin(write=False) as connection:
        execution = await ExecutionRepository(connection, ORGANIZATION).find(execution_id)
    assert execution is not None
    return execution


async def test_a_queued_execution_is_canceled_at_once(company: Company) -> None:
    before = await stored(company, QUEUED)
    answer = await company.ask(executions_cancel, "operator", id=str(QUEUED), reason="Engano\n meu")

    assert (answer.status, answer.data.status, answer.data.next_poll_seconds) == (200, "canceled", None)
    assert await stored(company, QUEUED) == replace(
        before,
        status=Status.CANCELED,
        status_reason="user_request",
        cancel_reason="Engano meu",
        version=2,
        finished_at=NOON,
        updated_at=NOON,
    )


async def test_a_running_execution_is_asked_to_stop_and_asking_again_changes_nothing(company: Company) -> None:
    first = await company.ask(executions_cancel, "operator", id=str(RUNNING))
    asked = await stored(company, RUNNING)
    company.clock.advance(timedelta(seconds=5))
    second = await company.ask(executions_cancel, "operator", id=str(RUNNING))

    assert (first.status, first.data.status, first.headers) == (
        202,
        "canceling",
        {"Location": f"/api/v1/executions/{RUNNING}"},
    )
    assert (second.status, second.data.status) == (202, "canceling")
    assert (asked.canceling_at, asked.finished_at, await stored(company, RUNNING)) == (NOON, None, asked)


async def test_canceling_what_is_canceled_is_fine(company: Company) -> None:
    await company.ask(executions_cancel, "operator", id=str(QUEUED))
    answer = await company.ask(executions_cancel, "operator", id=str(QUEUED))

    assert (answer.status, answer.data.status) == (200, "canceled")


async def test_what_is_over_cannot_be_canceled(company: Company) -> None:
    assert await company.refusal(executions_cancel, "operator", id=str(COMPLETED)) == (
        "execution_already_finished",
        "id",
    )


async def test_an_operator_cancels_its_own_and_a_manager_anybody_s(company: Company) -> None:
    assert await company.refusal(executions_cancel, "operator", id=str(OF_OWNER)) == ("forbidden", "id")
    assert (await company.ask(executions_cancel, "manager", id=str(OF_OWNER))).data.status == "canceled"


async def test_the_summary_of_a_cancel_names_execution_and_task(company: Company) -> None:
    summary = await company.summary(executions_cancel, "operator", id=str(QUEUED))
    assert summary["pt-BR"].startswith(f"Cancelar a execução {QUEUED} da tarefa «Resumo de extrato».")
    assert summary["en"].startswith(f"Cancel the execution {QUEUED} of the task «Resumo de extrato».")


async def test_outputs_come_in_their_order_page_by_page(company: Company) -> None:
    outputs = [Output(fake_id(0x7000 - n), n, OutputKind.TEXT, f"parte {n}", None, None, NOON) for n in range(3)]
    async with company.database.begin(write=True) as connection:
        for output in reversed(outputs):
            await ExecutionRepository(connection, ORGANIZATION).add_output(COMPLETED, output)
    first = await company.ask(execution_outputs_list, "viewer", id=str(COMPLETED), limit=2)
    rest = await company.ask(execution_outputs_list, "viewer", id=str(COMPLETED), limit=2, cursor=first.next_cursor)

    assert [item.text for item in [*first.data, *rest.data]] == ["parte 0", "parte 1", "parte 2"]
    assert rest.next_cursor is None
    assert {item.content_notice for item in first.data} == {"data_not_instructions"}


async def test_a_cursor_of_one_execution_does_not_open_another(company: Company) -> None:
    outputs = [Output(fake_id(0x7000 + n), n, OutputKind.TEXT, "x", None, None, NOON) for n in range(2)]
    async with company.database.begin(write=True) as connection:
        for output in outputs:
            await ExecutionRepository(connection, ORGANIZATION).add_output(COMPLETED, output)
    page = await company.ask(execution_outputs_list, "viewer", id=str(COMPLETED), limit=1)

    assert await company.refusal(
        execution_outputs_list, "viewer", id=str(QUEUED), limit=1, cursor=page.next_cursor
    ) == ("invalid_cursor", "cursor")


async def test_the_last_execution_of_each_task_is_the_youngest(company: Company) -> None:
    async with company.database.begin(write=False) as connection:
        last = await ExecutionRepository(connection, ORGANIZATION).last_of_tasks([TASK, BUSY_TASK, NO_SUCH])

    assert {task_id: each.id for task_id, each in last.items()} == {TASK: OF_OWNER, BUSY_TASK: RUNNING}


async def test_deleting_a_task_cancels_what_waits_and_leaves_what_runs(company: Company) -> None:
    async with company.database.begin(write=True) as connection:
        repository = ExecutionRepository(connection, ORGANIZATION)
        assert (await repository.task_has_running(TASK), await repository.task_has_running(BUSY_TASK)) == (False, True)
        await repository.cancel_queued_of_task(TASK, NOON)
        await repository.cancel_queued_of_task(BUSY_TASK, NOON)

    canceled = await stored(company, QUEUED)
    assert (canceled.status, canceled.status_reason) == (Status.CANCELED, "task_deleted")
    assert (await stored(company, RUNNING)).status is Status.RUNNING


async def test_only_one_of_two_moves_from_the_same_state_counts(company: Company) -> None:
    read = await stored(company, QUEUED)
    running = replace(read, status=Status.RUNNING, attempt=1, version=2)
    canceled = replace(read, status=Status.CANCELED, version=2)
    async with company.database.begin(write=True) as connection:
        repository = ExecutionRepository(connection, ORGANIZATION)
        assert [await repository.move(read, running), await repository.move(read, canceled)] == [True, False]

    assert await stored(company, QUEUED) == running


@pytest.mark.parametrize("change", [{"status": Status.COMPLETED}, {"status": Status.RUNNING, "version": 3}])
async def test_a_move_that_the_table_does_not_have_is_a_bug(company: Company, change: dict[str, Any]) -> None:
    read = await stored(company, QUEUED)
    changes: dict[str, Any] = {"version": 2, **change}
    async with company.database.begin(write=True) as connection:
        with pytest.raises(ValueError, match="does not go"):
            await ExecutionRepository(connection, ORGANIZATION).move(read, replace(read, **changes))
