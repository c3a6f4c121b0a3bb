"""The reconciliation of two files: what is in both, and what is in one alone."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import islice
from typing import Any

from tool_service.domain.statements.figures import Located
from tool_service.domain.statements.model import Movement, Statement
from tool_service.domain.statements.reconciliation import Reconciliation
from tool_service.domain.statements.reports.csv_table import CsvTable, amount
from tool_service.domain.statements.reports.markdown import escape, table
from tool_service.domain.statements.reports.outcome import Document, Outcome
from tool_service.domain.statements.reports.tables import SHOWN, movement_data, movements_table
from tool_service.domain.statements.reports.wording import RULE_BASED, Wording
from tool_service.domain.statements.slices import SLICE_ROWS


def report_reconciliation(found: Reconciliation, wording: Wording) -> Generator[int, None, Outcome]:
    """Yields the number of rows written, every SLICE_ROWS; returns the report."""
    report_name = wording.pick("conciliacao.md", "reconciliation.md")
    table_name = wording.pick("conciliacao.csv", "reconciliation.csv")
    content = yield from _csv(found, wording)
    return Outcome(
        _text(found, wording, report_name, table_name),
        _data(found, wording),
        (
            Document(report_name, "text/markdown", "\n".join(_markdown(found, wording)).encode()),
            Document(table_name, "text/csv", content),
        ),
    )


def _sides(found: Reconciliation) -> tuple[tuple[Statement, Sequence[int], int], tuple[Statement, Sequence[int], int]]:
    """For each file: its statement, the rows that it alone has, and their sum."""
    return (
        (found.first, found.only_first, found.only_first_cents),
        (found.second, found.only_second, found.only_second_cents),
    )


def _text(found: Reconciliation, wording: Wording, report_name: str, table_name: str) -> str:
    pick = wording.pick
    days = f"{found.tolerance_days} {pick('dia', 'day')}{'' if found.tolerance_days == 1 else 's'}"
    matched = f"{wording.movements(found.pair_count)} ({wording.money(found.matched_cents)})"
    lines = [
        pick(
            f"Conciliação de {found.first.filename} com {found.second.filename}: em ambos, {matched}.",
            f"Reconciliation of {found.first.filename} with {found.second.filename}: in both, {matched}.",
        )
    ]
    for statement, rows, cents in _sides(found):
        alone = f"{wording.movements(len(rows))} ({wording.money(cents)})"
        lines.append(pick(f"Só em {statement.filename}: {alone}.", f"Only in {statement.filename}: {alone}."))
    lines += [
        pick(
            f"Regra: mesmo valor exato, datas com até {days} de diferença, a mais próxima primeiro.",
            f"Rule: exactly the same amount, dates at most {days} apart, the nearest first.",
        ),
        pick(f"Detalhes em {report_name} e {table_name}.", f"Details in {report_name}, {table_name}."),
        wording(RULE_BASED),
    ]
    return "\n".join(lines)


def _data(found: Reconciliation, wording: Wording) -> dict[str, Any]:
    first, second = (
        {
            "filename": statement.filename,
            "format": statement.format,
            "count": len(statement.movements),
            "only_here": {
                "count": len(rows),
                "sum_cents": cents,
                "movements": [movement_data(statement.movements[row]) for row in rows[:SHOWN]],
            },
        }
        for statement, rows, cents in _sides(found)
    )
    return {
        "report": "reconciliation",
        "rule_based": True,
        "currency": wording.currency,
        "date_tolerance_days": found.tolerance_days,
        "matched": {
            "count": found.pair_count,
            "sum_cents": found.matched_cents,
            "other_day_count": sum(1 for _ in _on_other_days(found)),
        },
        "first": first,
        "second": second,
    }


def _on_other_days(found: Reconciliation) -> Iterable[tuple[Movement, Movement]]:
    for mine, other in found.pairs:
        if found.first.movements.amount_and_day(mine) != found.second.movements.amount_and_day(other):
            yield found.first.movements[mine], found.second.movements[other]


def _markdown(found: Reconciliation, wording: Wording) -> list[str]:
    pick = wording.pick
    lines = [pick("# Conciliação", "# Reconciliation"), "", f"> {wording(RULE_BASED)}", ""]
    headers = pick("Situação|Lançamentos|Soma", "State|Movements|Sum").split("|")
    counts = [(pick("Em ambos", "In both"), wording.count(found.pair_count), wording.money(found.matched_cents))]
    for statement, rows, cents in _sides(found):
        name = f"{pick('Só em', 'Only in')} {escape(statement.filename)}"
        counts.append((name, wording.count(len(rows)), wording.money(cents)))
    lines += table(headers, counts, right=frozenset({1, 2}))
    for statement, rows, _ in _sides(found):
        if rows:
            lines += [f"## {pick('Só em', 'Only in')} {escape(statement.filename)}", ""]
            shown = (Located(statement.filename, statement.movements[row]) for row in rows[:SHOWN])
            lines += movements_table(shown, wording)
    if other_days := list(islice(_on_other_days(found), SHOWN)):
        lines += [pick("## Conciliados com datas diferentes", "## Matched on different days"), ""]
        headers = pick("Data|Data no outro|Descrição|Valor", "Date|Date in the other|Description|Amount").split("|")
        pairs = (
            (wording.day(mine.day), wording.day(other.day), escape(mine.description), wording.money(mine.cents))
            for mine, other in other_days
        )
        lines += table(headers, pairs, right=frozenset({3}))
    return lines


def _csv(found: Reconciliation, wording: Wording) -> Generator[int, None, bytes]:
    """Pairs, then what is only in the first, then what is only in the second; cells of the absent side are empty."""
    headers = wording.pick(
        "situação,valor,data 1,linha 1,descrição 1,data 2,linha 2,descrição 2",
        "state,amount,date 1,line 1,description 1,date 2,line 2,description 2",
    )
    rows = CsvTable(headers.split(","))
    both = wording.pick("conciliado", "matched")
    only_first, only_second = wording.pick("só no primeiro,só no segundo", "only first,only second").split(",")

    def cells(movement: Movement) -> tuple[str | int, ...]:
        return wording.day(movement.day), movement.line, movement.description

    def lines() -> Iterator[tuple[str | int | Decimal, ...]]:
        first, second, absent = found.first.movements, found.second.movements, ("", "", "")
        for mine, other in found.pairs:
            movement = first[mine]
            yield both, amount(movement.cents), *cells(movement), *cells(second[other])
        for movement in map(first.__getitem__, found.only_first):
            yield only_first, amount(movement.cents), *cells(movement), *absent
        for movement in map(second.__getitem__, found.only_second):
            yield only_second, amount(movement.cents), *absent, *cells(movement)

    for written, line in enumerate(lines(), 1):
        rows.add(line)
        if written % SLICE_ROWS == 0:
            yield written
    return rows.content()
