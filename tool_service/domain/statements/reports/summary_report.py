"""The summary of one or several statements: totals, categories, largest movements, duplicates, balances, months."""

from collections.abc import Generator
from typing import Any

from tool_service.domain.statements.duplicates import Duplicate, Likeness
from tool_service.domain.statements.reports.csv_table import CsvTable, amount
from tool_service.domain.statements.reports.markdown import escape, table
from tool_service.domain.statements.reports.outcome import Document, Outcome
from tool_service.domain.statements.reports.tables import (
    SHOWN,
    balance_data,
    balance_sentence,
    flow_data,
    located_data,
    months_data,
    months_table,
    movements_table,
    period_data,
)
from tool_service.domain.statements.reports.wording import RULE_BASED, Wording
from tool_service.domain.statements.slices import SLICE_ROWS
from tool_service.domain.statements.summary import Summary

_CATEGORIES_IN_TEXT = 3


def report_summary(summary: Summary, wording: Wording) -> Generator[int, None, Outcome]:
    """Yields the number of movements written, every SLICE_ROWS; returns the report."""
    report_name = wording.pick("resumo.md", "summary.md")
    table_name = wording.pick("lancamentos.csv", "movements.csv")
    content = yield from _csv(summary, wording)
    return Outcome(
        _text(summary, wording, report_name, table_name),
        _data(summary, wording),
        (
            Document(report_name, "text/markdown", "\n".join(_markdown(summary, wording)).encode()),
            Document(table_name, "text/csv", content),
        ),
    )


def _csv(summary: Summary, wording: Wording) -> Generator[int, None, bytes]:
    """Every movement with its category; the columns are such that it can be read again as a statement."""
    headers = wording.pick(
        "arquivo,linha,data,descrição,documento,categoria,valor", "file,line,date,description,document,category,amount"
    )
    rows = CsvTable(headers.split(","))
    written = 0
    for each in summary.files:
        filename = each.statement.filename
        for movement, category in zip(each.statement.movements, each.categories, strict=True):
            written += 1
            if written % SLICE_ROWS == 0:
                yield written
            day, title = wording.day(movement.day), wording(category.title)
            place = (filename, movement.line, day, movement.description, movement.document)
            rows.add((*place, title, amount(movement.cents)))
    return rows.content()


def summary_sentence(summary: Summary, wording: Wording) -> str:
    """Files, period, number and the three totals."""
    names = ", ".join(each.statement.filename for each in summary.files)
    total = summary.total
    into, out, net = map(wording.money, (total.in_cents, total.out_cents, total.net_cents))
    period, count = wording.period(summary.period), wording.movements(total.count)
    return wording.pick(
        f"{names} ({period}): {count}; entradas {into}, saídas {out}, resultado {net}.",
        f"{names} ({period}): {count}; in {into}, out {out}, net {net}.",
    )


def _text(summary: Summary, wording: Wording, report_name: str, table_name: str) -> str:
    lines = [summary_sentence(summary, wording)]
    for each in summary.files:
        if sentence := balance_sentence(each.balance, wording):
            name = f"{each.statement.filename}: " if len(summary.files) > 1 else ""
            lines.append(name + sentence)
    if categories := summary.categories()[:_CATEGORIES_IN_TEXT]:
        moved = "; ".join(f"{wording(category.title)} {wording.money(flow.net_cents)}" for category, flow in categories)
        lines.append(wording.pick(f"Maiores categorias: {moved}.", f"Largest categories: {moved}."))
    if count := summary.duplicates.count:
        lines.append(
            wording.pick(
                f"Possíveis duplicidades: {wording.movements(count)}.",
                f"Possible duplicates: {wording.movements(count)}.",
            )
        )
    lines.append(wording.pick(f"Detalhes em {report_name} e {table_name}.", f"Details in {report_name}, {table_name}."))
    lines.append(wording(RULE_BASED))
    return "\n".join(lines)


def _data(summary: Summary, wording: Wording) -> dict[str, Any]:
    return {
        "report": "summary",
        "rule_based": True,
        "currency": wording.currency,
        "files": [
            {
                "filename": each.statement.filename,
                "format": each.statement.format,
                "totals": flow_data(each.flow),
                "period": period_data(each.period),
                "balance": balance_data(each.balance),
            }
            for each in summary.files
        ],
        "totals": flow_data(summary.total),
        "period": period_data(summary.period),
        "categories": [
            {"category": category.code, "title": wording(category.title), **flow_data(flow)}
            for category, flow in summary.categories()
        ],
        "largest_in": [located_data(each) for each in summary.largest_in.in_order()],
        "largest_out": [located_data(each) for each in summary.largest_out.in_order()],
        "duplicates": {
            "count": summary.duplicates.count,
            "repeated_cents": summary.duplicates.repeated_cents,
            "groups": [_duplicate_data(each) for each in summary.duplicates.groups(SHOWN)],
        },
        "cash_flow": months_data(summary.months()),
    }


def _duplicate_data(duplicate: Duplicate) -> dict[str, Any]:
    return {
        "reason": duplicate.likeness.value,
        "first": located_data(duplicate.first),
        "again": [located_data(each) for each in duplicate.again],
    }


def _markdown(summary: Summary, wording: Wording) -> list[str]:
    pick = wording.pick
    lines = [pick("# Resumo do extrato", "# Statement summary"), "", f"> {wording(RULE_BASED)}", ""]
    lines += _files_section(summary, wording)
    lines += [pick("## Categorias (por palavras da descrição)", "## Categories (by words of the description)"), ""]
    headers = pick("Categoria|Entradas|Saídas|Lançamentos", "Category|In|Out|Movements").split("|")
    rows = (
        (
            wording(category.title),
            wording.money(flow.in_cents),
            wording.money(flow.out_cents),
            wording.count(flow.count),
        )
        for category, flow in summary.categories()
    )
    lines += table(headers, rows, right=frozenset({1, 2, 3}))
    lines += [pick("## Maiores entradas", "## Largest in"), ""]
    lines += movements_table(summary.largest_in.in_order(), wording)
    lines += [pick("## Maiores saídas", "## Largest out"), ""]
    lines += movements_table(summary.largest_out.in_order(), wording)
    lines += [pick("## Por mês", "## By month"), "", *months_table(summary.months(), wording)]
    return lines + _duplicates_section(summary, wording)


def _files_section(summary: Summary, wording: Wording) -> list[str]:
    total = summary.total
    headers = wording.pick(
        "Arquivo|Período|Lançamentos|Entradas|Saídas|Resultado", "File|Period|Movements|In|Out|Net"
    ).split("|")
    rows: list[tuple[str, ...]] = []
    notes: list[str] = []
    for each in summary.files:
        name = escape(each.statement.filename)
        sums = map(wording.money, (each.flow.in_cents, each.flow.out_cents, each.flow.net_cents))
        rows.append((name, wording.period(each.period), wording.count(each.flow.count), *sums))
        if sentence := balance_sentence(each.balance, wording):
            notes.append(f"- {name}: {sentence}")
    if len(rows) > 1:
        sums = map(wording.money, (total.in_cents, total.out_cents, total.net_cents))
        rows.append(("**Total**", wording.period(summary.period), wording.count(total.count), *sums))
    return [*table(headers, rows, right=frozenset({2, 3, 4, 5})), *notes, *([""] if notes else [])]


def _duplicates_section(summary: Summary, wording: Wording) -> list[str]:
    groups = summary.duplicates.groups(SHOWN)
    if not groups:
        return []
    why = {
        Likeness.IDENTIFIER: wording.pick("mesmo identificador", "same identifier"),
        Likeness.CONTENT: wording.pick("mesma data, valor e descrição", "same day, amount and description"),
    }
    lines = [wording.pick("## Possíveis duplicidades", "## Possible duplicates"), ""]
    for group in groups:
        lines += [f"{why[group.likeness]}:", "", *movements_table((group.first, *group.again), wording)]
    return lines
