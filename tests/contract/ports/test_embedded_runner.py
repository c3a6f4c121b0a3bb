"""The embedded runner on the sample statements: figures as samples/README.md states them, and what it tells people."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from tests.support.clock import fake_id
from tool_service.adapters.embedded_runner import EmbeddedRunner
from tool_service.local.samples import SAMPLES
from tool_service.ports import InputFile, Turn, TurnFailure, TurnQuestion, TurnResult

OCTOBER, NOVEMBER = "extrato-outubro.ofx", "extrato-novembro.ofx"
NOVEMBER_CSV, LEDGER = "extrato-novembro.csv", "lancamentos-novembro.csv"


class Unobserved:
    async def step(self, kind: str, title: str) -> None:
        pass


def sample(name: str) -> InputFile:
    return InputFile(fake_id(1), name, "text/plain", SAMPLES[name].read_bytes())


async def run(
    files: Sequence[InputFile], message: str = "", language: str = "pt-BR", params: dict[str, Any] | None = None
) -> TurnResult:
    return await EmbeddedRunner().run(Turn(fake_id(9), "", message, params or {}, files, language), Unobserved())


def data_of(result: TurnResult) -> dict[str, Any]:
    assert result.data is not None
    assert json.loads(json.dumps(result.data)) == result.data
    return result.data


@pytest.mark.parametrize("name", [NOVEMBER, NOVEMBER_CSV])
async def test_the_november_statement_has_the_same_figures_in_either_format(name: str) -> None:
    data = data_of(await run([sample(name)]))
    assert data["totals"] == {
        "in_cents": 2508257,
        "out_cents": 2535327,
        "net_cents": 2508257 - 2535327,
        "in_count": 21,
        "out_count": 21,
        "count": 42,
    }
    assert data["period"] == {"from": "2026-11-03", "to": "2026-11-30"}
    balance = data["files"][0]["balance"]
    assert (balance["opening_cents"], balance["closing_cents"]) == (1523077, 1496007)
    assert data["duplicates"]["count"] == 1
    assert data["duplicates"]["groups"][0]["first"]["amount_cents"] == -19990


async def test_the_csv_statement_proves_its_balances_row_by_row() -> None:
    balance = data_of(await run([sample(NOVEMBER_CSV)]))["files"][0]["balance"]
    assert (balance["consistent"], balance["difference_cents"], balance["first_inconsistent_line"]) == (True, 0, None)


async def test_october_closes_where_november_opens() -> None:
    data = data_of(await run([sample(OCTOBER), sample(NOVEMBER)], message="Faça um resumo"))
    october, november = (each["balance"] for each in data["files"])
    assert october["closing_cents"] == november["opening_cents"] == 1523077
    assert [(each["month"], each["count"]) for each in data["cash_flow"]] == [("2026-10", 12), ("2026-11", 42)]


async def test_the_ledger_reconciles_but_for_the_differences_made_on_purpose() -> None:
    data = data_of(await run([sample(NOVEMBER), sample(LEDGER)]))
    assert (data["matched"]["count"], data["matched"]["other_day_count"]) == (36, 3)
    assert [each["amount_cents"] for each in data["first"]["only_here"]["movements"]] == [
        *(-1190, -2860, -52380, -4321, -387, 3142)
    ]
    assert [each["amount_cents"] for each in data["second"]["only_here"]["movements"]] == [-53280, -36500, 64000]


async def test_two_bank_exports_of_one_month_reconcile_whole() -> None:
    data = data_of(await run([sample(NOVEMBER), sample(NOVEMBER_CSV)]))
    assert data["matched"] == {"count": 42, "sum_cents": -27070, "other_day_count": 0}


async def test_a_malformed_file_fails_in_the_language_of_the_turn_naming_file_and_line() -> None:
    content = SAMPLES[NOVEMBER_CSV].read_bytes().replace(b"-682,50", b"-682,505", 1)
    broken = InputFile(fake_id(2), "extrato.csv", "text/csv", content)
    told = {language: (await run([broken], language=language)).failure for language in ("pt-BR", "en")}
    assert told == {
        "pt-BR": TurnFailure(
            "input_rejected", "extrato.csv, linha 9: o valor «-682,505» tem mais de duas casas decimais"
        ),
        "en": TurnFailure("input_rejected", "extrato.csv, line 9: the amount “-682,505” has more than two decimals"),
    }


async def test_a_param_that_no_rule_reads_fails_with_what_is_allowed() -> None:
    result = await run([sample(NOVEMBER)], params={"date_tolerance_days": "three"})
    assert result.failure == TurnFailure("input_rejected", "date_tolerance_days deve ser um número inteiro de 0 a 31.")


async def test_an_open_choice_is_asked_with_options() -> None:
    result = await run([sample(OCTOBER), sample(NOVEMBER), sample(LEDGER)], language="en")
    assert result == TurnResult(
        question=TurnQuestion("Which report shall I make?", ("Statement summary", "Cash flow by month"))
    )


async def test_it_costs_nothing_and_says_that_rules_made_it() -> None:
    result = await run([sample(NOVEMBER)])
    assert (result.cost_cents, result.input_tokens, result.output_tokens) == (0, 0, 0)
    assert "regras fixas, sem modelo de linguagem" in result.text
    assert [(each.filename, each.content_type) for each in result.files] == [
        ("resumo.md", "text/markdown"),
        ("lancamentos.csv", "text/csv"),
    ]


async def test_the_event_loop_goes_on_between_the_slices_of_a_long_file() -> None:
    rows = b"data;valor\n" + b"03/11/2026;1,00\n" * 15_000
    turns_of_the_loop = 0
    done = asyncio.Event()

    async def count() -> None:
        nonlocal turns_of_the_loop
        while not done.is_set():
            turns_of_the_loop += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    await run([InputFile(fake_id(3), "a.csv", "text/csv", rows)])
    done.set()
    await counting
    # 12 slices; a loop that were blocked during each would have turned about as often.
    assert turns_of_the_loop > 3 * 12
