"""A sign-in at a running issuer over HTTP, as a browser without scripts does it, and a client that begins it."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx2

from tests.support.asgi_client import HttpReply
from tests.support.sign_in import REDIRECT_URI, VERIFIER, challenge, forms
from tests.support.stack import Stack
from tool_service.local import demo


@dataclass
class PersonAtBrowser:
    """Signs in where they are led, and allows what is asked, or of that only `allows`."""

    issuer: str
    person: demo.DemoPerson
    allows: frozenset[str] | None = None
    asked: list[frozenset[str]] = field(default_factory=list)
    """The scopes on each consent page that they saw."""

    def answer(self, authorization_url: str) -> dict[str, str]:
        """What the client gets at its redirect URI."""
        parts = urlsplit(authorization_url)
        target, own_form = f"{parts.path}?{parts.query}", {"Origin": self.issuer}
        with httpx2.Client(base_url=self.issuer, trust_env=False) as browser:
            credentials = {"email": self.person.email, "password": demo.PASSWORD, "next": target}
            assert browser.post("/sign-in", data=credentials, headers=own_form).status_code == 303
            page = HttpReply(200, (), browser.get(target).content)
            [consent] = [each for each in forms(page) if each.action == "/consent"]
            asked = frozenset(consent.values["scope"])
            self.asked.append(asked)
            allowed = sorted(asked if self.allows is None else asked & self.allows)
            answer = browser.post(
                "/consent", data={**consent.values, "scope": allowed, "decision": "allow"}, headers=own_form
            )
        return dict(parse_qsl(urlsplit(answer.headers["Location"]).query))


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a client holds after its person allowed everything that it asked for."""

    client_id: str
    access_token: str
    refresh_token: str


def sign_in(stack: Stack, person: demo.DemoPerson, scope: str) -> Tokens:
    """A client of its own, allowed by that person."""
    with httpx2.Client(base_url=stack.issuer, trust_env=False) as program:
        metadata = {"client_name": "Program", "redirect_uris": [REDIRECT_URI], "token_endpoint_auth_method": "none"}
        client_id = _json(program.post("/register", json=metadata))["client_id"]
        query = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": REDIRECT_URI,
            "scope": scope,
            "code_challenge": challenge(),
            "code_challenge_method": "S256",
        }
        answer = PersonAtBrowser(stack.issuer, person).answer(f"{stack.issuer}/authorize?{urlencode(query)}")
        form = {"grant_type": "authorization_code", "client_id": client_id, "code_verifier": VERIFIER}
        said = _json(program.post("/token", data={**form, "code": answer["code"], "redirect_uri": REDIRECT_URI}))
    return Tokens(client_id, said["access_token"], said["refresh_token"])


def _json(response: httpx2.Response) -> dict[str, Any]:
    assert response.is_success, response.text
    said: dict[str, Any] = response.json()
    return said
