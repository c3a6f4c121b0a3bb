"""Two front ends and two tool services on PostgreSQL, of which one dies in every round while a person confirms.

However many retries, clicks and deaths: one yes is one execution, one no is none, and everybody who asked ends up
knowing which.
"""

import asyncio
import json
import os
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
import sqlalchemy as sa

from tests.support.asgi_client import HttpReply
from tests.support.browse import led_to
from tests.support.sign_in import forms
from tests.support.stack import Stack
from tests.support.wire import CAPABILITIES_KEY, EMPTY_OBJECT, ENVELOPE, stateless
from tool_service.db.engine import Database
from tool_service.db.tables import executions
from tool_service.local import demo

# `make nightly` asks for a hundred.
ROUNDS = int(os.environ.get("KADU_DEATHS", "40"))
AT_ONCE = 50
GIVES_UP_AFTER_SECONDS = 90
FATAL_WITHIN_SECONDS = 0.4
CAN_ASK = {**ENVELOPE, CAPABILITIES_KEY: {"elicitation": EMPTY_OBJECT}}
YES = {"confirm": {"action": "accept", "content": {"confirm": True}}}
TASK = {"id": "resumo-de-extrato", "message": "Resuma."}
OVER = ("Feito", "Cancelado", "Não deu certo", "O prazo acabou")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two replicas of each service behind one public URL."""

    first: Stack
    second: Stack

    @property
    def processes(self) -> list[tuple[Stack, str]]:
        return [(stack, name) for stack in (self.first, self.second) for name in ("tool_service", "mcp_frontend")]


@pytest.fixture(scope="module")
def pair(postgres_stack: Stack) -> Iterator[Pair]:
    names = {
        **postgres_stack.extra_environment,
        "TOOL_SERVICE_PUBLIC_URL": postgres_stack.issuer,
        "TOOL_SERVICE_MCP_RESOURCE": postgres_stack.mcp_url,
        "MCP_FRONTEND_PUBLIC_URL": postgres_stack.mcp_url,
        "MCP_FRONTEND_ISSUER": postgres_stack.issuer,
    }
    folder = postgres_stack.folder / "second"
    folder.mkdir()
    (folder / "keys").symlink_to(postgres_stack.folder / "keys")
    second = Stack(folder, postgres_stack.database_url, True, names)
    try:
        for name in ("tool_service", "mcp_frontend"):
            second.start(name)
        for name in ("tool_service", "mcp_frontend"):
            second.wait_until_ready(name)
        yield Pair(postgres_stack, second)
    finally:
        second.stop_all()
        for name in ("tool_service", "mcp_frontend"):
            postgres_stack.wait_until_ready(name)


def sign_in(stack: Stack) -> httpx2.Cookies:
    with httpx2.Client(trust_env=False, timeout=30) as browser:
        typed = {"email": demo.OPERATOR.email, "password": demo.PASSWORD}
        led_to(browser, f"{stack.mcp_url}/login?next=/approvals", typed, f"{stack.mcp_url}/approvals")
        return browser.cookies


@dataclass
class Everybody:
    """The clients and the browser of one person, each of whose requests goes to either front end."""

    pair: Pair
    http: httpx2.AsyncClient
    dice: random.Random

    async def call(self, arguments: dict[str, Any], meta: dict[str, Any], **more: Any) -> dict[str, Any]:
        """The result of kadu_tasks_run, asked for again until the product answers and not its absence."""
        message = stateless("tools/call", {"name": "kadu_tasks_run", "arguments": arguments, **more}, meta=meta)
        token = self.pair.first.token(demo.OPERATOR)
        headers = {
            **{name.decode(): value.decode() for name, value in message.headers},
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
        }
        response = await self._until_answered(
            lambda url: self.http.post(url, headers={**headers, **self._host}, content=message.body)
        )
        result: dict[str, Any] = response.json()["result"]
        return result

    async def press(self, link: str, form: dict[str, list[str]], decision: str) -> None:
        """One click, which may get lost on its way."""
        path = link.removeprefix(self.pair.first.mcp_url)
        await self._until_answered(
            lambda url: self.http.post(
                f"{url}{path}",
                data={**form, "decision": decision},
                headers={"Origin": self.pair.first.mcp_url, **self._host},
            ),
            good={303},
        )

    async def page(self, link: str) -> str:
        path = link.removeprefix(self.pair.first.mcp_url)
        return (await self._until_answered(lambda url: self.http.get(f"{url}{path}", headers=self._host))).text

    async def outcome_on_page(self, link: str) -> str:
        """The heading of the page once it is over."""
        deadline = time.monotonic() + GIVES_UP_AFTER_SECONDS
        while True:
            heading = (await self.page(link)).split("<h1>")[1].split("</h1>")[0]
            if heading in OVER:
                return heading
            assert time.monotonic() < deadline, heading
            await asyncio.sleep(0.2)

    @property
    def _host(self) -> dict[str, str]:
        return {"Host": self.pair.first.mcp_url.removeprefix("http://")}

    async def _until_answered(
        self, send: Callable[[str], Awaitable[httpx2.Response]], good: frozenset[int] | set[int] = frozenset({200})
    ) -> httpx2.Response:
        deadline = time.monotonic() + GIVES_UP_AFTER_SECONDS
        while True:
            url = self.dice.choice((self.pair.first, self.pair.second)).mcp_url
            try:
                response = await send(url)
            except httpx2.TransportError:
                response = None
            if response is not None and response.status_code not in {401, 503} and not _in_progress(response):
                assert response.status_code in good, response.text
                return response
            assert time.monotonic() < deadline, response
            await asyncio.sleep(0.1)


def _in_progress(response: httpx2.Response) -> bool:
    """Another try still holds the key: as the answer says, the same call again in a moment."""
    return b"idempotency_key_in_progress" in response.content


async def in_the_chat(everybody: Everybody, story: str) -> int:
    """Fifty retries of one accepted question; how many executions there must be."""
    arguments = {**TASK, "external_id": story}
    asked = await everybody.call(arguments, CAN_ASK)
    answers = {"requestState": asked["requestState"], "inputResponses": YES}
    results = await asyncio.gather(*(everybody.call(arguments, CAN_ASK, **answers) for _ in range(AT_ONCE)))
    assert {each.get("isError", False) for each in results} == {False}, results[0]
    assert len({json.loads(each["content"][0]["text"])["data"]["id"] for each in results}) == 1
    return 1


async def by_link(everybody: Everybody, story: str, decisions: tuple[str, ...]) -> int:
    """Fifty clicks on the buttons of one page; how many executions there must be."""
    arguments = {**TASK, "external_id": story}
    told = json.loads((await everybody.call(arguments, ENVELOPE))["content"][0]["text"])
    link = told["data"]["approval_url"]
    page = await everybody.page(link)
    form = next(each for each in forms(HttpReply(200, (), page.encode())) if each.action.startswith("/approvals/"))
    clicks = [decisions[number % len(decisions)] for number in range(AT_ONCE)]
    await asyncio.gather(*(everybody.press(link, form.values, decision) for decision in clicks))
    headings = set(await asyncio.gather(*(everybody.outcome_on_page(link) for _ in range(4))))
    assert len(headings) == 1
    # The model repeats the call when its person says that it is done, and hears the same.
    repeated = await everybody.call(arguments, ENVELOPE)
    data = json.loads(repeated["content"][0]["text"])
    if headings == {"Feito"}:
        assert data["data"]["status"] in {"queued", "running"}, data
        return 1
    assert headings == {"Cancelado"}
    assert data["errors"][0]["code"] == "confirmation_declined"
    return 0


async def one_round(everybody: Everybody, number: int) -> int:
    story = f"confirming-{number}"
    match number % 3:
        case 0:
            return await in_the_chat(everybody, story)
        case 1:
            return await by_link(everybody, story, ("continue",))
        case _:
            return await by_link(everybody, story, ("continue", "cancel"))


async def _runs(pair: Pair) -> dict[str, int]:
    database = Database(pair.first.database_url)
    async with database.begin(write=False) as connection:
        counted = (
            sa.select(executions.c.external_id, sa.func.count())
            .where(executions.c.external_id.like("confirming-%"))
            .group_by(executions.c.external_id)
        )
        found = {row[0]: int(row[1]) for row in (await connection.execute(counted)).all()}
    await database.close()
    return found


@pytest.mark.timeout(1500)
async def test_one_yes_is_one_run_whatever_dies_and_everybody_hears_of_it(pair: Pair) -> None:
    dice = random.Random(20261207)
    cookies = await asyncio.to_thread(sign_in, pair.first)
    expected: dict[str, int] = {}
    limits = httpx2.Limits(max_connections=AT_ONCE)
    async with httpx2.AsyncClient(cookies=cookies, timeout=20, trust_env=False, limits=limits) as http:
        everybody = Everybody(pair, http, dice)
        for number in range(ROUNDS):
            stack, victim = dice.choice(pair.processes)

            def kill(stack: Stack = stack, victim: str = victim) -> None:
                stack.kill(victim)
                stack.start(victim)

            asyncio.get_running_loop().call_later(dice.uniform(0, FATAL_WITHIN_SECONDS), kill)
            # The next death does not wait for this one to be over: both replicas may be gone for a moment.
            expected[f"confirming-{number}"] = await one_round(everybody, number)
    ran = await _runs(pair)
    assert {name: ran.get(name, 0) for name in expected} == expected
