"""Reports about challenges, metadata, audiences and scopes."""

import re
from urllib.parse import urlsplit

import pytest

from tests.support.asgi_client import HttpReply
from tests.support.front_end import FrontEnd
from tests.support.whole_wire import WholeWire

LIST = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'


def parameters(reply: HttpReply) -> dict[str, str]:
    """What the one challenge says, read strictly: quoted ASCII, each name once."""
    header = reply.header("WWW-Authenticate") or ""
    assert re.fullmatch(r'Bearer [a-z_]+="[ -!#-\[\]-~]*"(, [a-z_]+="[ -!#-\[\]-~]*")*', header), header
    found = re.findall(r'([a-z_]+)="([^"]*)"', header)
    assert len({name for name, _ in found}) == len(found)
    return dict(found)


async def challenged(front_end: FrontEnd, token: str | None = None) -> HttpReply:
    line = [] if token is None else [("Authorization", f"Bearer {token}")]
    headers = [("Host", "mcp.example"), ("Content-Type", "application/json"), *line]
    reply = await front_end.http("POST", headers=headers, body=LIST)
    assert reply.status == 401
    return reply


@pytest.mark.parametrize("public_url", ["https://mcp.example", "https://mcp.example/kadu", "https://mcp.example:8443"])
async def test_d14_the_challenge_leads_to_a_document_of_the_url_that_people_type(public_url: str) -> None:
    front_end = FrontEnd(settings={"MCP_FRONTEND_PUBLIC_URL": public_url})
    challenge = parameters(await challenged(front_end))
    places = [urlsplit(challenge["resource_metadata"]).path, "/.well-known/oauth-protected-resource"]
    for place in places:
        document = await front_end.http("GET", place, headers=[("Host", "mcp.example")])
        assert document.status == 200
        assert document.json()["resource"] == public_url
        assert document.json()["authorization_servers"] == ["https://issuer.example"]


@pytest.mark.parametrize(
    "audience",
    [
        "https://mcp.example",
        "https://mcp.example/",
        "HTTPS://MCP.EXAMPLE",
        "https://mcp.example:443/",
        ["https://mcp.example/"],
    ],
)
async def test_d15_every_spelling_of_the_root_is_the_same_audience(audience: object) -> None:
    front_end = FrontEnd()
    reply = await front_end.http("POST", headers=front_end.headers(token=front_end.token(aud=audience)), body=LIST)
    assert reply.status == 200


@pytest.mark.parametrize(
    "audience",
    [
        "https://other.example",
        "https://mcp.example:8443",
        "https://mcp.example/kadu",
        "http://mcp.example",
        "https://mcp.example.evil.example",
    ],
)
async def test_d15_another_host_port_or_path_is_another_audience(audience: str) -> None:
    front_end = FrontEnd()
    assert parameters(await challenged(front_end, front_end.token(aud=audience)))["error"] == "invalid_token"


@pytest.mark.parametrize("token", [None, "x", "a.b.c", 'quo"te', "caf\xe9", "x" * 9000])
async def test_d16_there_is_one_challenge_with_every_parameter_once(token: str | None) -> None:
    assert "resource_metadata" in parameters(await challenged(FrontEnd(), token))


async def test_d20_the_challenge_names_what_the_call_needs_beside_what_the_token_has(wire: WholeWire) -> None:
    params = {"name": "kadu_tasks_create", "arguments": {"name": "Nova", "instructions": "Faça."}}
    refused = await wire.ask_2026("tools/call", params, scopes="kadu.tasks.read kadu.files.read")
    assert (refused.status, parameters(refused)["error"]) == (403, "insufficient_scope")
    scopes = parameters(refused)["scope"]
    assert {"kadu.tasks.read", "kadu.files.read", "kadu.tasks.write"} <= set(scopes.split())
    again = await wire.ask_2026("tools/call", params, scopes=scopes)
    assert (again.status, again.json()["result"].get("isError", False)) == (200, False)
    tools = {tool["name"] for tool in (await wire.ask_2026("tools/list", scopes=scopes)).json()["result"]["tools"]}
    assert {"kadu_tasks_list", "kadu_files_get", "kadu_tasks_create"} <= tools
