"""Parts that several reports show: movements, flows by month, and the balance check."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from tool_service.domain.statements.balances import BalanceCheck
from tool_service.domain.statements.figures import Flow, Located, Period
from tool_service.domain.statements.model import Movement
from tool_service.domain.statements.reports.markdown import escape, table
from tool_service.domain.statements.reports.wording import Wording

# Lists in data and in Markdown end here; the CSV has every row.
SHOWN = 100


def movement_data(movement: Movement) -> dict[str, Any]:
    return {
        "line": movement.line,
        "date": movement.day.isoformat(),
        "amount_cents": movement.cents,
        "description": movement.description,
    }


def located_data(located: Located) -> dict[str, Any]:
    return {"filename": located.filename, **movement_data(located.movement)}


def flow_data(flow: Flow) -> dict[str, int]:
    return {
        "in_cents": flow.in_cents,
        "out_cents": flow.out_cents,
        "net_cents": flow.net_cents,
        "in_count": flow.in_count,
        "out_count": flow.out_count,
        "count": flow.count,
    }


def period_data(period: Period) -> dict[str, str | None]:
    return {"from": _iso(period.first), "to": _iso(period.last)}


def balance_data(balance: BalanceCheck) -> dict[str, Any]:
    broken = balance.first_break
    return {
        "opening_cents": balance.opening_cents,
        "closing_cents": balance.closing_cents,
        "consistent": balance.consistent,
        "difference_cents": balance.difference_cents,
        "first_inconsistent_line": broken
        and {"line": broken.line, "expected_cents": broken.expected_cents, "stated_cents": broken.stated_cents},
    }


def months_data(months: Iterable[tuple[str, Flow]]) -> list[dict[str, Any]]:
    accumulated = 0
    found: list[dict[str, Any]] = []
    for month, flow in months:
        accumulated += flow.net_cents
        found.append({"month": month, **flow_data(flow), "accumulated_cents": accumulated})
    return found


def months_table(months: Iterable[tuple[str, Flow]], wording: Wording) -> list[str]:
    accumulated = 0
    rows: list[tuple[str, ...]] = []
    for month, flow in months:
        accumulated += flow.net_cents
        cents = (flow.in_cents, flow.out_cents, flow.net_cents, accumulated)
        rows.append((wording.month(month), *map(wording.money, cents), wording.count(flow.count)))
    headers = wording.pick(
        "Mês|Entradas|Saídas|Resultado|Acumulado|Lançamentos", "Month|In|Out|Net|Accumulated|Movements"
    ).split("|")
    return table(headers, rows, right=frozenset({1, 2, 3, 4, 5}))


def movements_table(movements: Iterable[Located], wording: Wording) -> list[str]:
    headers = wording.pick("Arquivo|Linha|Data|Descrição|Valor", "File|Line|Date|Description|Amount").split("|")
    rows = (
        (
            escape(each.filename),
            str(each.movement.line),
            wording.day(each.movement.day),
            escape(each.movement.description),
            wording.money(each.movement.cents),
        )
        for each in movements
    )
    return table(headers, rows, right=frozenset({1, 4}))


def balance_sentence(balance: BalanceCheck, wording: Wording) -> str:
    """What the stated balances are worth, in a sentence or three; empty when the file states none."""
    if balance.opening_cents is None or balance.closing_cents is None:
        return ""
    opening, closing = wording.money(balance.opening_cents), wording.money(balance.closing_cents)
    text = wording.pick(
        f"Saldo inicial {opening}, saldo final {closing}", f"Opening balance {opening}, closing balance {closing}"
    )
    if balance.consistent is None:
        return text + wording.pick(
            " (um deles calculado: o arquivo só informa um saldo).", " (one is computed: the file states only one)."
        )
    if balance.consistent:
        return text + wording.pick(
            "; os saldos conferem com os lançamentos.", "; the balances agree with the movements."
        )
    text += wording.pick("; os saldos não conferem.", "; the balances do not agree.")
    if (broken := balance.first_break) is not None:
        expected, stated = wording.money(broken.expected_cents), wording.money(broken.stated_cents)
        text += wording.pick(
            f" Primeira divergência na linha {broken.line}: esperado {expected}, informado {stated}.",
            f" First difference in line {broken.line}: expected {expected}, stated {stated}.",
        )
    if balance.difference_cents:
        difference = wording.money(balance.difference_cents)
        text += wording.pick(f" Diferença total: {difference}.", f" Total difference: {difference}.")
    return text


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
