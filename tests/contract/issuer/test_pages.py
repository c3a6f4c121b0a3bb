"""The pages: who is signed in, what a person allows, and what no other site can do in their name."""

import re
from datetime import timedelta

import pytest

from tests.support.asgi_client import HttpReply
from tests.support.faces import MCP_RESOURCE, PUBLIC_URL, Faces
from tests.support.sign_in import PASSWORD, Browser, Program, answered, forms, give_password
from tool_service.authorization_server.accounts import FAILURES_LIMIT, FAILURES_WINDOW, SESSION_LIFETIME
from tool_service.authorization_server.web.pages import CONSENT_LIFETIME

MOMENT = timedelta(seconds=1)


def text(page: HttpReply) -> str:
    return page.body.decode()


def may(page: HttpReply) -> set[str]:
    return set(next(each for each in forms(page) if each.action == "/consent").values["scope"])


async def test_a_person_signs_in_once_and_lands_where_they_wanted(sqlite_program: Program) -> None:
    browser = Browser(sqlite_program.faces)
    target = sqlite_program.authorize()
    to_sign_in = await browser.get(target)
    assert to_sign_in.status == 303
    form = await browser.get(to_sign_in.header("Location") or "")
    assert forms(form)[0].values["next"] == [target]
    signed_in = await browser.sign_in(target=target)
    assert (signed_in.status, signed_in.header("Location")) == (303, target)
    page = await browser.get(target)
    assert "Um Programa" in text(page)
    assert "127.0.0.1" in text(page)


async def test_the_cookie_is_only_for_this_server_and_no_script(browser: Browser) -> None:
    [cookie] = browser.set_cookie
    assert {"HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert "Domain" not in cookie


async def test_every_page_is_fenced_in(browser: Browser, sqlite_program: Program) -> None:
    for target in ("/account", sqlite_program.authorize(), sqlite_program.authorize(client_id="nobody")):
        page = await browser.get(target)
        policy = page.header("Content-Security-Policy") or ""
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert page.header("Cache-Control") == "no-store"
        assert page.header("Referrer-Policy") == "same-origin"
        assert not re.search(r"<script|style=|https?://(?!127\.0\.0\.1)", text(page))


async def test_the_issuers_own_address_leads_to_the_account(browser: Browser) -> None:
    home = await browser.get("/")
    assert (home.status, home.header("Location")) == (303, "/account")


async def test_who_signs_in_for_our_own_pages_may_be_led_there(sqlite_program: Program) -> None:
    page = await Browser(sqlite_program.faces).get("/sign-in")
    policy = page.header("Content-Security-Policy") or ""
    assert f"form-action 'self' {MCP_RESOURCE};" in policy


@pytest.mark.parametrize(("language", "word"), [("pt-BR", "Permitir"), ("en", "Allow"), ("de", "Permitir")])
async def test_pages_speak_the_language_of_the_browser(
    browser: Browser, sqlite_program: Program, language: str, word: str
) -> None:
    browser.language = language
    assert f">{word}</button>" in text(await browser.get(sqlite_program.authorize()))


async def test_a_person_allows_fewer_scopes_than_were_asked(browser: Browser, sqlite_program: Program) -> None:
    page = await browser.get(sqlite_program.authorize())
    assert {"kadu.tasks.read", "kadu.tasks.run"} < may(page)
    code = answered(await browser.consent(page, scope=["kadu.tasks.read"]))["code"]
    assert (await sqlite_program.redeem(code)).json()["scope"] == "kadu.tasks.read"


async def test_a_form_cannot_allow_more_than_was_asked(browser: Browser, sqlite_program: Program) -> None:
    page = await browser.get(sqlite_program.authorize(scope="kadu.tasks.read"))
    code = answered(await browser.consent(page, scope=["kadu.tasks.read", "kadu.admin", "kadu.tasks.write"]))["code"]
    assert (await sqlite_program.redeem(code)).json()["scope"] == "kadu.tasks.read"


async def test_who_unticks_everything_is_asked_again(browser: Browser, sqlite_program: Program) -> None:
    page = await browser.get(sqlite_program.authorize())
    again = await browser.consent(page, scope=[])
    assert again.status == 422
    assert 'role="alert"' in text(again)


async def test_a_refusal_reaches_the_client(browser: Browser, sqlite_program: Program) -> None:
    said = answered(await browser.consent(await browser.get(sqlite_program.authorize()), "deny"))
    assert (said["error"], said["state"]) == ("access_denied", "the-state")


@pytest.mark.parametrize("origin", [None, "null", "https://evil.example", f"{PUBLIC_URL}.evil.example", ""])
async def test_a_form_of_another_site_does_nothing(
    browser: Browser, sqlite_program: Program, origin: str | None
) -> None:
    form = next(each for each in forms(await browser.get(sqlite_program.authorize())) if each.action == "/consent")
    forged = await browser.post("/consent", {**form.values, "decision": "allow"}, origin)
    assert forged.status == 403
    assert (await browser.post("/sign-out", {}, origin)).status == 403
    assert (await browser.get("/account")).status == 200


async def test_a_consent_of_another_session_or_of_long_ago_does_nothing(
    browser: Browser, sqlite_program: Program
) -> None:
    page = await browser.get(sqlite_program.authorize())
    other = Browser(sqlite_program.faces)
    await other.sign_in()
    assert (await other.consent(page)).status == 403
    sqlite_program.faces.clock.advance(CONSENT_LIFETIME + MOMENT)
    assert (await browser.consent(page)).status == 403


async def test_a_ticket_that_was_changed_does_nothing(browser: Browser, sqlite_program: Program) -> None:
    page = await browser.get(sqlite_program.authorize())
    assert (await browser.consent(page, ticket="forged")).status == 403


@pytest.mark.parametrize("organization", ["", "0198c0de-0000-7000-8000-000000000000"])
async def test_a_person_allows_nothing_in_a_company_that_is_not_theirs(
    browser: Browser, sqlite_program: Program, organization: str
) -> None:
    page = await browser.get(sqlite_program.authorize())
    assert (await browser.consent(page, organization=organization)).status == 403


@pytest.mark.parametrize(
    "target", ["https://evil.example", "//evil.example", "/authorize", "/\\evil.example", "/authorize?\r\nX: y"]
)
async def test_signing_in_leads_nowhere_else(sqlite_program: Program, target: str) -> None:
    reply = await Browser(sqlite_program.faces).sign_in(target=target)
    assert (reply.status, reply.header("Location")) == (303, "/account")


async def test_a_wrong_password_and_an_unknown_person_look_the_same(sqlite_program: Program) -> None:
    pages = []
    for role, password in (("manager", "wrong password here"), ("nobody", PASSWORD), ("viewer", PASSWORD)):
        browser = Browser(sqlite_program.faces)
        page = await browser.sign_in(role, password)
        assert not browser.cookies
        pages.append((page.status, text(page).replace(f"{role}@example.com", "")))
    assert len(set(pages)) == 1
    assert pages[0][0] == 403


@pytest.mark.parametrize("email", ["a\x00b", "", "x" * 10_000, "\u202e@example.com"])
async def test_any_text_may_be_typed_as_e_mail(faces: Faces, email: str) -> None:
    reply = await Browser(faces).post("/sign-in", {"email": email, "password": "p" * 10_000})
    assert reply.status == 403


@pytest.mark.parametrize("role", ["manager", "nobody"])
async def test_after_ten_failures_even_the_right_password_waits(faces: Faces, role: str) -> None:
    await give_password(faces)
    browser = Browser(faces)
    for _ in range(FAILURES_LIMIT):
        assert (await browser.sign_in(role, "wrong password here")).status == 403
    limited = await browser.sign_in(role)
    assert limited.status == 429
    assert limited.header("Retry-After") == str(int(FAILURES_WINDOW.total_seconds()) + 1)
    faces.clock.advance(FAILURES_WINDOW)
    assert (await browser.sign_in(role)).status == (303 if role == "manager" else 403)


async def test_what_was_allowed_is_on_the_account_and_can_be_taken_back(
    browser: Browser, sqlite_program: Program
) -> None:
    token = (await sqlite_program.redeem(await sqlite_program.code())).json()
    account = await browser.get("/account")
    assert "Um Programa" in text(account)
    action = next(each.action for each in forms(account) if each.action.endswith("/take-back"))
    assert (await browser.post(action, {})).header("Location") == "/account?done=took_back"
    assert "Um Programa" not in text(await browser.get("/account"))
    assert (await sqlite_program.refresh(token["refresh_token"])).status == 400


async def test_nobody_takes_back_what_somebody_else_allowed(browser: Browser, sqlite_program: Program) -> None:
    token = (await sqlite_program.redeem(await sqlite_program.code())).json()
    action = next(each.action for each in forms(await browser.get("/account")) if each.action.endswith("/take-back"))
    await give_password(sqlite_program.faces, "owner")
    other = Browser(sqlite_program.faces)
    await other.sign_in("owner")
    await other.post(action, {})
    assert (await sqlite_program.refresh(token["refresh_token"])).status == 200


async def test_signing_out_ends_the_session_and_not_only_the_cookie(browser: Browser) -> None:
    kept = dict(browser.cookies)
    assert (await browser.post("/sign-out", {})).status == 303
    browser.cookies = kept
    assert (await browser.get("/account")).status == 303


async def test_another_browser_can_be_signed_out_from_the_account(browser: Browser, sqlite_faces: Faces) -> None:
    other = Browser(sqlite_faces)
    await other.sign_in()
    action = next(each.action for each in forms(await browser.get("/account")) if each.action.endswith("/end"))
    assert (await browser.post(action, {})).status == 303
    assert (await other.get("/account")).status == 303
    assert (await browser.get("/account")).status == 200


async def test_a_session_lasts_twelve_hours(browser: Browser, sqlite_faces: Faces) -> None:
    sqlite_faces.clock.advance(SESSION_LIFETIME - MOMENT)
    assert (await browser.get("/account")).status == 200
    sqlite_faces.clock.advance(MOMENT)
    assert (await browser.get("/account")).status == 303


async def test_what_a_client_calls_itself_is_text_and_no_markup(sqlite_program: Program, browser: Browser) -> None:
    await sqlite_program.register(client_name="<img src=x onerror=alert(1)>\u202egnp.exe")
    page = text(await browser.get(sqlite_program.authorize()))
    assert "<img src=x" not in page
    assert "\u202e" not in page
