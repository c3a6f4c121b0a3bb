"""What an authorization request may ask, and where its faults are told: at the client, or to the person."""

from datetime import timedelta
from typing import Any

import pytest

from tests.support.faces import PUBLIC_URL
from tests.support.sign_in import REDIRECT_URI, Browser, Program, answered, forms

DOCUMENT_URL = "https://client.example/oauth/metadata.json"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"resource": "https://another.example"}, "invalid_target"),
        ({"resource": "http://mcp.example.evil"}, "invalid_target"),
        ({"resource": ["http://mcp.example", "https://another.example"]}, "invalid_target"),
        ({"scope": "nobody.knows.this"}, "invalid_scope"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "code token"}, "unsupported_response_type"),
    ],
)
async def test_a_fault_goes_back_to_the_client_with_state_and_issuer(
    sqlite_program: Program, changes: dict[str, Any], error: str
) -> None:
    reply = await Browser(sqlite_program.faces).get(sqlite_program.authorize(**changes))
    said = answered(reply)
    assert (said["error"], said["state"], said["iss"]) == (error, "the-state", PUBLIC_URL)
    assert "code" not in said


@pytest.mark.parametrize(
    "changes",
    [
        {"redirect_uri": "https://evil.example/callback"},
        {"redirect_uri": "http://127.0.0.1:7777/callback/"},
        {"redirect_uri": "http://127.0.0.1:7777/callback?x=1"},
        {"redirect_uri": "http://127.0.0.1.evil.example/callback"},
        {"redirect_uri": "http://127.0.0.1:7777@evil.example/callback"},
        {"redirect_uri": "http://localhost:7777/callback"},
        {"redirect_uri": "javascript:alert(1)"},
        {"redirect_uri": "http://127.0.0.1:99999/callback"},
        {"client_id": "nobody"},
        {"client_id": None},
        {"client_id": "x" * 5000},
        {"client_id": "with a \x00 in it"},
        {"client_id": "https://unpublished.example/metadata.json"},
    ],
)
async def test_where_the_client_is_in_doubt_the_person_is_told_and_nobody_is_redirected(
    program: Program, changes: dict[str, Any]
) -> None:
    reply = await Browser(program.faces).get(program.authorize(**changes))
    assert reply.status == 400
    assert reply.header("Location") is None
    assert (reply.header("Content-Type") or "").startswith("text/html")
    assert b"evil" not in reply.body
    assert b"cannot be answered" in reply.body


@pytest.mark.parametrize("name", ["client_id", "redirect_uri", "state", "scope", "code_challenge"])
async def test_a_parameter_that_came_twice_is_never_a_way_through(sqlite_program: Program, name: str) -> None:
    target = f"{sqlite_program.authorize()}&{name}=other"
    reply = await Browser(sqlite_program.faces).get(target)
    assert reply.status in (303, 400)
    if reply.status == 303 and (reply.header("Location") or "").startswith(REDIRECT_URI):
        assert answered(reply)["error"] == "invalid_request"
    else:
        assert reply.status == 400


@pytest.mark.parametrize("port", [1, 7777, 55555])
async def test_d18_a_loopback_port_is_the_programs_choice_and_the_path_is_not(
    sqlite_program: Program, browser: Browser, port: int
) -> None:
    here = f"http://127.0.0.1:{port}/callback"
    page = await browser.get(sqlite_program.authorize(redirect_uri=here))
    assert page.status == 200
    reply = await browser.consent(page)
    assert (reply.header("Location") or "").startswith(f"{here}?")
    elsewhere = await browser.get(sqlite_program.authorize(redirect_uri=f"http://127.0.0.1:{port}/elsewhere"))
    assert elsewhere.status == 400


@pytest.mark.parametrize(
    "resource", ["http://mcp.example", "http://mcp.example/", "HTTP://MCP.EXAMPLE:80/", None, ["http://mcp.example"]]
)
async def test_every_spelling_of_the_resource_is_it(
    sqlite_program: Program, browser: Browser, resource: str | None
) -> None:
    assert (await browser.get(sqlite_program.authorize(resource=resource))).status == 200


@pytest.mark.parametrize("scope", [None, "", "openid", "openid offline_access"])
async def test_who_names_no_scope_of_ours_is_asked_about_those_for_a_start(
    sqlite_program: Program, browser: Browser, scope: str | None
) -> None:
    page = await browser.get(sqlite_program.authorize(scope=scope))
    ticked = forms(page)[0].values["scope"]
    assert {"kadu.tasks.read", "kadu.tasks.run"} <= set(ticked)
    assert "kadu.tasks.write" not in ticked


async def test_unknown_scopes_beside_known_ones_are_left_out(sqlite_program: Program, browser: Browser) -> None:
    page = await browser.get(sqlite_program.authorize(scope="kadu.tasks.read mcp:whatever"))
    assert forms(page)[0].values["scope"] == ["kadu.tasks.read"]


def _document(**changes: Any) -> dict[str, Any]:
    said = {
        "client_id": DOCUMENT_URL,
        "client_name": "Programa Publicado",
        "redirect_uris": [REDIRECT_URI],
        "token_endpoint_auth_method": "none",
        **changes,
    }
    return {name: value for name, value in said.items() if value is not None}


async def test_d19_a_client_is_known_by_its_metadata_document_alone(program: Program) -> None:
    program.faces.documents.published[DOCUMENT_URL] = _document()
    published = Program(program.faces, DOCUMENT_URL)
    browser = Browser(program.faces)
    await browser.sign_in()
    page = await browser.get(published.authorize())
    assert page.status == 200
    assert b"Programa Publicado" in page.body
    assert b"client.example" in page.body
    code = answered(await browser.consent(page))["code"]
    assert (await published.redeem(code)).status == 200


@pytest.mark.parametrize(
    "changes",
    [
        {"client_id": "https://client.example/another.json"},
        {"client_id": None},
        {"redirect_uris": []},
        {"redirect_uris": ["http://evil.example/callback"]},
        {"redirect_uris": "http://127.0.0.1/callback"},
        {"token_endpoint_auth_method": "client_secret_basic"},
        {"token_endpoint_auth_method": "private_key_jwt"},
        {"client_secret": "secret"},
        {"grant_types": ["client_credentials"]},
    ],
)
async def test_d19_a_document_that_is_unfit_is_told_to_the_person(
    sqlite_program: Program, changes: dict[str, Any]
) -> None:
    sqlite_program.faces.documents.published[DOCUMENT_URL] = _document(**changes)
    reply = await Browser(sqlite_program.faces).get(Program(sqlite_program.faces, DOCUMENT_URL).authorize())
    assert reply.status == 400
    assert reply.header("Location") is None


async def test_d19_a_document_is_kept_as_long_as_it_is_fresh_and_used_while_its_server_is_down(
    sqlite_program: Program, browser: Browser
) -> None:
    documents = sqlite_program.faces.documents
    documents.published[DOCUMENT_URL], documents.fresh_seconds = _document(), 600
    published = Program(sqlite_program.faces, DOCUMENT_URL)
    for _ in range(3):
        assert (await browser.get(published.authorize())).status == 200
    assert documents.fetched == [DOCUMENT_URL]
    sqlite_program.faces.clock.advance(timedelta(minutes=11))
    documents.is_down = True
    assert (await browser.get(published.authorize())).status == 200
    assert documents.fetched == [DOCUMENT_URL] * 2
    documents.is_down = False
    del documents.published[DOCUMENT_URL]
    assert (await browser.get(published.authorize())).status == 400


@pytest.mark.parametrize(
    ("metadata", "error"),
    [
        ({"redirect_uris": ["http://evil.example/callback"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example/#fragment"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://user@a.example/"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["javascript:alert(1)"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["data:text/html,x"]}, "invalid_redirect_uri"),
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": "https://a.example/"}, "invalid_redirect_uri"),
        ({"redirect_uris": [7]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example/"] * 21}, "invalid_redirect_uri"),
        ({"grant_types": ["client_credentials"]}, "invalid_client_metadata"),
        ({"response_types": ["token"]}, "invalid_client_metadata"),
        ({"token_endpoint_auth_method": "private_key_jwt"}, "invalid_client_metadata"),
        ({"application_type": "other"}, "invalid_client_metadata"),
    ],
)
async def test_a_registration_that_is_unfit_says_what_to_change(
    sqlite_program: Program, metadata: dict[str, Any], error: str
) -> None:
    reply = await Program(sqlite_program.faces).register(**metadata)
    assert (reply.status, reply.json()["error"]) == (400, error)
    assert reply.json()["error_description"]


@pytest.mark.parametrize("body", [b"", b"[]", b"7", b"{", b"\xff", b"[" * 100_000])
async def test_what_is_no_registration_at_all_is_refused(sqlite_program: Program, body: bytes) -> None:
    reply = await sqlite_program.send("POST", "/register", [("Content-Type", "application/json")], body)
    assert (reply.status, reply.json()["error"]) == (400, "invalid_client_metadata")


@pytest.mark.parametrize(
    "uri", ["https://claude.ai/api/mcp/auth_callback", "http://localhost:3118/cb", "http://[::1]/cb", "cursor://a/cb"]
)
async def test_the_redirect_uris_of_known_clients_can_be_registered(sqlite_program: Program, uri: str) -> None:
    reply = await Program(sqlite_program.faces).register(redirect_uris=[uri])
    assert reply.status == 201
    assert reply.json()["redirect_uris"] == [uri]


@pytest.mark.parametrize("path", ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"])
async def test_discovery_names_what_is_there(sqlite_program: Program, path: str) -> None:
    reply = await sqlite_program.send("GET", path, [("Origin", "https://inspector.example")])
    said = reply.json()
    assert reply.header("Access-Control-Allow-Origin") == "*"
    assert said["issuer"] == PUBLIC_URL
    assert said["code_challenge_methods_supported"] == ["S256"]
    assert said["client_id_metadata_document_supported"] is True
    for name in ("authorization", "token", "registration", "revocation"):
        target = said[f"{name}_endpoint"].removeprefix(PUBLIC_URL)
        method = "GET" if name == "authorization" else "POST"
        assert (await sqlite_program.send(method, target)).status not in (404, 405)
    keys = await sqlite_program.send("GET", said["jwks_uri"].removeprefix(PUBLIC_URL))
    assert all("d" not in key for key in keys.json()["keys"])
