"""The headers of /api/v1: versions, request ids, languages, repeat keys, and what no cache may keep."""

import pytest

from tests.support.rest_client import JSON, TASK, TASKS, Headers, RestClient, codes


@pytest.mark.parametrize(
    ("tag", "status"), [('"1"', 200), ('W/"1"', 200), ("*", 200), ('"2"', 409), ("1", 409), ('"one"', 409), ("", 409)]
)
async def test_if_match_lets_only_the_version_that_was_read_be_changed(api: RestClient, tag: str, status: int) -> None:
    read = await api.ask("GET", TASK)
    assert read.header("ETag") == '"1"'
    changed = await api.ask("PATCH", TASK, [JSON, ("If-Match", tag)], b'{"name":"N"}')
    assert (changed.status, changed.header("ETag")) == (status, '"2"' if status == 200 else None)


async def test_a_version_in_the_body_may_not_contradict_if_match(api: RestClient) -> None:
    reply = await api.ask("PATCH", TASK, [JSON, ("If-Match", '"2"')], b'{"name":"N","version":1}')
    assert codes(reply) == (409, ["version_conflict"])


@pytest.mark.parametrize("given_id", ["abc-1", "a b", "x" * 100])
async def test_a_request_keeps_the_id_that_it_brings(api: RestClient, given_id: str) -> None:
    assert (await api.ask("GET", TASKS, [("Request-Id", given_id)])).header("Request-Id") == given_id
    refused = await api.ask("GET", f"{TASKS}?limit=0", [("Request-Id", given_id)])
    assert refused.json()["request_id"] == refused.header("Request-Id") == given_id


@pytest.mark.parametrize("given_id", [None, "", "x" * 101, "caf\u00e9", "a\tb"])
async def test_a_request_without_a_fit_id_gets_a_fresh_one(api: RestClient, given_id: str | None) -> None:
    headers: Headers = [] if given_id is None else [("Request-Id", given_id)]
    ids = {(await api.ask("GET", TASKS, headers)).header("Request-Id") for _ in range(2)}
    assert len(ids) == 2
    assert {len(each or "") for each in ids} == {32}


@pytest.mark.parametrize("target", [TASKS, f"{TASKS}?limit=0", "/api/v1/no_such", "/livez", "/.well-known/jwks.json"])
async def test_nothing_is_kept_in_a_cache_or_guessed_at(api: RestClient, target: str) -> None:
    reply = await api.ask("GET", target)
    assert (reply.header("Cache-Control"), reply.header("X-Content-Type-Options")) == ("no-store", "nosniff")


@pytest.mark.parametrize(
    ("asked", "language", "title"),
    [
        ("", "pt-BR", "Parâmetro inválido"),
        ("en;q=0.5, fr", "en", "Invalid parameter"),
        ("pt;q=0.9, en;q=0.1", "pt-BR", "Parâmetro inválido"),
        ("en-US", "en", "Invalid parameter"),
        ("fr, *", "pt-BR", "Parâmetro inválido"),
    ],
)
async def test_an_error_is_told_in_the_language_that_was_asked_for(
    api: RestClient, asked: str, language: str, title: str
) -> None:
    reply = await api.ask("GET", f"{TASKS}?limit=0", [("Accept-Language", asked)])
    assert (reply.header("Content-Language"), reply.json()["errors"][0]["title"]) == (language, title)


@pytest.mark.parametrize("target", ["/api/v1/no_such", f"{TASKS}?x=1", f"{TASKS}/no-such"])
async def test_every_error_says_its_language(api: RestClient, target: str) -> None:
    assert (await api.ask("GET", target, [("Accept-Language", "en")])).header("Content-Language") == "en"


async def test_a_failure_that_is_answered_again_still_says_its_language(api: RestClient) -> None:
    headers = [JSON, ("X-Idempotency-Key", "k"), ("Accept-Language", "en")]
    body = b'{"name":"N","instructions":"I","slug":"resumo"}'
    first, second = [await api.ask("POST", TASKS, headers, body) for _ in range(2)]
    assert codes(first) == (409, ["slug_taken"])
    assert (second.header("X-Idempotent-Replay"), second.header("Content-Language")) == ("true", "en")


async def test_a_repeated_answer_keeps_its_headers(api: RestClient) -> None:
    headers = [JSON, ("X-Idempotency-Key", "k")]
    first, second = [await api.ask("POST", TASKS, headers, b'{"name":"N","instructions":"I"}') for _ in range(2)]
    assert first.header("Location") == f"{TASKS}/{first.json()['data']['id']}"
    assert [second.header(name) for name in ("Location", "ETag")] == [first.header("Location"), '"1"']
    assert (second.status, second.body, second.header("X-Idempotent-Replay")) == (201, first.body, "true")


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_a_repeat_key_means_nothing_where_http_lets_a_client_repeat(api: RestClient, method: str) -> None:
    assert (await api.ask(method, TASK, [("X-Idempotency-Key", "x" * 256)])).status in {200, 204}


async def test_what_is_over_the_limit_of_a_repeat_key_is_refused_where_it_counts(api: RestClient) -> None:
    reply = await api.ask("PATCH", TASK, [JSON, ("X-Idempotency-Key", "x" * 256)], b"{}")
    assert (codes(reply), reply.json()["errors"][0]["param"]) == ((422, ["validation_error"]), "idempotency_key")


async def test_a_started_execution_says_where_it_can_be_followed(api: RestClient) -> None:
    reply = await api.ask("POST", f"{TASK}/run", [JSON], b'{"message":"Resuma."}')
    assert (reply.status, reply.header("Location")) == (202, f"/api/v1/executions/{reply.json()['data']['id']}")


async def test_what_is_deleted_answers_nothing(api: RestClient) -> None:
    reply = await api.ask("DELETE", TASK)
    assert (reply.status, reply.body) == (204, b"")
    assert (reply.header("Content-Type"), reply.header("Content-Length")) == (None, None)
