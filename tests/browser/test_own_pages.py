"""The front end's own pages in a browser: how to connect, who is signed in, the way out."""

import json

import pytest
from playwright.sync_api import Browser, Page, expect

from mcp_frontend.web.words import WORDS
from tests.browser.look import look
from tests.browser.person import sign_in
from tests.support.stack import Stack
from tool_service.local import demo


def said(page: Page, name: str) -> str:
    return WORDS[name].in_(page.locator("html").get_attribute("lang") or "")


def test_a_person_copies_what_their_program_needs(page: Page, stack: Stack) -> None:
    page.goto(f"{stack.mcp_url}/connect")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    look(page, f"connect-{page.locator('html').get_attribute('lang')}")
    page.get_by_role("button", name=f"{said(page, 'copy_text')}: {said(page, 'address')}").click()
    expect(page.get_by_role("status")).to_have_text(said(page, "copied"))
    assert page.evaluate("navigator.clipboard.readText()") == stack.mcp_url
    page.get_by_role("button", name=f"{said(page, 'copy_text')}: Windsurf").click()
    copied = json.loads(page.evaluate("navigator.clipboard.readText()"))
    assert copied == {"mcpServers": {"kadu": {"serverUrl": stack.mcp_url}}}


@pytest.mark.parametrize("language", ["pt-BR"])
def test_without_scripts_everything_can_be_read(browser: Browser, stack: Stack, language: str) -> None:
    context = browser.new_context(java_script_enabled=False, locale=language)
    page = context.new_page()
    page.goto(f"{stack.mcp_url}/connect")
    expect(page.locator("#address")).to_have_text(stack.mcp_url)
    expect(page.get_by_role("button")).to_have_count(0)
    context.close()


def test_a_person_signs_in_sees_who_they_are_and_leaves(page: Page, stack: Stack) -> None:
    page.goto(f"{stack.mcp_url}/account")
    sign_in(page)
    expect(page.locator("main")).to_contain_text(demo.OPERATOR.name)
    expect(page.locator("main")).to_contain_text(demo.OPERATOR.organization.name)
    look(page, f"account-{page.locator('html').get_attribute('lang')}")
    page.get_by_role("button", name=said(page, "sign_out")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(said(page, "signed_out"))
    look(page, f"signed-out-{page.locator('html').get_attribute('lang')}")


def test_whoever_opens_the_endpoint_is_shown_the_way(page: Page, stack: Stack) -> None:
    page.goto(stack.mcp_url)
    expect(page.get_by_role("heading", level=1)).to_have_text(said(page, "endpoint"))
    look(page, f"endpoint-{page.locator('html').get_attribute('lang')}")
    page.get_by_role("link", name=said(page, "connect")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(said(page, "connect"))


def test_a_sign_in_that_did_not_begin_here_is_refused(page: Page, stack: Stack) -> None:
    page.goto(f"{stack.mcp_url}/signed-in?code=x&state=y")
    expect(page.get_by_role("heading", level=1)).to_have_text(said(page, "sign_in_expired"))
    look(page, f"sign-in-expired-{page.locator('html').get_attribute('lang')}")
