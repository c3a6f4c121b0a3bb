"""Only its person decides, only from our own page, once; whoever else comes by changes nothing."""

import asyncio
from dataclasses import replace

import pytest

from tests.contract.approvals.conftest import Scene, text_of
from tests.support import world
from tests.support.factories import add_member
from tests.support.person_at_pages import PersonAtPages, subject_of
from tests.support.sign_in import forms
from tool_service.db.tables import members


async def test_who_is_not_signed_in_is_led_to_sign_in_and_sees_nothing(scene: Scene) -> None:
    told = await scene.delete()
    for url in (told.link, "/approvals"):
        reply = await scene.nobody().get(url)
        assert reply.status == 303
        assert (reply.header("Location") or "").startswith("/login?next=%2Fapprovals")
        assert "Só gestores" not in text_of(reply)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_d32_whoever_opens_the_link_changes_nothing_and_its_person_still_decides(
    scene: Scene, method: str
) -> None:
    told = await scene.delete()
    before = await scene.row(told.id)
    for person in (scene.nobody(), scene.person(), scene.person("owner"), scene.person("stranger")):
        for _ in range(5):
            await person.get(told.link, method)
    assert await scene.row(told.id) == before
    assert await scene.task_is_there()
    assert "<h1>Feito</h1>" in text_of(await scene.person().decide(told.link, "continue"))


@pytest.mark.parametrize("role", ["owner", "viewer", "stranger"])
async def test_somebody_else_is_refused_sees_nothing_and_is_on_record(scene: Scene, role: str) -> None:
    told = await scene.delete()
    form = forms(await scene.person().get(told.link))[0].values
    other = scene.person(role)
    for reply in (await other.get(told.link), await other.post(told.link, {"ticket": form["ticket"][0]})):
        assert "Só gestores" not in text_of(reply)
    assert (await other.get(told.link)).status == 403
    tried = [each for each in await scene.events() if each["action"] == "approval_refused"]
    assert len(tried) == 2
    assert {each["organization_id"] for each in tried} == {world.ORGANIZATION}
    # A member of another company is not named in this one's audit.
    assert {each["actor_name"] is None for each in tried} == {role == "stranger"}
    assert await scene.task_is_there()


async def test_an_approval_of_nothing_is_not_found(scene: Scene) -> None:
    for approval_id in (str(world.NO_SUCH), "nothing", "%2e%2e", "a" * 300):
        assert (await scene.person().get(f"/approvals/{approval_id}")).status == 404


async def test_a_person_of_two_organizations_decides_in_the_one_that_asked(scene: Scene) -> None:
    told = await scene.delete()
    async with scene.faces.database.begin(write=True) as connection:
        both = {"organization_id": world.OTHER_ORGANIZATION, "person_id": world.PEOPLE["manager"]}
        await add_member(connection, role="viewer", **both)
    elsewhere = replace(subject_of("manager"), organization_id=str(world.OTHER_ORGANIZATION))
    page = await PersonAtPages(scene.wire.front_end, elsewhere).decide(told.link, "continue")
    assert "<h1>Feito</h1>" in text_of(page)
    assert not await scene.task_is_there()


async def test_who_has_left_the_organization_decides_nothing_there(scene: Scene) -> None:
    told = await scene.delete()
    async with scene.faces.database.begin(write=True) as connection:
        both = {"organization_id": world.OTHER_ORGANIZATION, "person_id": world.PEOPLE["manager"]}
        await add_member(connection, role="viewer", **both)
    await scene.change(members, world.MEMBERS["manager"], status="disabled")
    elsewhere = replace(subject_of("manager"), organization_id=str(world.OTHER_ORGANIZATION))
    assert (await PersonAtPages(scene.wire.front_end, elsewhere).get(told.link)).status == 403


@pytest.mark.parametrize("origin", [None, "null", "https://evil.example", "http://mcp.example"])
async def test_a_form_of_another_page_decides_nothing(scene: Scene, origin: str | None) -> None:
    told, helena = await scene.delete(), scene.person()
    reply = await helena.press(await helena.get(told.link), "continue", origin)
    assert reply.status == 403
    assert await scene.task_is_there()


async def test_a_ticket_counts_only_for_its_person_and_its_approval(scene: Scene) -> None:
    told, other, helena = await scene.delete(), await scene.run(), scene.person()
    tickets = {
        "none": "",
        "made up": "approval1.k.abc",
        "of another approval": forms(await helena.get(other.link))[0].values["ticket"][0],
    }
    for name, ticket in tickets.items():
        reply = await helena.press(await helena.get(told.link), "continue", ticket=ticket)
        assert reply.header("Location") == f"/approvals/{told.id}?notice=look_again", name
    assert (await scene.row(told.id))["status"] == "pending"
    reply = await helena.press(await helena.get(told.link), "something")
    assert reply.header("Location") == f"/approvals/{told.id}?notice=look_again"
    assert await scene.task_is_there()


async def test_d33_two_clicks_at_once_are_one_run_and_both_see_the_outcome(scene: Scene) -> None:
    told, helena = await scene.run(), scene.person()
    page = await helena.get(told.link)
    replies = await asyncio.gather(*(helena.press(page, "continue") for _ in range(10)))
    assert {each.status for each in replies} == {303}
    assert await scene.runs() == 1
    for each in replies:
        assert "<h1>Feito</h1>" in text_of(await helena.follow(each))


async def test_d33_of_continue_and_cancel_at_once_one_counts_and_the_page_says_which(scene: Scene) -> None:
    told, helena = await scene.run(), scene.person()
    page = await helena.get(told.link)
    await asyncio.gather(*(helena.press(page, each) for each in ("continue", "cancel") * 5))
    status = (await scene.outcome(told.id))["status"]
    assert (status, await scene.runs()) in {("completed", 1), ("declined", 0)}
    text = text_of(await helena.get(told.link))
    assert ("<h1>Feito</h1>" if status == "completed" else "<h1>Cancelado</h1>") in text


@pytest.mark.parametrize(("first", "second"), [("continue", "cancel"), ("cancel", "continue")])
async def test_d33_whoever_goes_back_and_presses_again_is_told_what_counts(
    scene: Scene, first: str, second: str
) -> None:
    told, helena = await scene.run(), scene.person()
    page = await helena.get(told.link)
    outcome = text_of(await helena.follow(await helena.press(page, first)))
    runs = await scene.runs()
    for decision in (first, second):
        again = text_of(await helena.follow(await helena.press(page, decision)))
        assert "já estava decidido" in again
        assert outcome.split("<h1>")[1].split("</h1>")[0] == again.split("<h1>")[1].split("</h1>")[0]
    assert await scene.runs() == runs


async def test_the_page_is_private_and_unlisted_and_in_nobodys_frame(scene: Scene) -> None:
    told = await scene.delete()
    for reply in (await scene.person().get(told.link), await scene.nobody().get(told.link)):
        assert reply.header("Cache-Control") == "no-store"
        assert reply.header("X-Robots-Tag") == "noindex, nofollow"
    page = await scene.person().get(told.link)
    policy = page.header("Content-Security-Policy") or ""
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'none'" in policy
    # Browsers tell no other site where the person was.
    assert page.header("Referrer-Policy") == "same-origin"
