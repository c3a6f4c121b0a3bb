"""A browser without scripts on its way through pages that lead from form to form, as signing in does."""

from collections.abc import Mapping

import httpx2

from tests.support.asgi_client import HttpReply
from tests.support.sign_in import forms

LIMIT_STEPS = 20


def led_to(browser: httpx2.Client, url: str, typed: Mapping[str, str], until: str) -> str:
    """Where the person is led in the end: the first URL that begins with `until`.

    Forms on the way are sent with what they hold, with what is `typed` into fields of those names, and with yes.
    """
    for _ in range(LIMIT_STEPS):
        if url.startswith(until):
            return url
        page = browser.get(url)
        if not page.is_redirect:
            assert page.status_code == 200, page.text
            form = forms(HttpReply(200, (), page.content))[0]
            fields = {name: [typed[name]] if name in typed else values for name, values in form.values.items()}
            origin = f"{page.url.scheme}://{page.url.netloc.decode()}"
            decided = {**fields, "decision": "allow"} if form.action == "/consent" else fields
            page = browser.post(page.url.join(form.action), data=decided, headers={"Origin": origin})
        assert page.is_redirect, page.text
        url = str(page.url.join(page.headers["Location"]))
    raise AssertionError(f"led in circles, at last to {url}")
