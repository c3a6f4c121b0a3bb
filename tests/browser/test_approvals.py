"""A person before the page of a link: they read what will happen, and press one of two buttons."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx2
import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser, Page, expect

from mcp_frontend.web.words import WORDS
from tests.browser.look import look
from tests.browser.person import sign_in
from tests.support.stack import Stack
from tests.support.wire import CLIENT_KEY, ENVELOPE, stateless
from tool_service.db.engine import sync_engine
from tool_service.db.tables import approvals, executions
from tool_service.local import demo

# May run the tasks that they made.
PERSON = demo.MANAGER
CLIENT = {**ENVELOPE, CLIENT_KEY: {"name": "Planilha do Zé", "version": "1.0.0"}}


def said(page: Page, name: str) -> str:
    return WORDS[name].in_(page.locator("html").get_attribute("lang") or "")


def heading(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(said(page, name))


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=said(page, name), exact=True).click()


@dataclass
class Waiting:
    """A call of a client that cannot ask, which waits at its link."""

    stack: Stack
    story: str
    language: str
    arguments: dict[str, Any]
    id: str = ""
    link: str = ""

    def ask(self) -> "Waiting":
        data = self.call("kadu_tasks_run", self.arguments)["data"]
        self.id, self.link = data["id"], f"{data['approval_url']}?lang={self.language}"
        return self

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        message = stateless("tools/call", {"name": tool, "arguments": arguments}, meta=CLIENT)
        headers = {name.decode(): value.decode() for name, value in message.headers}
        headers |= {"Authorization": f"Bearer {self.stack.token(PERSON)}", "Content-Type": "application/json"}
        answer = httpx2.post(self.stack.mcp_url, headers=headers, content=message.body, timeout=30).json()
        told: dict[str, Any] = json.loads(answer["result"]["content"][0]["text"])
        return told

    def change(self, **values: Any) -> None:
        """As time or somebody else would."""
        engine = sync_engine(self.stack.database_url)
        with engine.begin() as connection:
            connection.execute(sa.update(approvals).where(approvals.c.id == UUID(self.id)).values(values))
        engine.dispose()

    def runs(self) -> int:
        engine = sync_engine(self.stack.database_url)
        with engine.begin() as connection:
            mine = sa.select(sa.func.count()).select_from(executions).where(executions.c.external_id == self.story)
            found = int(connection.scalar(mine) or 0)
        engine.dispose()
        return found


@pytest.fixture
def task(stack: Stack) -> str:
    """The slug of a task of this test's own, which its manager may rename."""
    slug = f"tarefa-{datetime.now(UTC).timestamp():.6f}".replace(".", "-")
    _api(stack, "POST", "/tasks", {"name": "Resumo semanal", "slug": slug, "instructions": "Resuma."})
    return slug


def _api(stack: Stack, method: str, path: str, body: dict[str, Any]) -> None:
    api = f"{stack.issuer}/api/v1"
    headers = {"Authorization": f"Bearer {stack.token(PERSON, audience=api)}"}
    answer = httpx2.request(method, api + path, headers=headers, json=body, timeout=30)
    assert answer.is_success, answer.text


@pytest.fixture
def waiting(stack: Stack, page: Page, request: pytest.FixtureRequest, task: str) -> Waiting:
    language = page.evaluate("navigator.language")
    arguments = {"id": task, "message": "Resuma a semana.", "external_id": task, "tags": ["semana", "banco"]}
    return Waiting(stack, task, language, arguments).ask()


def opened(page: Page, waiting: Waiting) -> None:
    """From the link, signed in nowhere, to the page."""
    page.goto(waiting.link)
    sign_in(page, person=PERSON)
    heading(page, "approval_pending")


def test_a_person_signs_in_reads_and_continues(page: Page, waiting: Waiting) -> None:
    opened(page, waiting)
    main = page.locator("main")
    for text in ("«Resumo semanal»", "Planilha do Zé", said(page, "claimed_name"), "Resuma a semana.", "5"):
        expect(main).to_contain_text(text)
    look(page, f"approval-{waiting.language}")
    press(page, "continue")
    heading(page, "approval_completed")
    # The run waits in its queue: nobody shall think that it is over.
    expect(page.get_by_role("status")).to_have_text(said(page, "approval_accepted_lead"))
    look(page, f"approval-completed-{waiting.language}")
    assert waiting.runs() == 1
    assert waiting.call("kadu_approvals_get", {"id": waiting.id})["data"]["status"] == "completed"
    page.get_by_role("link", name=said(page, "all_approvals")).click()
    page.goto(f"{waiting.stack.mcp_url}/approvals?lang={waiting.language}")
    heading(page, "approvals")
    expect(page.locator(f'a[href="/approvals/{waiting.id}"]')).to_be_visible()
    look(page, f"approvals-{waiting.language}")


def test_a_person_cancels(page: Page, waiting: Waiting) -> None:
    opened(page, waiting)
    press(page, "cancel")
    heading(page, "approval_declined")
    look(page, f"approval-declined-{waiting.language}")
    assert waiting.runs() == 0


def test_what_nobody_decided_in_time_is_said(page: Page, waiting: Waiting) -> None:
    opened(page, waiting)
    waiting.change(expires_at=datetime.now(UTC) - timedelta(seconds=1))
    press(page, "continue")
    heading(page, "approval_expired")
    look(page, f"approval-expired-{waiting.language}")
    assert waiting.runs() == 0


def test_what_is_decided_stays_decided_for_whoever_goes_back(page: Page, waiting: Waiting) -> None:
    opened(page, waiting)
    press(page, "cancel")
    heading(page, "approval_declined")
    page.go_back()
    # Browsers may show the old page or fetch a new one; whichever it is, nothing runs.
    if page.get_by_role("button", name=said(page, "continue"), exact=True).count():
        press(page, "continue")
    heading(page, "approval_declined")
    assert waiting.runs() == 0


def test_two_clicks_are_one(page: Page, waiting: Waiting) -> None:
    opened(page, waiting)
    page.get_by_role("button", name=said(page, "continue"), exact=True).dblclick()
    heading(page, "approval_completed")
    assert waiting.runs() == 1


def test_a_form_that_is_sent_again_runs_nothing_again(page: Page, waiting: Waiting) -> None:
    opened(page, waiting)
    page.evaluate("document.querySelector('form').setAttribute('target', '_blank')")
    with page.context.expect_page() as first:
        press(page, "continue")
    heading(first.value, "approval_completed")
    with page.context.expect_page() as second:
        press(page, "continue")
    heading(second.value, "approval_completed")
    expect(second.value.get_by_role("alert")).to_have_text(said(page, "too_late"))
    look(second.value, f"approval-too-late-{waiting.language}")
    assert waiting.runs() == 1


def test_somebody_else_sees_nothing_and_can_change_the_account(page: Page, waiting: Waiting) -> None:
    page.goto(waiting.link)
    sign_in(page, person=demo.OWNER)
    heading(page, "not_your_approval")
    expect(page.locator("main")).not_to_contain_text("Resumo semanal")
    look(page, f"approval-of-somebody-else-{waiting.language}")
    press(page, "use_another_account")
    assert waiting.runs() == 0


def test_who_was_signed_out_meanwhile_signs_in_and_decides(page: Page, waiting: Waiting) -> None:
    opened(page, waiting)
    page.context.clear_cookies()
    press(page, "continue")
    heading(page, "signed_out_meanwhile")
    assert waiting.runs() == 0
    page.get_by_role("link", name=said(page, "sign_in_again")).click()
    sign_in(page, person=PERSON)
    heading(page, "approval_pending")
    press(page, "continue")
    heading(page, "approval_completed")
    assert waiting.runs() == 1


def test_what_changed_is_shown_and_asked_again(page: Page, waiting: Waiting) -> None:
    opened(page, waiting)
    _api(waiting.stack, "PATCH", f"/tasks/{waiting.story}", {"name": "Folha de pagamento"})
    press(page, "continue")
    heading(page, "approval_pending")
    expect(page.locator("del")).to_contain_text("«Resumo semanal»")
    expect(page.locator("ins")).to_contain_text("«Folha de pagamento»")
    look(page, f"approval-changed-{waiting.language}")
    assert waiting.runs() == 0
    press(page, "continue")
    heading(page, "approval_completed")
    assert waiting.runs() == 1


def test_what_cannot_be_done_any_more_is_said_and_not_offered(page: Page, waiting: Waiting) -> None:
    _api(waiting.stack, "PATCH", f"/tasks/{waiting.story}", {"enabled": False})
    page.goto(waiting.link)
    sign_in(page, person=PERSON)
    heading(page, "approval_impossible")
    expect(page.get_by_role("alert")).to_contain_text(said(page, "cannot_run"))
    expect(page.get_by_role("button", name=said(page, "continue"), exact=True)).to_have_count(0)
    look(page, f"approval-impossible-{waiting.language}")


def test_link_previews_see_a_sign_in_page_and_use_nothing_up(page: Page, waiting: Waiting) -> None:
    for agent in ("Slackbot-LinkExpanding 1.0", "WhatsApp/2", "Microsoft Office/16.0", "GoogleImageProxy"):
        for method in ("HEAD", "GET"):
            with httpx2.Client(headers={"User-Agent": agent}, follow_redirects=True, timeout=30) as bot:
                assert "Resumo semanal" not in bot.request(method, waiting.link).text
    opened(page, waiting)
    press(page, "continue")
    heading(page, "approval_completed")
    assert waiting.runs() == 1


def test_without_scripts_and_with_the_keyboard_alone(browser: Browser, waiting: Waiting) -> None:
    context = browser.new_context(java_script_enabled=False, locale=waiting.language)
    page = context.new_page()
    opened(page, waiting)
    page.get_by_role("button", name=said(page, "continue"), exact=True).focus()
    page.keyboard.press("Enter")
    heading(page, "approval_completed")
    context.close()
    assert waiting.runs() == 1
