"""What people see without signing in: how to connect, and the right words where they went wrong."""

import re

import pytest

from mcp_frontend.web.html import FOLDER
from mcp_frontend.web.known_clients import known_clients
from mcp_frontend.web.words import WORDS
from tests.support.front_end import FrontEnd
from tests.support.issuer import RESOURCE

HTML = ("Accept", "text/html,application/xhtml+xml")


async def test_the_page_shows_the_address_and_every_client() -> None:
    reply = await FrontEnd().http("GET", "/connect", headers=[HTML])
    page = reply.body.decode()
    assert reply.status == 200
    assert f'<pre id="address" tabindex="0">{RESOURCE}</pre>' in page
    for client in known_clients(RESOURCE):
        assert f"<h2>{client.named('pt-BR')}</h2>" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'data-copies="([^"]+)"', page)) <= set(ids)


@pytest.mark.parametrize(
    ("headers", "query", "word"),
    [
        ([], "", "Endereço"),
        ([("Accept-Language", "en-GB,en;q=0.8")], "", "Address"),
        ([("Accept-Language", "pt-PT")], "", "Endereço"),
        ([("Accept-Language", "de")], "", "Endereço"),
        ([], "?lang=en", "Address"),
        ([("Accept-Language", "en")], "?lang=pt-BR", "Endereço"),
        ([("Accept-Language", "en")], "?lang=xx", "Address"),
    ],
)
async def test_it_speaks_the_language_of_whoever_reads(headers: list[tuple[str, str]], query: str, word: str) -> None:
    page = (await FrontEnd().http("GET", f"/connect{query}", headers=[HTML, *headers])).body.decode()
    assert word in page
    assert f'<html lang="{"en" if word == "Address" else "pt-BR"}">' in page


@pytest.mark.parametrize("url", ["https://mcp.example", "https://mcp.example/a'b\"<c>&d"])
def test_every_snippet_of_every_client_names_the_server(url: str) -> None:
    for client in known_clients(url):
        assert any(step.snippet or step.link or step.text for step in client.steps)
    snippets = [step.snippet for client in known_clients("https://mcp.example") for step in client.steps]
    assert sum("https://mcp.example" in snippet for snippet in snippets) >= 7


async def test_an_address_of_this_computer_comes_with_a_warning() -> None:
    local = FrontEnd(settings={"MCP_FRONTEND_PUBLIC_URL": "http://127.0.0.1:8000"})
    assert "só existe neste computador" in (await local.http("GET", "/connect")).body.decode()
    assert "só existe neste computador" not in (await FrontEnd().http("GET", "/connect")).body.decode()


async def test_a_person_who_opens_the_endpoint_hears_what_it_is_for() -> None:
    reply = await FrontEnd().http("GET", "/", headers=[HTML])
    assert (reply.status, reply.header("Allow")) == (405, "POST, OPTIONS")
    assert 'href="/connect"' in reply.body.decode()


@pytest.mark.parametrize(
    "accept", ["application/json, text/event-stream", "text/event-stream", "*/*", "text/html, text/event-stream"]
)
async def test_a_program_that_opens_the_endpoint_hears_json(accept: str) -> None:
    reply = await FrontEnd().http("GET", "/", headers=[("Host", "mcp.example"), ("Accept", accept)])
    assert reply.status == 405
    assert reply.header("Content-Type") == "application/json"


async def test_a_person_at_a_wrong_address_gets_a_page() -> None:
    reply = await FrontEnd().http("GET", "/conect", headers=[HTML])
    assert reply.status == 404
    assert "Não há nada aqui" in reply.body.decode()


@pytest.mark.parametrize("target", ["/connect", "/", "/nothing", "/signed-in"])
async def test_every_page_is_fenced_in(target: str) -> None:
    reply = await FrontEnd().http("GET", target, headers=[HTML])
    policy = reply.header("Content-Security-Policy") or ""
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert reply.header("Referrer-Policy") == "same-origin"
    assert not re.search(r"<script>|style=| on[a-z]+=|src=\"http", reply.body.decode())


@pytest.mark.parametrize("name", ["kadu.css", "kadu.svg", "copy.js"])
async def test_assets_are_our_own(name: str) -> None:
    reply = await FrontEnd().http("GET", f"/assets/{name}")
    assert reply.status == 200
    assert reply.body == (FOLDER / "static" / name).read_bytes()


@pytest.mark.parametrize("name", ["..%2Fhtml.py", "%2Fetc%2Fpasswd", "nothing.css"])
async def test_there_are_no_other_assets(name: str) -> None:
    assert (await FrontEnd().http("GET", f"/assets/{name}")).status == 404


def test_the_pages_of_both_services_look_alike() -> None:
    issuer = FOLDER.parents[1] / "tool_service" / "authorization_server" / "web" / "static"
    for name in ("kadu.css", "kadu.svg"):
        assert (FOLDER / "static" / name).read_bytes() == (issuer / name).read_bytes(), "copy the one onto the other"


def test_no_word_hides_behind_a_method_of_its_dictionary() -> None:
    # A template asks for words.copy and gets the method.
    assert [name for name in WORDS if hasattr(WORDS, name)] == []
