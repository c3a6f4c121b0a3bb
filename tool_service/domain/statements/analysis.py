"""One turn's work from files to outcome, a slice at a time."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tool_service.domain.language import Language, Localized
from tool_service.domain.statements.model import SourceFile, Statement
from tool_service.domain.statements.plan import Plan, Question, Report, decide
from tool_service.domain.statements.reading import read_statement
from tool_service.domain.statements.reconciliation import reconcile
from tool_service.domain.statements.reports.cash_flow_report import report_cash_flow
from tool_service.domain.statements.reports.outcome import Outcome
from tool_service.domain.statements.reports.reconciliation_report import report_reconciliation
from tool_service.domain.statements.reports.summary_report import report_summary
from tool_service.domain.statements.reports.wording import Wording
from tool_service.domain.statements.slices import ROW_LIMIT, TURN_ROW_LIMIT
from tool_service.domain.statements.summary import summarise

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked, of which files, in whose language."""

    files: Sequence[SourceFile]
    instructions: str
    message: str
    params: Mapping[str, Any]
    language: Language


@dataclass(frozen=True, slots=True)
class Step:
    """A slice that begins; `kind` is reading, check or writing, `title` for people."""

    kind: str
    title: str


def analyse(request: Request) -> Generator[Step, None, Outcome | Question]:
    """Yields before each phase and every few thousand rows in it; returns the outcome, or what must be asked first.

    Raises:
        StatementError: a file cannot be read, or holds another currency than the first.
        InvalidParams: a param has a value that no rule reads.
    """
    plan = decide(
        files=len(request.files),
        params=request.params,
        message=request.message,
        instructions=request.instructions,
        language=request.language,
    )
    if isinstance(plan, Question):
        return plan
    statements: list[Statement] = []
    read = 0
    for file in request.files:
        title = Localized(pt=f"Lendo {file.filename}", en=f"Reading {file.filename}").in_(request.language)
        reading = read_statement(file, min(ROW_LIMIT, TURN_ROW_LIMIT - read))
        statement = yield from _steps(reading, "reading", title)
        read += len(statement.movements)
        _refuse_other_currency(file, statement, statements)
        statements.append(statement)
    return (yield from _report(plan, statements, Wording(request.language, statements[0].currency)))


def _report(plan: Plan, statements: Sequence[Statement], wording: Wording) -> Generator[Step, None, Outcome]:
    writing = wording.pick("Escrevendo o relatório", "Writing the report")
    if plan.report is Report.RECONCILIATION:
        first, second = statements
        title = wording.pick("Conciliando os dois arquivos", "Reconciling the two files")
        found = yield from _steps(reconcile(first, second, plan.tolerance_days), "check", title)
        return (yield from _steps(report_reconciliation(found, wording), "writing", writing))
    title = wording.pick("Somando e classificando", "Adding up and sorting out")
    summary = yield from _steps(summarise(statements), "check", title)
    report = report_cash_flow if plan.report is Report.CASH_FLOW else report_summary
    return (yield from _steps(report(summary, wording), "writing", writing))


def _steps(work: Generator[int, None, T], kind: str, title: str) -> Generator[Step, None, T]:
    """The work, with its row counts told as steps."""
    yield Step(kind, title)
    while True:
        try:
            rows = next(work)
        except StopIteration as end:
            return end.value
        yield Step(kind, f"{title}: {rows}")


def _refuse_other_currency(file: SourceFile, statement: Statement, earlier: Sequence[Statement]) -> None:
    if earlier and statement.currency != earlier[0].currency:
        first = earlier[0]
        raise file.error(
            1,
            Localized(
                pt=f"a moeda é {statement.currency}, e a de {first.filename} é {first.currency}; não somo moedas",
                en=f"the currency is {statement.currency}, {first.filename} has {first.currency}; I cannot add them up",
            ),
        )
