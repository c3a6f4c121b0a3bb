"""Which report a turn asks for."""

from typing import Any

import pytest

from tool_service.domain.language import Language
from tool_service.domain.statements.plan import InvalidParams, Plan, Question, Report, decide


def plan(
    files: int, message: str = "", instructions: str = "", language: Language = Language.PORTUGUESE, **params: Any
) -> Plan | Question:
    return decide(files=files, params=params, message=message, instructions=instructions, language=language)


@pytest.mark.parametrize(
    ("decided", "report"),
    [
        (plan(1), Report.SUMMARY),
        (plan(2), Report.RECONCILIATION),
        (plan(1, report="cash_flow"), Report.CASH_FLOW),
        (plan(2, message="concilie", report="summary"), Report.SUMMARY),
        (plan(2, message="Faça o FLUXO DE CAIXA, com um resumo"), Report.CASH_FLOW),
        (plan(2, message="Um resumo, por favor", instructions="Concilie os dois extratos"), Report.SUMMARY),
        (plan(2, message="olá", instructions="Fluxo de caixa mensal"), Report.CASH_FLOW),
        (plan(1, message="Please summarize"), Report.SUMMARY),
        (plan(2, message="Reconcile these"), Report.RECONCILIATION),
        (plan(2, message="Conciliação"), Report.RECONCILIATION),
        (plan(20, message="cash flow"), Report.CASH_FLOW),
        (plan(1, message="Resumo do extrato", report="balancete"), Report.SUMMARY),
    ],
)
def test_params_go_before_message_before_instructions_before_the_number_of_files(
    decided: Plan | Question, report: Report
) -> None:
    assert decided == Plan(report, 3)


@pytest.mark.parametrize(
    ("decided", "asked"),
    [
        (plan(0), "Envie ao menos um arquivo"),
        (plan(0, report="summary"), "Envie ao menos um arquivo"),
        (plan(1, message="conciliar"), "A conciliação compara dois arquivos, e recebi 1."),
        (plan(3, report="reconciliation"), "A conciliação compara dois arquivos, e recebi 3."),
        (plan(0, language=Language.ENGLISH), "Send at least one file"),
    ],
)
def test_missing_or_surplus_files_become_a_question(decided: Plan | Question, asked: str) -> None:
    assert isinstance(decided, Question)
    assert decided.text.startswith(asked)


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("params", [{}, {"report": "balancete"}, {"report": 7}])
def test_every_option_of_the_question_is_understood_as_an_answer(language: Language, params: dict[str, Any]) -> None:
    files = 2 if params else 3
    asked = plan(files, language=language, **params)
    assert isinstance(asked, Question)
    answers = [plan(files, message=option, language=language, **params) for option in asked.options]
    possible = [report for report in Report if files == 2 or report is not Report.RECONCILIATION]
    assert answers == [Plan(report, 3) for report in possible]


@pytest.mark.parametrize("days", [0, 31])
def test_the_tolerance_is_a_param(days: int) -> None:
    assert plan(2, date_tolerance_days=days) == Plan(Report.RECONCILIATION, days)


@pytest.mark.parametrize("days", [-1, 32, "3", 3.0, True, None])
def test_a_tolerance_that_is_no_number_of_days_is_refused(days: object) -> None:
    with pytest.raises(InvalidParams, match="from 0 to 31"):
        plan(2, date_tolerance_days=days)
