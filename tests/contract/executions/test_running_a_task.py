"""kadu_tasks_run: every check in its order, and a queued execution at the end."""

from typing import Any

import pytest

from tests.contract.executions.asking import Company
from tests.support.clock import fake_id
from tests.support.world import (
    DISABLED_TASK,
    EXPIRED_FILE,
    FOREIGN_FILE,
    FOREIGN_TASK,
    MANAGERS_TASK,
    MEMBERS,
    NO_SUCH,
    ORGANIZATION,
    PENDING_FILE,
    READY_FILE,
    RESTRICTED_TASK,
    SCHEMA_TASK,
    TASK,
)
from tool_service.operations.executions_get import executions_get
from tool_service.operations.tasks_run import tasks_run

RUN = {"message": "Resuma novembro."}


async def test_a_run_is_queued_once_and_answered_with_its_place(company: Company) -> None:
    answer = await company.ask(
        tasks_run,
        "operator",
        id="resumo",
        message="Resuma \u202enovembro.",
        params={"report": "summary"},
        input_file_ids=[str(READY_FILE)],
        max_cost_cents=700,
        external_id="ERP-1",
        tags=["mensal", "mensal"],
        custom_data={"pedido": 7},
    )
    execution_id = fake_id(1)

    assert (answer.status, answer.headers) == (202, {"Location": f"/api/v1/executions/{execution_id}"})
    assert company.queue.enqueued == [(ORGANIZATION, execution_id)]
    view = answer.data.model_dump(mode="json")
    assert {name: view[name] for name in ("status", "trigger", "client_name", "turn", "next_poll_seconds")} == {
        "status": "queued",
        "trigger": "mcp",
        "client_name": "my-client",
        "turn": 1,
        "next_poll_seconds": 2,
    }
    assert view["input"] == {
        "message": "Resuma novembro.",
        "params": {"report": "summary"},
        "input_file_ids": [str(READY_FILE)],
    }
    assert (view["external_id"], view["tags"], view["custom_data"]) == ("ERP-1", ["mensal"], {"pedido": 7})
    assert (view["usage"]["max_cost_cents"], view["usage"]["reserved_cents"]) == (700, 700)
    assert view["requested_by"] == {"type": "member", "id": str(MEMBERS["operator"]), "name": "Ana"}


async def test_the_execution_reads_as_the_run_answered_it(company: Company) -> None:
    ran = await company.ask(tasks_run, "operator", id=str(TASK), **RUN)
    read = await company.ask(executions_get, "operator", id=str(ran.data.id))

    # The world gives people other names than the caller of this test bears.
    assert read.data.model_dump(exclude={"requested_by"}) == ran.data.model_dump(exclude={"requested_by"})


async def test_each_call_is_one_more_run(company: Company) -> None:
    first = await company.ask(tasks_run, "operator", id=str(TASK), **RUN)
    second = await company.ask(tasks_run, "operator", id=str(TASK), **RUN)

    assert company.queue.enqueued == [(ORGANIZATION, first.data.id), (ORGANIZATION, second.data.id)]


@pytest.mark.parametrize(
    ("role", "arguments", "refusal"),
    [
        ("operator", {"id": str(NO_SUCH), **RUN}, ("not_found", "id")),
        ("operator", {"id": str(FOREIGN_TASK), **RUN}, ("not_found", "id")),
        ("operator", {"id": str(RESTRICTED_TASK), **RUN}, ("not_found", "id")),
        ("operator", {"id": str(MANAGERS_TASK), **RUN}, ("task_trigger_not_allowed", "id")),
        ("operator", {"id": str(TASK)}, ("validation_error", "message")),
        ("operator", {"id": str(TASK), "message": "\u202e"}, ("validation_error", "message")),
        ("operator", {"id": str(SCHEMA_TASK), "params": {"month": 11}}, ("validation_error", "params.month")),
        # PostgreSQL stores no NUL, neither in text nor in JSON.
        ("operator", {"id": str(TASK), "params": {"a": ["b", "\x00"]}, **RUN}, ("validation_error", "params.a[1]")),
        ("operator", {"id": str(TASK), "external_id": "\x00", **RUN}, ("validation_error", "external_id")),
        ("operator", {"id": str(DISABLED_TASK), **RUN}, ("task_disabled", "id")),
        ("operator", {"id": str(TASK), "input_file_ids": ["x"], **RUN}, ("unknown_file", "input_file_ids[0]")),
        (
            "operator",
            {"id": str(TASK), "input_file_ids": [str(READY_FILE), str(FOREIGN_FILE)], **RUN},
            ("unknown_file", "input_file_ids[1]"),
        ),
        (
            "operator",
            {"id": str(TASK), "input_file_ids": [str(READY_FILE), str(READY_FILE).upper()], **RUN},
            ("validation_error", "input_file_ids[1]"),
        ),
        (
            "operator",
            {"id": str(TASK), "input_file_ids": [str(PENDING_FILE)], **RUN},
            ("file_not_ready", "input_file_ids[0]"),
        ),
        (
            "operator",
            {"id": str(TASK), "input_file_ids": [str(EXPIRED_FILE)], **RUN},
            ("file_not_ready", "input_file_ids[0]"),
        ),
        ("operator", {"id": str(TASK), "max_cost_cents": 1_000_001, **RUN}, ("max_cost_too_high", "max_cost_cents")),
        ("operator", {"id": str(TASK), "max_cost_cents": 0, **RUN}, ("validation_error", "max_cost_cents")),
        # Earlier checks answer first: what is wrong with the task comes before what is wrong with its input.
        ("operator", {"id": str(MANAGERS_TASK), "max_cost_cents": 1_000_001}, ("task_trigger_not_allowed", "id")),
        ("operator", {"id": str(DISABLED_TASK)}, ("validation_error", "message")),
        ("operator", {"id": str(DISABLED_TASK), "input_file_ids": ["x"], **RUN}, ("task_disabled", "id")),
        (
            "operator",
            {"id": str(TASK), "input_file_ids": ["x"], "max_cost_cents": 1_000_001, **RUN},
            ("unknown_file", "input_file_ids[0]"),
        ),
    ],
)
async def test_what_cannot_run_is_refused_and_nothing_is_queued(
    company: Company, role: str, arguments: dict[str, Any], refusal: tuple[str, str | None]
) -> None:
    assert await company.refusal(tasks_run, role, **arguments) == refusal
    assert company.queue.enqueued == []


async def test_a_manager_runs_what_operators_may_not(company: Company) -> None:
    await company.ask(tasks_run, "manager", id=str(MANAGERS_TASK), **RUN)
    await company.ask(tasks_run, "manager", id=str(RESTRICTED_TASK), **RUN)

    assert len(company.queue.enqueued) == 2


async def test_the_summary_names_the_task_and_the_most_it_may_cost(company: Company) -> None:
    assert await company.summary(tasks_run, "operator", id="resumo", **RUN) == {
        "pt-BR": "Rodar a tarefa «Resumo de extrato» (até R$ 5,00)",
        "en": "Run the task «Resumo de extrato» (up to BRL 5.00)",
    }


async def test_the_description_is_the_one_that_the_catalogue_fixes() -> None:
    assert tasks_run.description == (
        'Queue one run of a Kadu task and return at once with the new execution (status "queued"). It does not wait: '
        "poll kadu_executions_get, waiting next_poll_seconds between calls. Costs money up to max_cost_cents. Every "
        "call is one more run; pass idempotency_key to make a retry safe. Files: upload with kadu_files_create and "
        "kadu_files_confirm first, then pass input_file_ids. The person will be asked to confirm."
    )
