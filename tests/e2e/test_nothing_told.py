"""A whole visit, of which everything is read: each secret stands in the one answer that gives it, and nowhere else.

That no process wrote one to its log is asserted whenever a stack ends, on every level that runs one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import mcp_types as types
import pytest

from tests.support.http_sign_in import PersonAtBrowser
from tests.support.official_client import Kept, signed_in
from tests.support.secrets_told import secrets_in
from tests.support.stack import Stack
from tool_service.local import demo

TOKENS = ("access_token", "refresh_token")


@dataclass
class Heard:
    """Every answer to this process, by where it came from."""

    answers: list[tuple[str, httpx2.Response]] = field(default_factory=list)

    def bodies(self, where: str) -> Iterator[dict[str, Any]]:
        yield from (answer.json() for origin, answer in self.answers if origin == where and answer.content)

    def hold(self, request: httpx2.Request, answer: httpx2.Response) -> None:
        self.answers.append((f"{request.method} {request.url.path}", answer))

    def found(self, secret: str) -> set[tuple[str, str]]:
        """Where it was told, and in which part: a header's name, or the body."""
        return {
            (origin, part)
            for origin, answer in self.answers
            for part, text in (*answer.headers.multi_items(), ("body", answer.text))
            if secret in text
        }


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    heard = Heard()
    send, send_async = httpx2.HTTPTransport.handle_request, httpx2.AsyncHTTPTransport.handle_async_request

    def listen(self: httpx2.HTTPTransport, request: httpx2.Request) -> httpx2.Response:
        answer = send(self, request)
        answer.read()
        heard.hold(request, answer)
        return answer

    async def listen_async(self: httpx2.AsyncHTTPTransport, request: httpx2.Request) -> httpx2.Response:
        answer = await send_async(self, request)
        await answer.aread()
        heard.hold(request, answer)
        return answer

    monkeypatch.setattr(httpx2.HTTPTransport, "handle_request", listen)
    monkeypatch.setattr(httpx2.AsyncHTTPTransport, "handle_async_request", listen_async)
    return heard


async def yes(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={"confirm": True})


async def test_each_secret_stands_in_the_one_answer_that_gives_it(stack: Stack, heard: Heard) -> None:
    person, kept = PersonAtBrowser(stack.issuer, demo.OPERATOR), Kept()
    async with signed_in(stack.mcp_url, person, kept, asked=yes) as (client, context):
        await client.call_tool("kadu_tasks_run", {"id": "resumo-de-extrato", "idempotency_key": "nothing-told"})
        context.token_expiry_time = 1
        await client.list_tools()
    async with httpx2.AsyncClient(base_url=stack.issuer, trust_env=False) as browser:
        for target in ("/account", "/.well-known/oauth-authorization-server", "/jwks.json"):
            await browser.get(target)
    given = [body for body in heard.bodies("POST /token") if "access_token" in body]
    states = [
        body["result"]["requestState"] for body in heard.bodies("POST /") if "requestState" in body.get("result", ())
    ]
    codes = [
        parse_qs(urlsplit(answer.headers["Location"]).query)["code"][0]
        for origin, answer in heard.answers
        if origin == "POST /consent"
    ]
    assert (len(given), len(states), len(codes)) == (2, 1, 1)
    for secret in (each[name] for each in given for name in TOKENS):
        assert heard.found(secret) == {("POST /token", "body")}
    for secret in states:
        assert heard.found(secret) == {("POST /", "body")}
    for secret in codes:
        assert heard.found(secret) == {("POST /consent", "location")}
    assert heard.found(demo.PASSWORD) == set()
    # What is looked for in the logs would be recognized there.
    for secret in (*(each[name] for each in given for name in TOKENS), *states, *codes, demo.PASSWORD):
        assert secrets_in(f'{{"event": "{secret}"}}')
