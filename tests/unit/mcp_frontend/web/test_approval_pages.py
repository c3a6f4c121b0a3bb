"""What the approval page says in each state, and what it does when nobody can say anything."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from mcp_frontend.approvals.ports import Approval, ApprovalsUnavailable, Status, VisitorRefused
from mcp_frontend.approvals.tickets import LIFETIME_SECONDS, ApprovalTickets
from mcp_frontend.caller import Subject
from tests.support.asgi_client import HttpReply
from tests.support.fake_approval_desk import PENDING
from tests.support.front_end import FrontEnd
from tests.support.issuer import ISSUER
from tests.support.person_at_pages import PersonAtPages

ANA = Subject(ISSUER, "ana", "org", None, "ana@example.com", True)
URL = f"/approvals/{PENDING.id}"


def before(approval: Approval | None = None, **changes: Any) -> tuple[FrontEnd, PersonAtPages]:
    front_end = FrontEnd()
    front_end.approvals.approvals = {PENDING.id: replace(approval or PENDING, **changes)}
    return front_end, PersonAtPages(front_end, ANA)


def text_of(reply: HttpReply) -> str:
    return reply.body.decode()


@pytest.mark.parametrize(
    ("status", "heading"),
    [
        (Status.PENDING, "Continuar com isto?"),
        (Status.RUNNING, "Em andamento"),
        (Status.COMPLETED, "Feito"),
        (Status.FAILED, "Não deu certo"),
        (Status.DECLINED, "Cancelado"),
        (Status.EXPIRED, "O prazo acabou"),
    ],
)
async def test_each_state_has_a_page_of_its_own_and_only_what_waits_has_buttons(status: Status, heading: str) -> None:
    _, ana = before(status=status)
    text = text_of(await ana.get(URL))
    assert f"<h1>{heading}</h1>" in text
    assert ("<form" in text) is (status is Status.PENDING)
    assert ('http-equiv="refresh"' in text) is (status is Status.RUNNING)


async def test_cost_and_destination_are_said() -> None:
    _, ana = before(cost_ceiling="R$ 5,00", destination="hooks.example.com")
    text = text_of(await ana.get(URL))
    assert "R$ 5,00" in text
    assert "hooks.example.com" in text
    _, ana = before()
    assert "Sem custo" in text_of(await ana.get(URL))


async def test_a_program_without_a_name_is_said_to_have_none() -> None:
    _, ana = before(client_name="")
    assert "um programa que não disse o nome" in text_of(await ana.get(URL))


async def test_times_are_the_persons_own_and_in_utc_where_their_zone_is_unknown() -> None:
    _, ana = before(expires_at=1_790_000_000)
    assert "21/09/2026 11:13" in text_of(await ana.get(URL))
    assert "2026-09-21 11:13" in text_of(await ana.get(f"{URL}?lang=en"))
    for unknown in ("", "Nowhere/Atlantis", "../etc/passwd"):
        _, ana = before(expires_at=1_790_000_000, timezone=unknown)
        assert "21/09/2026 14:13 UTC" in text_of(await ana.get(URL))


@pytest.mark.parametrize("hostile", ["<b>x</b>", '"><script>x</script>', "{{ 7*7 }}", "javascript:x"])
async def test_what_others_wrote_stays_text(hostile: str) -> None:
    _, ana = before(
        summary=hostile,
        client_name=hostile,
        facts=((hostile, hostile),),
        arguments={hostile: hostile, "nested": {"a": [hostile]}},
        problem={"errors": [{"detail": hostile}]},
    )
    text = text_of(await ana.get(URL))
    assert "<script>x" not in text
    assert "<b>x" not in text
    assert ("{{ 7*7 }}" in text) is ("{{" in hostile)


async def test_a_desk_that_does_not_answer_is_said_and_the_page_can_be_opened_again() -> None:
    front_end, ana = before()
    page = await ana.get(URL)
    front_end.approvals.fault = ApprovalsUnavailable()
    for reply, heading in (
        (await ana.get(URL), "O Kadu não responde agora"),
        (await ana.press(page, "continue"), "Ainda não sabemos"),
    ):
        assert reply.status == 503
        assert reply.header("Retry-After") == "2"
        assert f"<h1>{heading}</h1>" in text_of(reply)
        assert f'href="{URL}"' in text_of(reply)
    front_end.approvals.fault = None
    assert front_end.approvals.runs == []


async def test_who_is_no_member_any_more_is_told() -> None:
    front_end, ana = before()
    front_end.approvals.fault = VisitorRefused()
    reply = await ana.get(URL)
    assert reply.status == 403
    assert "Você não participa do Kadu" in text_of(reply)


async def test_the_trace_of_the_request_goes_along() -> None:
    front_end, ana = before()
    await ana.get(URL)
    [visit] = front_end.approvals.visits
    assert (visit.subject, visit.language, visit.request_id) == (ANA, "pt-BR", "request-1")


async def test_a_ticket_is_for_one_person_one_approval_and_an_hour() -> None:
    front_end, _ = before()
    tickets = ApprovalTickets(front_end.ring, front_end.clock)
    ticket = tickets.issue(ANA, "a1", "seen-1")
    assert tickets.seen(ticket, ANA, "a1") == "seen-1"
    assert tickets.seen(ticket, ANA, "a2") is None
    assert tickets.seen(ticket, replace(ANA, subject="bia"), "a1") is None
    assert tickets.seen(ticket, replace(ANA, issuer="https://other.example"), "a1") is None
    assert tickets.seen(ticket + "x", ANA, "a1") is None
    front_end.clock.advance(timedelta(seconds=LIFETIME_SECONDS))
    assert tickets.seen(ticket, ANA, "a1") is None


async def test_a_fault_of_ours_is_a_page_that_says_so_and_no_more() -> None:
    front_end, ana = before()
    front_end.approvals.fault = RuntimeError("a secret of the inside")
    reply = await ana.get(URL)
    assert reply.status == 500
    assert "Algo deu errado do nosso lado" in text_of(reply)
    assert "secret" not in text_of(reply)
    assert reply.header("Cache-Control") == "no-store"


async def test_who_was_signed_out_meanwhile_is_told_that_nothing_was_done_and_how_to_go_on() -> None:
    front_end, ana = before()
    page = await ana.get(URL)
    reply = await PersonAtPages(front_end, None).press(page, "continue")
    assert reply.status == 403
    assert "/login?next=%2Fapprovals%2Fa1" in text_of(reply)
    assert front_end.approvals.runs == []


async def test_what_was_only_queued_is_not_said_to_be_done() -> None:
    _, ana = before(status=Status.COMPLETED, outcome_status=202)
    assert "vai fazê-lo em seguida" in text_of(await ana.get(URL))
    _, ana = before(status=Status.COMPLETED, outcome_status=200)
    assert "fez o que você confirmou" in text_of(await ana.get(URL))


async def test_what_cannot_be_done_now_does_not_claim_to_show_how_things_are_now() -> None:
    _, ana = before(problem={"errors": [{"detail": "Tarefa desativada"}]})
    text = text_of(await ana.get(URL))
    assert "<h1>Isto não pode ser feito agora</h1>" in text
    assert "Tarefa desativada" in text
    assert "Como está agora" not in text
    assert 'value="continue"' not in text
