"""Whatever dies in the middle: what was approved runs once, and somebody is told (field report D34)."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from tests.contract.approvals.conftest import Scene, text_of
from tests.support import world
from tool_service.db.tables import approvals, members, tasks
from tool_service.dispatcher import Invocation
from tool_service.domain.approvals import ATTEMPT_LIMIT, CLAIM_LASTS, ApprovalStatus
from tool_service.repositories.approvals import ApprovalDirectory, ApprovalRepository

MOMENT = timedelta(seconds=1)


async def approved_and_died(scene: Scene, approval_id: str) -> None:
    """As the row stands when its tool service was killed right after the person's yes was stored."""
    row = await scene.row(approval_id)
    now = scene.faces.clock.now()
    async with scene.faces.database.begin(write=True) as connection:
        read = await ApprovalDirectory(connection).find(UUID(approval_id))
        assert read is not None
        running = replace(
            read,
            status=ApprovalStatus.RUNNING,
            decided_at=now,
            seen_digest=read.preview.digest,
            claimed_at=now,
            attempt=1,
        )
        assert await ApprovalRepository(connection, row["organization_id"]).move(read, running)


async def look(scene: Scene) -> None:
    await scene.faces.approvals.keeper.look()


async def test_d34_a_yes_whose_tool_service_died_is_run_by_another(scene: Scene) -> None:
    told = await scene.run()
    await approved_and_died(scene, told.id)
    assert "<h1>Em andamento</h1>" in text_of(await scene.person().get(told.link))
    scene.faces.clock.advance(CLAIM_LASTS - MOMENT)
    await look(scene)
    assert await scene.runs() == 0
    scene.faces.clock.advance(MOMENT)
    await asyncio.gather(*(look(scene) for _ in range(5)))
    assert await scene.runs() == 1
    assert (await scene.outcome(told.id))["status"] == "completed"
    assert "<h1>Feito</h1>" in text_of(await scene.person().get(told.link))


async def test_d34_a_run_that_died_before_it_could_say_so_is_told_and_not_repeated(scene: Scene) -> None:
    told = await scene.run()
    await scene.person().decide(told.link, "continue")
    # As if the outcome had not been written to the approval any more.
    unsaid = {"status": "running", "finished_at": None, "outcome": None, "outcome_body": None}
    await scene.change(approvals, UUID(told.id), **unsaid)
    scene.faces.clock.advance(CLAIM_LASTS)
    await look(scene)
    assert await scene.runs() == 1
    outcome = await scene.outcome(told.id)
    assert (outcome["status"], outcome["result"]["status"]) == ("completed", 202)


async def test_a_model_that_repeats_the_call_meanwhile_hears_that_it_runs(scene: Scene) -> None:
    told = await scene.run()
    await approved_and_died(scene, told.id)
    again = await scene.run()
    assert again.id == told.id
    assert again.json()["data"]["status"] == "running"


async def test_d34_what_fails_after_the_yes_is_told_on_the_page_and_to_the_client(scene: Scene) -> None:
    told = await scene.run()
    await approved_and_died(scene, told.id)
    await scene.change(tasks, world.TASK, enabled=False)
    scene.faces.clock.advance(CLAIM_LASTS)
    await look(scene)
    assert await scene.runs() == 0
    text = text_of(await scene.person().get(told.link))
    assert "<h1>Não deu certo</h1>" in text
    assert "Tarefa desativada" in text
    outcome = await scene.outcome(told.id)
    assert (outcome["status"], outcome["result"]["status"]) == ("failed", 409)
    assert (await scene.run()).json()["errors"][0]["code"] == "task_disabled"


async def test_what_changed_in_the_last_moment_does_not_run_unseen(scene: Scene) -> None:
    told = await scene.run()
    await approved_and_died(scene, told.id)
    await scene.change(tasks, world.TASK, default_max_cost_cents=900_000)
    scene.faces.clock.advance(CLAIM_LASTS)
    await look(scene)
    assert await scene.runs() == 0
    outcome = await scene.outcome(told.id)
    assert outcome["result"]["body"]["errors"][0]["code"] == "confirmation_outdated"


async def test_who_is_shut_out_after_the_yes_runs_nothing(scene: Scene) -> None:
    told = await scene.run()
    await approved_and_died(scene, told.id)
    await scene.change(members, world.MEMBERS["manager"], status="disabled")
    scene.faces.clock.advance(CLAIM_LASTS)
    await look(scene)
    assert await scene.runs() == 0
    row = await scene.row(told.id)
    assert (row["status"], row["outcome"]["status"]) == ("failed", 403)


async def test_a_run_that_dies_every_time_is_given_up_and_told(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    told = await scene.run()
    await approved_and_died(scene, told.id)

    async def die(invocation: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(scene.faces.approvals.keeper.runs.dispatcher, "call", die)
    for _ in range(ATTEMPT_LIMIT - 1):
        scene.faces.clock.advance(CLAIM_LASTS)
        await look(scene)
        assert (await scene.row(told.id))["status"] == "running"
    monkeypatch.undo()
    scene.faces.clock.advance(CLAIM_LASTS)
    await look(scene)
    outcome = await scene.outcome(told.id)
    assert outcome["status"] == "failed"
    assert outcome["result"]["body"]["errors"][0]["code"] == "internal_error"
    assert await scene.runs() == 0


async def test_a_ring_that_no_longer_opens_the_arguments_is_told_and_runs_nothing(scene: Scene) -> None:
    told = await scene.run()
    await scene.change(approvals, UUID(told.id), sealed_arguments="of-another.ring")
    text = text_of(await scene.person().get(told.link))
    assert 'value="continue"' not in text
    assert "Erro interno" in text


async def test_a_run_that_dies_every_time_after_it_ran_is_told_as_what_it_did(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = await scene.run()
    await approved_and_died(scene, told.id)
    dispatcher = scene.faces.approvals.keeper.runs.dispatcher
    call = dispatcher.call

    async def run_and_die(invocation: Invocation) -> None:
        await call(invocation)
        raise RuntimeError("a fault of ours, behind the run")

    monkeypatch.setattr(dispatcher, "call", run_and_die)
    for _ in range(ATTEMPT_LIMIT):
        scene.faces.clock.advance(CLAIM_LASTS)
        await look(scene)
    monkeypatch.undo()
    outcome = await scene.outcome(told.id)
    assert (outcome["status"], outcome["result"]["status"]) == ("completed", 202)
    assert await scene.runs() == 1
