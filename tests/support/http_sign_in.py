"""A sign-in at a running issuer, from registration to tokens: over HTTP, as a browser without scripts does it."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2

from tests.support.asgi_client import HttpReply
from tests.support.sign_in import REDIRECT_URI, VERIFIER, challenge, forms
from tests.support.stack import Stack
from tool_service.local import demo


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a client holds after its person allowed everything that it asked for."""

    client_id: str
    access_token: str
    refresh_token: str


def sign_in(stack: Stack, person: demo.DemoPerson, scope: str) -> Tokens:
    """A client of its own, allowed by that person."""
    own_form = {"Origin": stack.issuer}
    with httpx2.Client(base_url=stack.issuer, trust_env=False) as browser:
        metadata = {"client_name": "Program", "redirect_uris": [REDIRECT_URI], "token_endpoint_auth_method": "none"}
        client_id = _json(browser.post("/register", json=metadata))["client_id"]
        query = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": REDIRECT_URI,
            "scope": scope,
            "code_challenge": challenge(),
            "code_challenge_method": "S256",
        }
        target = f"/authorize?{urlencode(query)}"
        credentials = {"email": person.email, "password": demo.PASSWORD, "next": target}
        assert browser.post("/sign-in", data=credentials, headers=own_form).status_code == 303
        page = HttpReply(200, (), browser.get(target).content)
        [consent] = [each for each in forms(page) if each.action == "/consent"]
        answer = browser.post("/consent", data={**consent.values, "decision": "allow"}, headers=own_form)
        [code] = parse_qs(urlsplit(answer.headers["Location"]).query)["code"]
        form = {"grant_type": "authorization_code", "code": code, "client_id": client_id, "code_verifier": VERIFIER}
        said = _json(browser.post("/token", data={**form, "redirect_uri": REDIRECT_URI}))
    return Tokens(client_id, said["access_token"], said["refresh_token"])


def _json(response: httpx2.Response) -> dict[str, Any]:
    assert response.is_success, response.text
    said: dict[str, Any] = response.json()
    return said
