"""A person and their browser: they sign in, allow less than was asked, and take it back."""

from playwright.sync_api import Page, expect

from tests.browser.look import look
from tests.browser.person import said, sign_in, spoken
from tests.browser.program import LoopbackProgram
from tests.support.stack import Stack
from tool_service.authorization_server.web.words import SCOPE_WORDS
from tool_service.dispatcher.membership import REMEMBERED
from tool_service.local import demo

REFUSED_WITHIN_MILLISECONDS = 20_000
ASKED = "kadu.tasks.read kadu.executions.read kadu.tasks.run"


def test_a_person_signs_in_allows_less_and_takes_it_back(page: Page, program: LoopbackProgram) -> None:
    program.register("Planilha do Zé")
    page.goto(program.authorization_url(ASKED))
    language = page.locator("html").get_attribute("lang")
    look(page, f"sign-in-{language}")
    sign_in(page, "not the password")
    expect(page.get_by_role("alert")).to_have_text(said(page, "wrong_credentials"))
    look(page, f"sign-in-wrong-{language}")
    sign_in(page)

    expect(page.get_by_role("heading", level=1)).to_have_text(said(page, "consent_title"))
    expect(page.locator("main")).to_contain_text("Planilha do Zé")
    look(page, f"consent-{language}")
    page.get_by_label(SCOPE_WORDS["kadu.tasks.run"].in_(spoken(page))).uncheck()
    page.get_by_role("button", name=said(page, "allow"), exact=True).click()
    answer = program.answer()
    assert answer["state"] == "opaque"
    program.redeem(answer["code"])
    assert program.scope == {"kadu.tasks.read", "kadu.executions.read"}
    listed = program.list_tools()
    assert listed.status_code == 200
    names = {tool["name"] for tool in listed.json()["result"]["tools"]}
    assert "kadu_tasks_list" in names
    assert "kadu_tasks_run" not in names

    page.goto(f"{program.stack.issuer}/account")
    look(page, f"issuer-account-{language}")
    page.get_by_role("button", name=f"{said(page, 'take_back')}: Planilha do Zé").first.click()
    expect(page.get_by_role("status")).to_have_text(said(page, "took_back"))
    # What was known of the program is forgotten within seconds; every look at it is a call of its own.
    deadline = REMEMBERED.total_seconds() * 1000 + REFUSED_WITHIN_MILLISECONDS
    while program.list_tools().status_code == 200 and deadline > 0:
        page.wait_for_timeout(500)
        deadline -= 500
    assert program.list_tools().status_code == 401


def test_a_person_who_refuses_gives_nothing(page: Page, program: LoopbackProgram) -> None:
    program.register("Planilha")
    page.goto(program.authorization_url(ASKED))
    sign_in(page)
    page.get_by_role("button", name=said(page, "deny"), exact=True).click()
    assert program.answer()["error"] == "access_denied"


def test_the_keyboard_alone_is_enough(page: Page, program: LoopbackProgram) -> None:
    program.register("Planilha")
    page.goto(program.authorization_url("kadu.tasks.read"))
    expect(page.get_by_label("E-mail")).to_be_focused()
    page.keyboard.type(demo.OPERATOR.email)
    page.keyboard.press("Tab")
    page.keyboard.type(demo.PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(said(page, "consent_title"))
    allow = page.get_by_role("button", name=said(page, "allow"), exact=True)
    for _ in range(20):
        page.keyboard.press("Tab")
        if allow.evaluate("button => button === document.activeElement"):
            break
    page.keyboard.press("Enter")
    assert "code" in program.answer()


def test_a_request_that_cannot_be_answered_is_said(page: Page, stack: Stack) -> None:
    page.goto(f"{stack.issuer}/authorize?response_type=code&client_id=nobody")
    expect(page.get_by_role("heading", level=1)).to_have_text(said(page, "unfit_title"))
    look(page, f"unfit-{spoken(page).value}")
