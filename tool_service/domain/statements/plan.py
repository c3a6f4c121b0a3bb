"""Which report a turn asks for. Simple rules, first that applies:

1. params {"report": "summary" | "reconciliation" | "cash_flow"};
2. the report that the message names first ("conciliar", "fluxo de caixa", "resumo", and in English);
3. the report that the task's instructions name first;
4. by the number of files: one is summarised, two are reconciled.

params {"date_tolerance_days": 0 to 31} says how many days two movements may lie apart; 3 without it.
What the rules leave open becomes a question to the person, never a guess.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from tool_service.domain.language import Language, Localized
from tool_service.domain.statements.cleaning import fold
from tool_service.domain.statements.reconciliation import MAX_TOLERANCE_DAYS

DEFAULT_TOLERANCE_DAYS = 3


class Report(Enum):
    SUMMARY = "summary"
    RECONCILIATION = "reconciliation"
    CASH_FLOW = "cash_flow"


# Also the options of the question; each holds the words by which rule 2 recognises it.
TITLES = {
    Report.SUMMARY: Localized(pt="Resumo do extrato", en="Statement summary"),
    Report.RECONCILIATION: Localized(pt="Conciliação de dois arquivos", en="Reconciliation of two files"),
    Report.CASH_FLOW: Localized(pt="Fluxo de caixa por mês", en="Cash flow by month"),
}
# Words as `fold` leaves them.
_WORDS = {
    Report.SUMMARY: re.compile(r"\b(?:resum|summar|totais|totals)"),
    Report.RECONCILIATION: re.compile(r"\b(?:concili|reconcil)"),
    Report.CASH_FLOW: re.compile(r"\b(?:fluxos? de caixa|cash flow)"),
}


@dataclass(frozen=True, slots=True)
class Plan:
    report: Report
    tolerance_days: int


@dataclass(frozen=True, slots=True)
class Question:
    """What only the person can say, with the answers that will be understood, if they can be listed."""

    text: str
    options: tuple[str, ...] = ()


class InvalidParams(Exception):
    """A param has a value that no rule reads."""

    def __init__(self, what: Localized) -> None:
        super().__init__(what.en)
        self.what = what


def decide(
    *, files: int, params: Mapping[str, Any], message: str, instructions: str, language: Language
) -> Plan | Question:
    """What to do with so many files.

    Raises:
        InvalidParams: date_tolerance_days is no whole number from 0 to 31.
    """
    tolerance = _tolerance(params)
    if files == 0:
        return Question(_NO_FILE.in_(language))
    wanted = params.get("report")
    if wanted is None:
        report = _named_in(message) or _named_in(instructions) or _BY_NUMBER.get(files)
    else:
        # An unknown param is asked about, and the answer comes back as the message of the next turn.
        report = next((each for each in Report if each.value == wanted), None) or _named_in(message)
    if report is None:
        return Question(_WHICH_REPORT.in_(language), _options(files, language))
    if report is Report.RECONCILIATION and files != 2:
        text = Localized(
            pt=f"A conciliação compara dois arquivos, e recebi {files}. Envie exatamente dois: extrato e lançamentos.",
            en=f"A reconciliation compares two files, and I got {files}. Send exactly two: statement and ledger.",
        )
        return Question(text.in_(language))
    return Plan(report, tolerance)


_BY_NUMBER = {1: Report.SUMMARY, 2: Report.RECONCILIATION}
_NO_FILE = Localized(
    pt="Envie ao menos um arquivo: um extrato bancário OFX ou uma planilha CSV com data e valor.",
    en="Send at least one file: an OFX bank statement or a CSV sheet with date and amount.",
)
_WHICH_REPORT = Localized(pt="Qual relatório devo fazer?", en="Which report shall I make?")


def _options(files: int, language: Language) -> tuple[str, ...]:
    possible = (report for report in Report if report is not Report.RECONCILIATION or files == 2)
    return tuple(TITLES[report].in_(language) for report in possible)


def _named_in(text: str) -> Report | None:
    folded = fold(text)
    found = [(match.start(), report) for report, words in _WORDS.items() if (match := words.search(folded))]
    return min(found, key=lambda pair: pair[0])[1] if found else None


def _tolerance(params: Mapping[str, Any]) -> int:
    value = params.get("date_tolerance_days", DEFAULT_TOLERANCE_DAYS)
    # True is an int to Python, and not to anybody else.
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_TOLERANCE_DAYS:
        raise InvalidParams(
            Localized(
                pt=f"date_tolerance_days deve ser um número inteiro de 0 a {MAX_TOLERANCE_DAYS}.",
                en=f"date_tolerance_days must be a whole number from 0 to {MAX_TOLERANCE_DAYS}.",
            )
        )
    return value
