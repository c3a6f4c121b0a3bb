"""A look at a page as people have it: both widths, light and dark, no accessibility finding that matters."""

from pathlib import Path

from playwright.sync_api import Page

from tests.judges.npm import PACKAGES

SCREENSHOTS = Path(__file__).resolve().parents[2] / ".screenshots"
WIDTHS = {"desktop": 1280, "phone": 390}
SERIOUS = ("serious", "critical")


def look(page: Page, name: str) -> None:
    """Keep pictures of the page under that name, and fail on what a keyboard, a screen reader or a phone stumbles over.

    The page stays where it is, with what was typed and ticked.
    """
    SCREENSHOTS.mkdir(exist_ok=True)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for device, width in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": 900})
            page.screenshot(path=SCREENSHOTS / f"{name}-{device}-{scheme}.png", full_page=True)
            overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert overflow <= 0, f"{name} is {overflow} px too wide for {width}"
        assert _findings(page) == [], f"{name} in {scheme}"
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": WIDTHS["desktop"], "height": 900})


def _findings(page: Page) -> list[str]:
    # By the debugger and not by a script element: the page's own policy forbids those.
    page.evaluate((PACKAGES / "axe-core" / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    return [f"{each['id']}: {each['help']}" for each in found if each["impact"] in SERIOUS]
