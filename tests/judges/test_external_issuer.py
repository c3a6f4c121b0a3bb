"""People sign in at an OpenID Connect server that we did not write, for their client and for our own pages."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

import httpx2
import pytest

from tests.judges.npm import node, program
from tests.support.browse import led_to
from tests.support.official_client import Kept, signed_in, tools
from tests.support.server_process import free_port, server
from tests.support.sign_in import REDIRECT_URI
from tests.support.stack import Stack, running
from tool_service.local import demo

PAGES_CLIENT, PAGES_SECRET = "pages-of-kadu", "a-secret-between-the-pages-and-the-issuer"


@dataclass(frozen=True, slots=True)
class PersonElsewhere:
    """Signs in under a name at somebody else's issuer, and agrees to everything there."""

    login: str

    def answer(self, authorization_url: str) -> dict[str, str]:
        with httpx2.Client(trust_env=False) as browser:
            return dict(parse_qsl(urlsplit(self.walk(browser, authorization_url, REDIRECT_URI)).query))

    def walk(self, browser: httpx2.Client, url: str, until: str) -> str:
        return led_to(browser, url, {"login": self.login, "password": "any"}, until)


@pytest.fixture(scope="module")
def stack(packages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack whose people sign in elsewhere, with one of them invited."""
    folder, issuer = tmp_path_factory.mktemp("elsewhere-stack"), f"http://127.0.0.1:{free_port()}"
    environment = {
        "TOOL_SERVICE_ISSUER": issuer,
        "MCP_FRONTEND_ISSUER": issuer,
        "MCP_FRONTEND_CLIENT_ID": PAGES_CLIENT,
        "MCP_FRONTEND_CLIENT_SECRET": PAGES_SECRET,
    }
    pages = {"clientId": PAGES_CLIENT, "clientSecret": PAGES_SECRET}
    with running(folder, environment=environment) as stack:
        told = {
            "issuer": issuer,
            "resource": stack.mcp_url,
            "pages": {**pages, "redirectUri": f"{stack.mcp_url}/signed-in"},
        }
        command = [node(), program("somebody_elses_issuer.mjs"), json.dumps(told)]
        with server(
            command,
            f"{issuer}/.well-known/openid-configuration",
            tmp_path_factory.mktemp("somebody-elses-issuer") / "issuer.log",
        ):
            for login in ("ana", "unverified"):
                stack.run(
                    *f"member create {login}@example.com --name {login} --invited".split(),
                    "--organization",
                    str(demo.OPERATOR.organization.id),
                )
            yield stack


async def test_the_url_is_enough_for_somebody_who_was_invited(stack: Stack) -> None:
    person, kept = PersonElsewhere("ana"), Kept()
    async with signed_in(stack.mcp_url, person, kept) as (client, context):
        assert not (await client.call_tool("kadu_tasks_list", {})).is_error
        listed = await tools(client)
        # The token says kadu.manage as well; what she may do is Kadu's own to say, where she is a viewer.
        assert "kadu_tasks_list" in listed
        assert "kadu_tasks_run" not in listed
        context.token_expiry_time = 1
        assert await tools(client) == listed
    assert len(kept.all_tokens) == 2


@pytest.mark.parametrize("login", ["stranger", "unverified"])
async def test_nobody_else_gets_in(stack: Stack, login: str) -> None:
    kept = Kept()
    with pytest.raises(ExceptionGroup):
        async with signed_in(stack.mcp_url, PersonElsewhere(login), kept):
            """Nothing: it does not come to it."""
    assert kept.tokens is not None
    async with httpx2.AsyncClient(trust_env=False) as http:
        headers = {"Authorization": f"Bearer {kept.tokens.access_token}"}
        refused = await http.post(stack.mcp_url, headers=headers, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert refused.status_code == 401, refused.text
    assert "no active member" in refused.json()["error"]["message"]


async def test_the_pages_sign_in_there_as_well(stack: Stack) -> None:
    account = f"{stack.mcp_url}/account"

    def visit() -> httpx2.Response:
        with httpx2.Client(trust_env=False) as browser:
            PersonElsewhere("ana").walk(browser, f"{stack.mcp_url}/login?next=/account", account)
            return browser.get(account)

    page = await asyncio.to_thread(visit)
    assert page.status_code == 200
    assert "ana@example.com" in page.text


async def test_the_document_of_the_endpoint_names_it(stack: Stack) -> None:
    async with httpx2.AsyncClient(trust_env=False) as http:
        document = (await http.get(f"{stack.mcp_url}/.well-known/oauth-protected-resource")).json()
    assert document["authorization_servers"] == [stack.extra_environment["MCP_FRONTEND_ISSUER"]]
