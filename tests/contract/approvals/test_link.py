"""From the call of a client that cannot ask to the yes or no of its person, and back to the client."""

from datetime import timedelta

from tests.contract.approvals.conftest import Scene, text_of
from tests.support import world
from tests.support.faces import MCP_RESOURCE
from tool_service.db.tables import members, tasks
from tool_service.domain.approvals import LIFETIME, PENDING_LIMIT, TOLD_WITHIN


async def test_the_client_gets_a_link_and_what_to_do_with_it(scene: Scene) -> None:
    told = await scene.delete()
    assert not told.is_error
    data = told.json()["data"]
    assert data.keys() == {"type", "id", "status", "approval_url", "summary", "expires_at"}
    assert (data["type"], data["status"]) == ("approval", "pending")
    assert data["approval_url"] == f"{MCP_RESOURCE}/approvals/{data['id']}"
    assert data["summary"].startswith("Excluir a tarefa «Só gestores»")
    assert "kadu_approvals_get" in told.json()["next"]
    assert await scene.task_is_there()
    assert await scene.outcome(data["id"]) == {
        **{name: data[name] for name in ("id", "status", "approval_url", "summary", "expires_at")},
        "tool": "kadu_tasks_delete",
        "title": "Delete a task",
        "client_name": "test-client",
        "requested_by": {"id": str(world.MEMBERS["manager"]), "name": "Pessoa 2"},
        "decided_at": None,
        "created_at": (await scene.outcome(data["id"]))["created_at"],
        "updated_at": (await scene.outcome(data["id"]))["updated_at"],
        "result": None,
        "content_notice": "data_not_instructions",
    }


async def test_the_page_says_everything_and_continue_runs_it_once(scene: Scene) -> None:
    told = await scene.run(tags=["<script>alert(1)</script>"])
    helena = scene.person()
    page = await helena.get(told.link)
    text = text_of(page)
    assert page.status == 200
    for said in ("Rodar a tarefa «Resumo de extrato»", "test-client", "Pessoa 2", "Padaria Aurora Ltda.", "R$ 5,00"):
        assert said in text, said
    assert "nome que o próprio programa informa" in text
    assert "Resuma." in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "<script>alert" not in text
    assert await scene.runs() == 0
    done = text_of(await helena.follow(await helena.press(page, "continue")))
    assert "<h1>Feito</h1>" in done
    assert await scene.runs() == 1
    outcome = await scene.outcome(told.id)
    assert (outcome["status"], outcome["result"]["status"]) == ("completed", 202)
    assert outcome["result"]["body"]["data"]["status"] == "queued"
    assert outcome["approval_url"] is None


async def test_cancel_runs_nothing_and_the_client_hears_it(scene: Scene) -> None:
    told = await scene.delete()
    page = await scene.person().decide(told.link, "cancel")
    assert "<h1>Cancelado</h1>" in text_of(page)
    assert await scene.task_is_there()
    assert (await scene.outcome(told.id))["status"] == "declined"


async def test_the_page_speaks_the_language_that_the_person_chose(scene: Scene) -> None:
    told = await scene.delete()
    page = await scene.person().get(f"{told.link}?lang=en")
    assert page.header("Content-Language") == "en"
    assert "Delete the task «Só gestores»" in text_of(page)
    assert 'value="continue">Continue<' in text_of(page)


async def test_the_same_call_while_it_waits_is_the_same_approval(scene: Scene) -> None:
    first, again = await scene.run(), await scene.run()
    assert again.id == first.id
    assert (await scene.run(message="Outra coisa.")).id != first.id
    assert (await scene.run("owner")).id != first.id
    assert (await scene.run(idempotency_key="k")).id != first.id


async def test_a_model_that_repeats_the_call_hears_the_outcome_once_and_then_gets_a_new_link(scene: Scene) -> None:
    told = await scene.run()
    await scene.person().decide(told.link, "continue")
    repeated = await scene.run()
    assert repeated.json()["data"]["status"] == "queued"
    assert await scene.runs() == 1
    third = await scene.run()
    assert third.id != told.id
    assert third.json()["data"]["type"] == "approval"
    assert await scene.runs() == 1


async def test_who_has_read_the_outcome_gets_a_new_link_for_the_same_call(scene: Scene) -> None:
    told = await scene.run()
    await scene.person().decide(told.link, "continue")
    assert (await scene.outcome(told.id))["status"] == "completed"
    assert (await scene.run()).json()["data"]["type"] == "approval"


async def test_an_outcome_that_is_old_is_not_told_in_place_of_a_link(scene: Scene) -> None:
    told = await scene.run()
    await scene.person().decide(told.link, "continue")
    scene.faces.clock.advance(TOLD_WITHIN)
    assert (await scene.run()).json()["data"]["type"] == "approval"


async def test_a_no_is_told_once_as_well(scene: Scene) -> None:
    told = await scene.run()
    await scene.person().decide(told.link, "cancel")
    repeated = await scene.run()
    assert repeated.is_error
    assert repeated.json()["errors"][0]["code"] == "confirmation_declined"
    assert (await scene.run()).json()["data"]["type"] == "approval"


async def test_the_outcome_of_one_client_is_not_told_to_another_person(scene: Scene) -> None:
    told = await scene.run()
    await scene.person().decide(told.link, "continue")
    assert (await scene.run("owner")).json()["data"]["type"] == "approval"


async def test_what_would_fail_is_never_put_before_a_person(scene: Scene) -> None:
    refused = await scene.call("kadu_tasks_delete", {"id": "ocupada"})
    assert refused.is_error
    assert refused.json()["errors"][0]["code"] == "task_has_running_executions"
    assert (await scene.call("kadu_approvals_list", {})).json()["data"][0]["id"] in {
        str(world.WAITING),
        str(world.DECIDED),
    }


async def test_too_many_may_not_wait_for_one_person(scene: Scene) -> None:
    # One waits for the manager from the start.
    for number in range(PENDING_LIMIT - 1):
        assert not (await scene.run(message=f"{number}")).is_error
    refused = await scene.run(message="one more")
    assert refused.json()["errors"][0]["code"] == "too_many_pending_approvals"
    assert not (await scene.run("owner", message="one more")).is_error
    scene.faces.clock.advance(LIFETIME)
    assert not (await scene.run(message="one more")).is_error


async def test_what_nobody_decided_in_time_never_runs(scene: Scene) -> None:
    told, helena = await scene.run(), scene.person()
    page = await helena.get(told.link)
    scene.faces.clock.advance(LIFETIME)
    assert "<h1>O prazo acabou</h1>" in text_of(await helena.follow(await helena.press(page, "continue")))
    assert await scene.runs() == 0
    assert (await scene.outcome(told.id))["status"] == "expired"
    anew = await scene.run()
    assert anew.id != told.id
    assert anew.json()["data"]["status"] == "pending"


async def test_a_page_that_shows_what_is_no_longer_true_decides_nothing(scene: Scene) -> None:
    told, helena = await scene.delete(), scene.person()
    page = await helena.get(told.link)
    await scene.change(tasks, world.MANAGERS_TASK, name="Folha de pagamento")
    looked_again = await helena.follow(await helena.press(page, "continue"))
    text = text_of(looked_again)
    assert "Nada foi feito ainda" in text
    assert "<del>Excluir a tarefa «Só gestores»" in text
    assert "<ins>Excluir a tarefa «Folha de pagamento»" in text
    assert await scene.task_is_there()
    assert "<h1>Feito</h1>" in text_of(await helena.follow(await helena.press(looked_again, "continue")))
    assert not await scene.task_is_there()


async def test_a_page_says_why_a_yes_would_come_to_nothing_and_offers_none(scene: Scene) -> None:
    told, helena = await scene.run(), scene.person()
    page = await helena.get(told.link)
    await scene.change(tasks, world.TASK, enabled=False)
    text = text_of(await helena.follow(await helena.press(page, "continue")))
    assert "Tarefa desativada" in text
    assert 'value="continue"' not in text
    assert 'value="cancel"' in text
    assert await scene.runs() == 0


async def test_a_role_that_is_lowered_meanwhile_counts(scene: Scene) -> None:
    told, helena = await scene.delete(), scene.person()
    page = await helena.get(told.link)
    await scene.change(members, world.MEMBERS["manager"], role="viewer")
    scene.faces.clock.advance(timedelta(seconds=10))
    await helena.press(page, "continue")
    assert await scene.task_is_there()


async def test_the_arguments_are_not_to_be_read_in_the_database_and_are_forgotten(scene: Scene) -> None:
    told = await scene.run(message="Segredo da empresa")
    row = await scene.row(told.id)
    assert "Segredo" not in str([value for name, value in row.items() if name != "sealed_arguments"])
    await scene.person().decide(told.link, "continue")
    scene.faces.clock.advance(timedelta(days=1, minutes=16))
    await scene.faces.approvals.keeper.look()
    row = await scene.row(told.id)
    assert (row["sealed_arguments"], row["outcome_body"]) == (None, None)
    assert row["status"] == "completed"
    page = text_of(await scene.person().get(told.link))
    assert "apagados um dia depois" in page
    assert "Segredo" not in page


async def test_the_inbox_holds_what_waits_and_what_was(scene: Scene) -> None:
    told = await scene.run()
    text = text_of(await scene.person().get("/approvals"))
    waiting, past = text.split("Anteriores")
    assert f"/approvals/{told.id}" in waiting
    assert f"/approvals/{world.DECIDED}" in past
    assert str(world.OF_OWNER_WAITING) not in text


async def test_a_yes_is_on_record_with_everything_that_proves_it(scene: Scene) -> None:
    told = await scene.delete()
    await scene.person().decide(told.link, "continue")
    decided, ran = [each for each in await scene.events() if each["confirmation_id"] == told.id]
    assert (decided["action"], decided["result"], decided["channel"]) == ("approval_approved", "ok", "app")
    assert (ran["action"], ran["result"], ran["channel"]) == ("tasks_delete", "ok", "mcp")
    for each in (decided, ran):
        assert each["door"] == "page"
        assert each["actor_id"] == world.MEMBERS["manager"]
        assert each["client_name"] == "test-client"
        assert each["idempotency_key"] == f"confirmation:{told.id}"
        assert len(each["call_digest"]) == 64
        assert each["digest"]


async def test_a_no_is_on_record(scene: Scene) -> None:
    told = await scene.delete()
    await scene.person().decide(told.link, "cancel")
    [decided] = [each for each in await scene.events() if each["confirmation_id"] == told.id]
    assert (decided["action"], decided["result"]) == ("approval_declined", "denied")
    assert (decided["door"], decided["code"]) == ("page", "confirmation_declined")


async def test_a_yes_in_the_chat_is_on_record_as_well(scene: Scene) -> None:
    await scene.wire.confirmed("kadu_tasks_delete", {"id": "so-gestores"})
    [ran] = [each for each in await scene.events() if each["action"] == "tasks_delete"]
    assert (ran["door"], ran["result"]) == ("chat", "ok")
    assert ran["idempotency_key"].startswith("confirmation:")
    assert len(ran["call_digest"]) == 64


async def test_what_expires_is_put_on_record_once(scene: Scene) -> None:
    told = await scene.run()
    scene.faces.clock.advance(LIFETIME)
    for _ in range(2):
        await scene.faces.approvals.keeper.look()
    assert (await scene.row(told.id))["status"] == "expired"
    assert [each["action"] for each in await scene.events() if each["confirmation_id"] == told.id] == [
        "approval_expired"
    ]
