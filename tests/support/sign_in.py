"""Both ends of a sign-in at the embedded issuer: a browser with a person before it, and a client's program."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from typing import Any, cast
from urllib.parse import parse_qsl, urlencode, urlsplit

import sqlalchemy as sa

from mcp_frontend.web.asgi import AsgiApp
from tests.support import world
from tests.support.asgi_client import AsgiClient, HttpReply
from tests.support.faces import CHEAP_PASSWORDS, MCP_RESOURCE, PUBLIC_URL, Faces
from tool_service.db.account_tables import passwords

PASSWORD = "um pão de queijo por dia"
REDIRECT_URI = "http://127.0.0.1:7777/callback"
VERIFIER = "a-verifier-that-is-long-enough-for-rfc-7636-4.1"
FORM = ("Content-Type", "application/x-www-form-urlencoded")

Parameters = Mapping[str, str | Sequence[str] | None]


def challenge(verifier: str = VERIFIER) -> str:
    """S256 of RFC 7636 4.2."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def encoded(parameters: Parameters) -> str:
    """A query or a form; a parameter of None is left out, one of several values comes several times."""
    return urlencode({name: value for name, value in parameters.items() if value is not None}, doseq=True)


async def give_password(faces: Faces, role: str = "manager", password: str = PASSWORD) -> None:
    kept = await CHEAP_PASSWORDS.hash(password)
    async with faces.database.begin(write=True) as connection:
        row = {"person_id": world.identity(role)[1], "hash": kept, "updated_at": faces.clock.now()}
        await connection.execute(sa.insert(passwords).values(row))


@dataclass
class Form:
    action: str
    values: dict[str, list[str]] = field(default_factory=dict)


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "form":
            self.found.append(Form(named.get("action") or ""))
        is_unticked = named.get("type") in ("checkbox", "radio") and "checked" not in named
        if tag == "input" and self.found and named.get("name") and not is_unticked:
            self.found[-1].values.setdefault(named["name"] or "", []).append(named.get("value") or "")


def forms(page: HttpReply) -> list[Form]:
    """Each form of the page as it would be sent untouched, without its buttons."""
    parser = _Forms()
    parser.feed(page.body.decode())
    return parser.found


@dataclass
class Browser:
    """Keeps cookies, sends Origin with a form, follows no redirect by itself."""

    faces: Faces
    language: str = "en"
    cookies: dict[str, str] = field(default_factory=dict)
    set_cookie: list[str] = field(default_factory=list)

    async def get(self, target: str) -> HttpReply:
        return await self._send("GET", target, [])

    async def post(self, target: str, values: Parameters, origin: str | None = PUBLIC_URL) -> HttpReply:
        headers = [FORM] if origin is None else [FORM, ("Origin", origin)]
        return await self._send("POST", target, headers, encoded(values).encode())

    async def sign_in(self, role: str = "manager", password: str = PASSWORD, target: str = "/account") -> HttpReply:
        values = {"email": f"{role}@example.com", "password": password, "next": target}
        return await self.post("/sign-in", values)

    async def consent(self, page: HttpReply, decision: str = "allow", **changes: str | Sequence[str]) -> HttpReply:
        """Send the page's form, with what the person changed in it."""
        form = next(each for each in forms(page) if each.action == "/consent")
        return await self.post("/consent", {**form.values, "decision": decision, **changes})

    async def _send(self, method: str, target: str, headers: list[tuple[str, str]], body: bytes = b"") -> HttpReply:
        mine = [("Host", "tools.example"), ("Accept-Language", self.language), *headers]
        if self.cookies:
            mine.append(("Cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items())))
        reply = await AsgiClient(cast(AsgiApp, self.faces.rest_app)).request(method, target, mine, body)
        assert reply is not None
        for name, value in reply.headers:
            if name == "set-cookie":
                self.set_cookie.append(value)
                for each in SimpleCookie(value).values():
                    self.cookies[each.key] = each.value
        return reply


@dataclass
class Program:
    """A client of the issuer: what it sends, byte for byte."""

    faces: Faces
    client_id: str = ""
    secret: str | None = None

    async def register(self, **metadata: Any) -> HttpReply:
        said = {"client_name": "Um Programa", "redirect_uris": [REDIRECT_URI], "application_type": "native", **metadata}
        reply = await self.send("POST", "/register", [("Content-Type", "application/json")], json.dumps(said).encode())
        if reply.status == 201:
            self.client_id, self.secret = reply.json()["client_id"], reply.json().get("client_secret")
        return reply

    def authorize(self, **changes: str | Sequence[str] | None) -> str:
        """The target of an authorization request that is good, but for the changes."""
        parameters: dict[str, str | Sequence[str] | None] = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": REDIRECT_URI,
            "code_challenge": challenge(),
            "code_challenge_method": "S256",
            "state": "the-state",
            "resource": MCP_RESOURCE,
            "scope": "kadu.read kadu.tasks.run",
            **changes,
        }
        return f"/authorize?{encoded(parameters)}"

    async def code(self, role: str = "manager", **changes: str | Sequence[str] | None) -> str:
        """A code that a person just allowed, who has a password."""
        browser = Browser(self.faces)
        await browser.sign_in(role)
        page = await browser.get(self.authorize(**changes))
        return answered(await browser.consent(page))["code"]

    async def token(self, **parameters: str | Sequence[str] | None) -> HttpReply:
        """The token endpoint, as this client."""
        return await self.form("/token", parameters)

    async def redeem(self, code: str, **changes: str | Sequence[str] | None) -> HttpReply:
        good = {"grant_type": "authorization_code", "redirect_uri": REDIRECT_URI, "code_verifier": VERIFIER}
        return await self.token(code=code, resource=MCP_RESOURCE, **{**good, **changes})

    async def refresh(self, token: str, **changes: str | Sequence[str] | None) -> HttpReply:
        return await self.token(grant_type="refresh_token", refresh_token=token, **changes)

    async def revoke(self, token: str, **changes: str | Sequence[str] | None) -> HttpReply:
        return await self.form("/revoke", {"token": token, **changes})

    async def form(self, target: str, parameters: Parameters) -> HttpReply:
        own: dict[str, str | Sequence[str] | None] = {"client_id": self.client_id, "client_secret": self.secret}
        return await self.send("POST", target, [FORM], encoded({**own, **parameters}).encode())

    async def send(
        self, method: str, target: str, headers: Sequence[tuple[str, str]] = (), body: bytes = b""
    ) -> HttpReply:
        reply = await AsgiClient(cast(AsgiApp, self.faces.rest_app)).request(
            method, target, [("Host", "tools.example"), *headers], body
        )
        assert reply is not None
        return reply


def answered(reply: HttpReply) -> dict[str, str]:
    """What the authorization response says to the client, which got it at its own redirect URI."""
    assert reply.status == 303, reply.body
    location = reply.header("Location") or ""
    assert location.startswith((REDIRECT_URI, "https://")), location
    said = parse_qsl(urlsplit(location).query, keep_blank_values=True)
    assert len(dict(said)) == len(said)
    assert dict(said)["iss"] == PUBLIC_URL
    return dict(said)
