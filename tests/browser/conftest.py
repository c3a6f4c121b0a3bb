"""A real browser before a running stack."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.chromium import find_chromium
from tests.browser.program import LoopbackProgram, loopback_program
from tests.judges.npm import install_packages
from tests.support.stack import Stack, running

# As root, and where /dev/shm is small, Chromium does not start otherwise; it sees pages of ours only.
_ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]


# For this level only: while Playwright runs, its event loop is the thread's, and no test with another may run.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = find_chromium()
    install_packages()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with running(tmp_path_factory.mktemp("browser-stack")) as stack:
        yield stack


@pytest.fixture(params=["pt-BR", "en"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A fresh browser of a person who reads that language; whatever the page complains about fails the test."""
    context = browser.new_context(locale=request.param)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if "Content Security Policy" in said.text else None)
    yield page
    context.close()
    assert complaints == []


@pytest.fixture
def program(stack: Stack) -> Iterator[LoopbackProgram]:
    with loopback_program(stack) as program:
        yield program
