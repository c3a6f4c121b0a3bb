"""Signing in to our own pages: what the browser carries, what the issuer answers, and who is let in."""

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from joserfc import jwt

from mcp_frontend.oauth.login import SESSION_SECONDS, STARTED_SECONDS, own_path
from tests.support.asgi_client import HttpReply
from tests.support.front_end import FrontEnd
from tests.support.issuer import ISSUER, RESOURCE

COOKIE, BROWSER = "__Host-kadu", "__Host-kadu-login"
LOOPBACK = {"MCP_FRONTEND_PUBLIC_URL": "http://127.0.0.1:8000"}


class Person:
    """A browser with a jar, and an issuer that is ready to answer it."""

    def __init__(self, front_end: FrontEnd | None = None) -> None:
        self.front_end = front_end or FrontEnd()
        self.jar: dict[str, str] = {}

    async def open(self, method: str, target: str, **headers: str) -> HttpReply:
        jar = "; ".join(f"{name}={value}" for name, value in self.jar.items())
        lines = [("Host", "mcp.example"), ("Accept", "text/html"), ("Cookie", jar), *headers.items()]
        reply = await self.front_end.http(method, target, headers=lines)
        for name, value in reply.headers:
            if name == "set-cookie":
                cookie, _, rest = value.partition(";")
                key, _, text = cookie.partition("=")
                self.jar[key] = text
                if "Max-Age=0" in rest:
                    del self.jar[key]
        return reply

    async def start(self, target: str = "/account") -> dict[str, str]:
        """What the issuer is asked."""
        reply = await self.open("GET", f"/login?{urlencode({'next': target})}")
        assert reply.status == 303
        location = urlsplit(reply.header("Location") or "")
        return {name: values[0] for name, values in parse_qs(location.query).items()}

    def issue(self, asked: dict[str, str], header: dict[str, Any] | None = None, **claims: Any) -> str:
        """A code that the issuer would exchange for an ID token with these claims."""
        issuer = self.front_end.issuer
        all_claims = {"aud": "kadu-pages", "nonce": asked["nonce"], "email": "ana@example.com", **claims}
        token = issuer.token(self.front_end.clock.now().timestamp(), {"typ": "JWT", **(header or {})}, **all_claims)
        issuer.id_tokens[("code-1", self._verifier(asked))] = token
        return "code-1"

    def _verifier(self, asked: dict[str, str]) -> str:
        # Only the front end can read its own state; a test reads it with the front end's ring.
        return self.front_end.ring.open("login1", asked["state"])["verifier"]

    async def answer(self, asked: dict[str, str], **parameters: str) -> HttpReply:
        return await self.open("GET", f"/signed-in?{urlencode({'state': asked['state'], **parameters})}")

    async def sign_in(self) -> HttpReply:
        asked = await self.start()
        return await self.answer(asked, code=self.issue(asked))


async def test_a_person_signs_in_at_the_issuer_and_lands_where_they_began() -> None:
    ana = Person()
    asked = await ana.start("/connect?lang=en")
    assert (asked["client_id"], asked["redirect_uri"]) == ("kadu-pages", f"{RESOURCE}/signed-in")
    assert (asked["response_type"], asked["code_challenge_method"]) == ("code", "S256")
    done = await ana.answer(asked, code=ana.issue(asked))
    assert (done.status, done.header("Location")) == (303, "/connect?lang=en")
    page = (await ana.open("GET", "/account")).body.decode()
    assert "Ana Souza" in page
    assert "Padaria Aurora Ltda." in page
    assert "ana@example.com" in page


async def test_the_cookies_are_for_this_server_and_no_script_and_sealed() -> None:
    ana = Person()
    started = await ana.open("GET", "/login")
    done = await ana.sign_in()
    for reply in (started, done):
        [line] = [value for name, value in reply.headers if name == "set-cookie"]
        assert {"HttpOnly", "Path=/", "SameSite=Lax", "Secure"} <= set(line.split("; "))
        assert "Domain" not in line
        assert reply.header("Cache-Control") == "no-store"
    assert "ana@example.com" not in ana.jar[COOKIE]
    assert "person-1" not in ana.jar[COOKIE]


async def test_without_tls_the_cookie_has_a_plain_name() -> None:
    ana = Person(FrontEnd(settings=LOOPBACK))
    await ana.sign_in()
    assert set(ana.jar) == {"kadu", "kadu-login"}


async def test_two_tabs_sign_in_at_once_and_do_not_disturb_each_other() -> None:
    ana = Person()
    first, second = await ana.start("/connect"), await ana.start("/account")
    for asked, target in ((first, "/connect"), (second, "/account")):
        assert (await ana.answer(asked, code=ana.issue(asked))).header("Location") == target


async def test_who_is_not_signed_in_is_led_to_the_issuer() -> None:
    reply = await Person().open("GET", "/account")
    assert (reply.status, reply.header("Location")) == (303, "/login?next=%2Faccount")


@pytest.mark.parametrize("seconds", [STARTED_SECONDS, STARTED_SECONDS + 1])
async def test_a_sign_in_that_took_too_long_is_begun_anew(seconds: int) -> None:
    ana = Person()
    asked = await ana.start()
    ana.front_end.clock.advance(timedelta(seconds=seconds))
    reply = await ana.answer(asked, code=ana.issue({**asked}))
    assert reply.status == 400
    assert COOKIE not in ana.jar
    assert "/login" in reply.body.decode()


async def test_an_answer_in_another_browser_signs_nobody_in() -> None:
    ana, mallory = Person(), Person()
    mallory.front_end = ana.front_end
    asked = await mallory.start()
    await ana.start()
    reply = await ana.answer(asked, code=ana.issue(asked))
    assert reply.status == 400
    assert COOKIE not in ana.jar


@pytest.mark.parametrize("state", ["", "x", "login1.s1.AAAA", "v1.s1.AAAA", "ã"])
async def test_a_made_up_state_is_refused(state: str) -> None:
    ana = Person()
    asked = {**await ana.start(), "state": state}
    assert (await ana.answer(asked, code="code-1")).status == 400


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "another-client"},
        {"aud": ["kadu-pages", "another-client"]},
        {"aud": ["kadu-pages", "another-client"], "azp": "another-client"},
        {"aud": None},
        {"iss": "https://other.example"},
        {"exp": 1},
        {"exp": None},
        {"sub": None},
    ],
)
async def test_an_id_token_that_is_not_for_this_sign_in_signs_nobody_in(claims: dict[str, Any]) -> None:
    ana = Person()
    asked = await ana.start()
    reply = await ana.answer(asked, code=ana.issue(asked, **claims))
    assert reply.status == 502
    assert COOKIE not in ana.jar


async def test_an_access_token_is_no_id_token() -> None:
    ana = Person()
    asked = await ana.start()
    reply = await ana.answer(asked, code=ana.issue(asked, {"typ": "at+jwt"}))
    assert reply.status == 502


async def test_an_id_token_that_somebody_else_signed_is_refused() -> None:
    ana, other = Person(), FrontEnd().issuer
    asked = await ana.start()
    ana.issue(asked)
    [(code, good)] = ana.front_end.issuer.id_tokens.items()
    claims = jwt.decode(good, ana.front_end.issuer.key).claims
    ana.front_end.issuer.id_tokens[code] = jwt.encode({"alg": "ES256", "kid": "first", "typ": "JWT"}, claims, other.key)
    assert (await ana.answer(asked, code="code-1")).status == 502


@pytest.mark.parametrize(("said", "status"), [({"iss": ISSUER}, 303), ({"iss": "https://other.example"}, 502)])
async def test_the_answer_of_another_issuer_is_not_taken_for_ours(said: dict[str, str], status: int) -> None:
    ana = Person()
    asked = await ana.start()
    assert (await ana.answer(asked, code=ana.issue(asked), **said)).status == status


async def test_an_issuer_that_names_itself_must_do_so() -> None:
    ana = Person()
    ana.front_end.issuer.sends_issuer = True
    asked = await ana.start()
    assert (await ana.answer(asked, code=ana.issue(asked))).status == 502


async def test_a_code_is_good_once() -> None:
    ana = Person()
    asked = await ana.start()
    code = ana.issue(asked)
    assert (await ana.answer(asked, code=code)).status == 303
    assert (await ana.answer(asked, code=code)).status == 502


@pytest.mark.parametrize(
    ("parameters", "status", "said"),
    [({"error": "access_denied"}, 403, "não entrou"), ({"error": "server_error"}, 502, "Tente de novo"), ({}, 502, "")],
)
async def test_what_the_issuer_refuses_is_said(parameters: dict[str, str], status: int, said: str) -> None:
    ana = Person()
    reply = await ana.answer(await ana.start(), **parameters)
    assert reply.status == status
    assert said in reply.body.decode()


async def test_who_is_no_member_is_told_with_which_account_they_came() -> None:
    ana = Person()
    ana.front_end.members.shut_out.add("person-1")
    reply = await ana.sign_in()
    assert reply.status == 403
    assert "ana@example.com" in reply.body.decode()
    assert COOKIE not in ana.jar


async def test_who_is_no_member_any_more_is_signed_out() -> None:
    ana = Person()
    await ana.sign_in()
    ana.front_end.members.shut_out.add("person-1")
    assert (await ana.open("GET", "/account")).status == 303


async def test_a_session_ends_by_itself() -> None:
    ana = Person()
    await ana.sign_in()
    ana.front_end.clock.advance(timedelta(seconds=SESSION_SECONDS))
    assert (await ana.open("GET", "/account")).status == 303


async def test_signing_out_needs_our_own_form() -> None:
    ana = Person()
    await ana.sign_in()
    foreign: list[dict[str, str]] = [{}, {"Origin": "https://evil.example"}, {"Origin": "null"}]
    for origin in foreign:
        assert (await ana.open("POST", "/sign-out", **origin)).status == 403
        assert COOKIE in ana.jar
    assert (await ana.open("POST", "/sign-out", Origin=RESOURCE)).status == 200
    assert COOKIE not in ana.jar
    assert (await ana.open("GET", "/account")).status == 303


async def test_while_the_issuer_or_the_members_are_away_the_page_says_so_and_keeps_the_session() -> None:
    ana = Person()
    await ana.sign_in()
    ana.front_end.members.is_down = True
    reply = await ana.open("GET", "/account")
    assert reply.status == 503
    assert int(reply.header("Retry-After") or "0") >= 1
    ana.front_end.members.is_down = False
    assert (await ana.open("GET", "/account")).status == 200
    ana.front_end.issuer.is_down = True
    assert (await ana.open("GET", "/login")).status == 503


@pytest.mark.parametrize(
    "target",
    ["", "account", "//evil.example", "/\\evil.example", "https://evil.example", "/\tx", "/\n/evil", "/é", "/" * 501],
)
def test_nobody_is_led_away_by_a_link(target: str) -> None:
    assert own_path(target) == "/account"


@pytest.mark.parametrize("target", ["/account", "/connect?lang=en", "/approvals/1#x"])
def test_a_path_of_ours_is_kept(target: str) -> None:
    assert own_path(target) == target
