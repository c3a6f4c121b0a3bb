"""The cash flow by month, over one or several statements."""

from collections.abc import Generator
from typing import Any

from tool_service.domain.statements.reports.csv_table import CsvTable, amount
from tool_service.domain.statements.reports.outcome import Document, Outcome
from tool_service.domain.statements.reports.summary_report import summary_sentence
from tool_service.domain.statements.reports.tables import flow_data, months_data, months_table, period_data
from tool_service.domain.statements.reports.wording import RULE_BASED, Wording
from tool_service.domain.statements.summary import Summary


def report_cash_flow(summary: Summary, wording: Wording) -> Generator[int, None, Outcome]:
    """Returns the report; a month is a row, so there is nothing to wait for."""
    report_name = wording.pick("fluxo-de-caixa.md", "cash-flow.md")
    table_name = wording.pick("fluxo-de-caixa.csv", "cash-flow.csv")
    yield summary.total.count
    return Outcome(
        _text(summary, wording, report_name, table_name),
        _data(summary, wording),
        (
            Document(report_name, "text/markdown", "\n".join(_markdown(summary, wording)).encode()),
            Document(table_name, "text/csv", _csv(summary, wording)),
        ),
    )


def _text(summary: Summary, wording: Wording, report_name: str, table_name: str) -> str:
    lines = [wording.pick("Fluxo de caixa por mês. ", "Cash flow by month. ") + summary_sentence(summary, wording)]
    months = summary.months()
    if months:
        month, flow = min(months, key=lambda pair: pair[1].net_cents)
        worst = f"{wording.month(month)} ({wording.money(flow.net_cents)})"
        lines.append(wording.pick(f"Mês de menor resultado: {worst}.", f"Month with the lowest net: {worst}."))
    lines.append(wording.pick(f"Detalhes em {report_name} e {table_name}.", f"Details in {report_name}, {table_name}."))
    lines.append(wording(RULE_BASED))
    return "\n".join(lines)


def _data(summary: Summary, wording: Wording) -> dict[str, Any]:
    return {
        "report": "cash_flow",
        "rule_based": True,
        "currency": wording.currency,
        "files": [
            {
                "filename": each.statement.filename,
                "format": each.statement.format,
                "totals": flow_data(each.flow),
                "period": period_data(each.period),
            }
            for each in summary.files
        ],
        "totals": flow_data(summary.total),
        "period": period_data(summary.period),
        "months": months_data(summary.months()),
    }


def _markdown(summary: Summary, wording: Wording) -> list[str]:
    title = wording.pick("# Fluxo de caixa por mês", "# Cash flow by month")
    return [title, "", f"> {wording(RULE_BASED)}", "", *months_table(summary.months(), wording)]


def _csv(summary: Summary, wording: Wording) -> bytes:
    headers = wording.pick(
        "mês,entradas,saídas,resultado,acumulado,lançamentos", "month,in,out,net,accumulated,movements"
    )
    rows = CsvTable(headers.split(","))
    for month in months_data(summary.months()):
        cents = (month[name] for name in ("in_cents", "out_cents", "net_cents", "accumulated_cents"))
        rows.add((wording.month(month["month"]), *map(amount, cents), month["count"]))
    return rows.content()
