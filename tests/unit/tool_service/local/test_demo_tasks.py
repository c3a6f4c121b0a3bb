"""The demo tasks as the embedded runner and the product's own rules see them."""

import pytest

from tool_service.domain.language import Language
from tool_service.domain.statements.plan import Report, decide
from tool_service.domain.tasks import checked_input_schema, slug_of
from tool_service.local import demo

REPORTS = [
    (demo.STATEMENT_SUMMARY, 1, Report.SUMMARY),
    (demo.RECONCILIATION, 2, Report.RECONCILIATION),
    (demo.CASH_FLOW, 1, Report.CASH_FLOW),
    (demo.CASH_FLOW, 3, Report.CASH_FLOW),
]


@pytest.mark.parametrize(("task", "files", "report"), REPORTS, ids=str)
def test_the_instructions_of_a_demo_task_alone_choose_its_report(
    task: demo.DemoTask, files: int, report: Report
) -> None:
    plan = decide(files=files, params={}, message="", instructions=task.instructions, language=Language.PORTUGUESE)
    assert getattr(plan, "report", plan) is report


@pytest.mark.parametrize("task", demo.TASKS, ids=lambda task: task.slug)
def test_the_product_would_accept_a_demo_task(task: demo.DemoTask) -> None:
    assert checked_input_schema(task.input_schema) == task.input_schema
    assert slug_of(task.name) == task.slug


def test_no_two_things_of_the_demo_share_an_id() -> None:
    people = [(person.id, person.member_id) for person in demo.PEOPLE]
    ids = [each.id for each in (*demo.ORGANIZATIONS, *demo.TASKS)] + [each for pair in people for each in pair]
    assert len(set(ids)) == len(ids)
