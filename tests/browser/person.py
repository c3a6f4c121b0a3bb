"""A person before the issuer's pages: what those say in their language, and how they sign in."""

from playwright.sync_api import Page

from tool_service.authorization_server.web.words import WORDS
from tool_service.domain.language import Language
from tool_service.local import demo


def spoken(page: Page) -> Language:
    return Language(page.locator("html").get_attribute("lang") or "")


def said(page: Page, name: str) -> str:
    return WORDS[name].in_(spoken(page))


def sign_in(page: Page, password: str = demo.PASSWORD, person: demo.DemoPerson = demo.OPERATOR) -> None:
    page.get_by_label("E-mail").fill(person.email)
    page.get_by_label(said(page, "password")).fill(password)
    page.get_by_role("button", name=said(page, "enter"), exact=True).click()
