"""The HTTP manners of /api/v1: tokens, paths, methods, bodies and queries. What operations answer is told elsewhere."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import cast

import pytest

from mcp_frontend.web.asgi import AsgiApp
from tests.support import world
from tests.support.asgi_client import AsgiClient
from tests.support.faces import AUDIENCE, PUBLIC_URL, REGISTRY
from tests.support.rest_client import JSON, TASK, TASKS, Headers, RestClient, codes
from tool_service.rest_api.openapi import openapi_document
from tool_service.rest_api.server import BODY_LIMIT_BYTES, create_rest_app

UNBELIEVABLE: dict[str, Callable[[RestClient], Headers]] = {
    "two headers": lambda api: [("Authorization", f"Bearer {api.token()}")] * 2,
    "another scheme": lambda api: [("Authorization", f"Basic {api.token()}")],
    "no token": lambda api: [("Authorization", "Bearer")],
    "a token for MCP": lambda api: [("Authorization", f"Bearer {api.token(audience='http://mcp.example/')}")],
    "a changed token": lambda api: [("Authorization", f"Bearer {api.token()[:-4]}AAAA")],
    "a person of another organization": lambda api: [("Authorization", f"Bearer {api.token(person=world.STRANGER)}")],
}


@pytest.mark.parametrize("fault", UNBELIEVABLE)
async def test_a_token_that_proves_nothing_is_refused(api: RestClient, fault: str) -> None:
    reply = await api.send("GET", TASKS, UNBELIEVABLE[fault](api))
    assert codes(reply) == (401, ["unauthorized"])
    assert reply.header("WWW-Authenticate") == 'Bearer realm="kadu", error="invalid_token"'


async def test_who_sends_no_token_is_asked_for_one(api: RestClient) -> None:
    reply = await api.send("GET", TASKS)
    assert codes(reply) == (401, ["unauthorized"])
    assert reply.header("WWW-Authenticate") == 'Bearer realm="kadu"'


async def test_a_token_is_good_until_its_last_second(api: RestClient) -> None:
    headers = [("Authorization", f"Bearer {api.token()}")]
    api.faces.clock.advance(timedelta(seconds=3599))
    assert (await api.send("GET", TASKS, headers)).status == 200
    api.faces.clock.advance(timedelta(seconds=1))
    assert codes(await api.send("GET", TASKS, headers)) == (401, ["unauthorized"])


async def test_the_token_comes_before_the_body(api: RestClient) -> None:
    assert codes(await api.send("POST", TASKS, [JSON], b"{")) == (401, ["unauthorized"])


@pytest.mark.parametrize("target", ["/api", "/api/v1", "/api/v1/no_such", "/api/v2/tasks", "/tasks"])
async def test_a_path_that_is_none_is_not_found_in_the_house_shape(api: RestClient, target: str) -> None:
    assert codes(await api.ask("GET", target)) == (404, ["not_found"])


@pytest.mark.parametrize(
    ("method", "target", "allowed"),
    [
        ("PUT", TASKS, "GET, HEAD, POST"),
        ("OPTIONS", TASKS, "GET, HEAD, POST"),
        ("POST", TASK, "DELETE, GET, HEAD, PATCH"),
        ("GET", f"{TASK}/run", "POST"),
        ("TRACE", "/livez", "GET, HEAD"),
    ],
)
async def test_a_method_that_a_path_does_not_know_is_told_which_it_does(
    api: RestClient, method: str, target: str, allowed: str
) -> None:
    reply = await api.ask(method, target)
    assert codes(reply) == (405, ["method_not_allowed"])
    assert reply.header("Allow") == allowed


async def test_head_answers_the_head_of_get(api: RestClient) -> None:
    whole, head = await api.ask("GET", TASK), await api.ask("HEAD", TASK)
    assert (head.status, head.header("ETag"), head.header("Content-Type")) == (200, '"1"', "application/json")
    assert head.header("Content-Length") == str(len(whole.body))


@pytest.mark.parametrize("declared", [True, False])
async def test_a_body_over_one_mebibyte_is_refused_however_it_arrives(api: RestClient, declared: bool) -> None:
    body = b'{"name":"' + b"x" * BODY_LIMIT_BYTES
    length = [("Content-Length", str(len(body)))] if declared else []
    chunks = [body[:1000], body[1000:]]
    assert codes(await api.ask("POST", TASKS, [JSON, *length], chunks)) == (413, ["payload_too_large"])


async def test_a_body_of_one_mebibyte_is_read(api: RestClient) -> None:
    body = b'{"name":"' + b"x" * (BODY_LIMIT_BYTES - 11) + b'"}'
    assert len(body) == BODY_LIMIT_BYTES
    assert codes(await api.ask("POST", TASKS, [JSON], body)) == (422, ["validation_error", "validation_error"])


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", None])
async def test_a_body_that_is_not_called_json_is_refused(api: RestClient, content_type: str | None) -> None:
    headers: Headers = [] if content_type is None else [("Content-Type", content_type)]
    assert codes(await api.ask("POST", TASKS, headers, b"{}")) == (415, ["unsupported_media_type"])


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "Application/JSON", " application/json "])
async def test_json_is_known_however_it_is_spelled(api: RestClient, content_type: str) -> None:
    """Field report D06."""
    assert (await api.ask("PATCH", TASK, [("Content-Type", content_type)], b'{"name":"N"}')).status == 200


async def test_a_call_without_arguments_needs_no_body(api: RestClient) -> None:
    assert (await api.ask("PUT", f"/api/v1/files/{world.READY_FILE}/confirm")).status == 200


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b"null",
        b'"{}"',
        b'{"name":"a","name":"b"}',
        b'{"custom_data":{"a":1,"a":2}}',
        b'{"name":NaN}',
        b'{"name":"\\ud800"}',
        b'{"name":"\xff"}',
        b"\xff\xfe{\x00}\x00",
        b'{"custom_data":' * 10_000,
    ],
    ids=lambda body: repr(body[:20]),
)
async def test_a_body_that_two_readers_could_read_differently_is_malformed(api: RestClient, body: bytes) -> None:
    assert codes(await api.ask("POST", TASKS, [JSON], body)) == (400, ["bad_request"])


async def test_only_the_exact_name_of_a_field_counts(api: RestClient) -> None:
    """Field report D10."""
    reply = await api.ask("PATCH", TASK, [JSON], b'{"name":"N","Name":"M"}')
    assert [each["param"] for each in reply.json()["errors"]] == ["Name"]


async def test_an_id_comes_in_the_path_alone(api: RestClient) -> None:
    body = json.dumps({"id": str(world.BUSY_TASK), "name": "N"}).encode()
    reply = await api.ask("PATCH", TASK, [JSON], body)
    assert (codes(reply), reply.json()["errors"][0]["param"]) == ((422, ["validation_error"]), "id")


@pytest.mark.parametrize(
    ("method", "target", "wrong"),
    [
        ("GET", f"{TASKS}?limt=1&q=a&q=b", ["limt", "q"]),
        ("GET", f"{TASK}?id={world.BUSY_TASK}", ["id"]),
        ("DELETE", f"{TASK}?idempotency_key=k", ["idempotency_key"]),
        ("POST", f"{TASKS}?name=N", ["name"]),
    ],
)
async def test_a_query_names_only_what_there_is_and_once(
    api: RestClient, method: str, target: str, wrong: list[str]
) -> None:
    reply = await api.ask(method, target, [JSON], b"" if method in {"GET", "DELETE"} else b"{}")
    assert codes(reply) == (400, ["invalid_get_param"] * len(wrong))
    assert [each["param"] for each in reply.json()["errors"]] == wrong


async def test_a_number_beyond_every_float_is_refused_and_never_rounded(api: RestClient) -> None:
    """Field report D09."""
    for limit in ("9007199254740993", "10.0", "1e1", "-1", "0", "9" * 40):
        reply = await api.ask("GET", f"{TASKS}?limit={limit}")
        assert (codes(reply), reply.json()["errors"][0]["param"]) == ((422, ["validation_error"]), "limit")


async def test_the_document_and_the_public_keys_are_there_for_everybody(api: RestClient) -> None:
    document, keys = [await api.send("GET", path) for path in ("/api/v1/openapi.json", "/.well-known/jwks.json")]
    assert document.json() == openapi_document(REGISTRY, AUDIENCE, "1.0.0")
    assert keys.json() == api.faces.tokens.public_keys()
    assert [key.keys() for key in keys.json()["keys"]] == [{"kty", "crv", "x", "y", "kid", "alg", "use"}]


@pytest.mark.parametrize(("answers", "status", "retry_after"), [(True, 200, None), (False, 503, "1")])
async def test_the_service_lives_without_its_database_but_is_not_ready(
    answers: bool, status: int, retry_after: str | None
) -> None:
    async def ready() -> bool:
        return answers

    app = create_rest_app([], REGISTRY, PUBLIC_URL, "1.0.0", {"keys": []}, ready)
    client = AsgiClient(cast(AsgiApp, app))
    alive, prepared = await client.request("GET", "/livez"), await client.request("GET", "/readyz")
    assert alive is not None
    assert prepared is not None
    assert (alive.status, prepared.status, prepared.header("Retry-After")) == (200, status, retry_after)
