"""Reports about arguments, lists, documents and confirmations."""

import asyncio
import json
from typing import Any

import pytest
import sqlalchemy as sa

from tests.support import world
from tests.support.faces import MCP_RESOURCE
from tests.support.whole_wire import FORMS, YES, WholeWire
from tests.support.wire import EMPTY_OBJECT
from tool_service.db.tables import executions, tasks

DELETE = {"name": "kadu_tasks_delete", "arguments": {"id": "resumo"}}
RUN = {"id": "resumo", "message": "Resuma."}


def error_of(result: dict[str, Any]) -> dict[str, Any]:
    """The first error of a call that failed."""
    assert result["isError"] is True
    return json.loads(result["content"][0]["text"])["errors"][0]


async def task_is_there(wire: WholeWire) -> bool:
    async with wire.faces.database.begin(write=False) as connection:
        deleted_at = await connection.scalar(sa.select(tasks.c.deleted_at).where(tasks.c.id == world.TASK))
    return deleted_at is None


async def runs(wire: WholeWire) -> int:
    async with wire.faces.database.begin(write=False) as connection:
        counted = sa.select(sa.func.count()).where(executions.c.message == RUN["message"])
        return await connection.scalar(counted) or 0


@pytest.mark.parametrize(
    ("tool", "arguments", "field", "wanted"),
    [
        ("kadu_tasks_run", {**RUN, "input_file_ids": '["f_1"]'}, "input_file_ids", "Envie uma lista, não um texto."),
        ("kadu_tasks_run", {**RUN, "params": '{"a":1}'}, "params", "Envie um objeto, não um texto."),
        ("kadu_tasks_list", {"limit": "10"}, "limit", "Envie um número inteiro, não um texto."),
        ("kadu_tasks_list", {"enabled": "true"}, "enabled", "Envie true ou false, não um texto."),
    ],
)
async def test_d24_a_value_in_a_text_is_refused_and_told_what_to_send(
    wire: WholeWire, tool: str, arguments: dict[str, Any], field: str, wanted: str
) -> None:
    error = error_of(await wire.call(tool, arguments))
    assert (error["param"], error["detail"]) == (field, wanted)


@pytest.mark.parametrize("arguments", ["{}", '{"limit":10}', [], 7, True])
@pytest.mark.parametrize("tool", ["kadu_me_get", "kadu_tasks_list", "kadu_tasks_get"])
async def test_d25_arguments_that_are_no_object_are_invalid_params(wire: WholeWire, tool: str, arguments: Any) -> None:
    for reply in (
        await wire.ask_2026("tools/call", {"name": tool, "arguments": arguments}),
        await wire.ask_2025("tools/call", {"name": tool, "arguments": arguments}),
    ):
        assert (reply.status, reply.json()["error"]["code"]) == (200, -32602)


@pytest.mark.parametrize("arguments", [{}, {"arguments": {}}, {"arguments": None}])
async def test_d25_no_arguments_are_empty_ones(wire: WholeWire, arguments: dict[str, Any]) -> None:
    for ask in (wire.ask_2026, wire.ask_2025):
        needs_none = (await ask("tools/call", {"name": "kadu_me_get", **arguments})).json()["result"]
        assert needs_none.get("isError", False) is False
        needs_one = (await ask("tools/call", {"name": "kadu_tasks_get", **arguments})).json()["result"]
        assert error_of(needs_one)["param"] == "id"


async def test_d25_a_call_without_params_is_invalid_params(wire: WholeWire) -> None:
    reply = await wire.ask_2025("tools/call")
    assert (reply.status, reply.json()["error"]["code"]) == (200, -32602)


@pytest.mark.parametrize(
    ("method", "member"),
    [
        ("tools/list", "tools"),
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
        ("prompts/list", "prompts"),
    ],
)
async def test_d27_a_list_of_the_protocol_is_one_page_without_a_cursor(
    wire: WholeWire, method: str, member: str
) -> None:
    for ask in (wire.ask_2026, wire.ask_2025):
        result = (await ask(method)).json()["result"]
        assert "nextCursor" not in result
        names = [item["name"] for item in result[member]]
        assert len(names) == len(set(names)) > 0
        assert (await ask(method, {"cursor": "made-up"})).json()["error"]["code"] == -32602


@pytest.mark.parametrize("uri", ["kobana://kadu/tasks/%72esumo", "kobana://kadu/tasks/resumo"])
async def test_d29_a_variable_is_decoded_once_and_the_uri_stays_the_one_that_was_asked(
    wire: WholeWire, uri: str
) -> None:
    for ask in (wire.ask_2026, wire.ask_2025):
        (content,) = (await ask("resources/read", {"uri": uri})).json()["result"]["contents"]
        assert content["uri"] == uri
        assert json.loads(content["text"])["data"]["slug"] == "resumo"


@pytest.mark.parametrize("segment", ["a%20b", "%C3%A9", "a+b", "a%2Bb", "%2572esumo", "%", "%zz", "%ff", "%00"])
async def test_d29_a_variable_that_names_nothing_is_not_found_under_the_uri_that_was_asked(
    wire: WholeWire, segment: str
) -> None:
    uri = f"kobana://kadu/tasks/{segment}"
    error = (await wire.ask_2026("resources/read", {"uri": uri})).json()["error"]
    assert (error["code"], error["data"]["uri"]) == (-32602, uri)


@pytest.mark.parametrize("elicitation", [{}, {"form": {}}, {"form": {}, "url": {}}])
async def test_d30_a_client_that_declares_forms_is_asked_and_never_waited_for(
    wire: WholeWire, elicitation: dict[str, Any]
) -> None:
    for _ in range(4):
        reply = await wire.ask_2026("tools/call", DELETE, capabilities={"elicitation": elicitation})
        assert (reply.status, reply.json()["result"]["resultType"]) == (200, "input_required")
    assert await task_is_there(wire)


def link_of(result: dict[str, Any]) -> str:
    told = json.loads(result["content"][0]["text"])
    assert told["data"]["status"] == "pending"
    return str(told["data"]["approval_url"])


@pytest.mark.parametrize("elicitation", [{"url": {}}, None])
async def test_d30_a_client_that_cannot_show_a_form_gets_the_link_and_nothing_runs(
    wire: WholeWire, elicitation: Any
) -> None:
    capabilities = {} if elicitation is None else {"elicitation": elicitation}
    result = (await wire.ask_2026("tools/call", DELETE, capabilities=capabilities)).json()["result"]
    assert (result["resultType"], result.get("isError", False)) == ("complete", False)
    assert link_of(result).startswith(f"{MCP_RESOURCE}/approvals/")
    assert await task_is_there(wire)


@pytest.mark.parametrize("elicitation", [True, "form", [], 1])
async def test_d30_a_capability_of_no_known_shape_is_refused(wire: WholeWire, elicitation: Any) -> None:
    reply = await wire.ask_2026("tools/call", DELETE, capabilities={"elicitation": elicitation})
    assert (reply.status, reply.json()["error"]["code"]) == (400, -32602)
    assert await task_is_there(wire)


async def test_d30_a_retry_without_an_answer_is_asked_again_and_runs_nothing(wire: WholeWire) -> None:
    result = (await wire.ask_2026("tools/call", DELETE, capabilities=FORMS)).json()["result"]
    for _ in range(3):
        retry = {**DELETE, "requestState": result["requestState"]}
        result = (await wire.ask_2026("tools/call", retry, capabilities=FORMS)).json()["result"]
        assert result["resultType"] == "input_required"
    assert await task_is_there(wire)


async def test_d30_a_client_that_never_answers_is_given_the_link_in_the_end(wire: WholeWire) -> None:
    result = (await wire.ask_2026("tools/call", DELETE, capabilities=FORMS)).json()["result"]
    questions = 0
    while result["resultType"] == "input_required":
        questions += 1
        retry = {**DELETE, "requestState": result["requestState"]}
        result = (await wire.ask_2026("tools/call", retry, capabilities=FORMS)).json()["result"]
    # Official clients give up after ten rounds.
    assert questions < 10
    assert link_of(result).startswith(f"{MCP_RESOURCE}/approvals/")
    assert await task_is_there(wire)


@pytest.mark.parametrize("capabilities", [FORMS, {}])
async def test_d31_an_answer_to_what_nobody_asked_is_no_yes(wire: WholeWire, capabilities: dict[str, Any]) -> None:
    for state in (EMPTY_OBJECT, {"requestState": "v1.made-up"}, {"requestState": ""}):
        call = {**DELETE, "inputResponses": YES, **state}
        body = (await wire.ask_2026("tools/call", call, capabilities=capabilities)).json()
        result = body.get("result", {"resultType": "an error"})
        assert result["resultType"] in {"an error", "input_required"} or link_of(result).startswith(
            f"{MCP_RESOURCE}/approvals/"
        )
        assert await task_is_there(wire)


async def test_d31_a_yes_to_one_call_is_none_to_another(wire: WholeWire) -> None:
    asked = (await wire.ask_2026("tools/call", DELETE, capabilities=FORMS)).json()["result"]
    other = {"name": "kadu_tasks_delete", "arguments": {"id": "so-gestores"}}
    call = {**other, "inputResponses": YES, "requestState": asked["requestState"]}
    body = (await wire.ask_2026("tools/call", call, capabilities=FORMS)).json()
    assert body.get("result", {}).get("resultType") != "complete" or body["result"]["isError"]
    listed = json.loads((await wire.call("kadu_tasks_list", {"limit": 100}))["content"][0]["text"])
    assert "so-gestores" in [task["slug"] for task in listed["data"]]


async def test_d35_a_client_of_2025_is_answered_at_once_and_nothing_runs(wire: WholeWire) -> None:
    initialize = {
        "protocolVersion": "2025-06-18",
        "capabilities": {"elicitation": EMPTY_OBJECT},
        "clientInfo": {"name": "t", "version": "1"},
    }
    assert (await wire.ask_2025("initialize", initialize)).status == 200
    async with asyncio.timeout(30):
        reply = await wire.ask_2025("tools/call", DELETE)
    assert reply.status == 200
    assert link_of(reply.json()["result"]).startswith(f"{MCP_RESOURCE}/approvals/")
    assert await task_is_there(wire)


async def test_d36_a_run_with_one_key_happens_once_however_often_it_is_confirmed(wire: WholeWire) -> None:
    arguments = {**RUN, "idempotency_key": "k"}
    first = await wire.confirmed("kadu_tasks_run", arguments)
    assert await runs(wire) == 1
    for _ in range(2):
        assert await wire.confirmed("kadu_tasks_run", arguments) == first
    assert await runs(wire) == 1


async def test_d36_a_key_that_was_only_asked_about_is_still_free(wire: WholeWire) -> None:
    arguments = {**RUN, "idempotency_key": "k"}
    for _ in range(2):
        assert (await wire.call("kadu_tasks_run", arguments))["resultType"] == "input_required"
    assert await runs(wire) == 0
    assert (await wire.confirmed("kadu_tasks_run", arguments)).get("isError", False) is False
    assert await runs(wire) == 1


async def test_d36_parallel_answers_with_one_key_are_one_run(wire: WholeWire) -> None:
    arguments = {**RUN, "idempotency_key": "k"}
    asked = [await wire.call("kadu_tasks_run", arguments) for _ in range(5)]
    replies = await asyncio.gather(
        *(
            wire.call("kadu_tasks_run", arguments, requestState=each["requestState"], inputResponses=YES)
            for each in asked
        )
    )
    assert await runs(wire) == 1
    ran = {reply["content"][0]["text"] for reply in replies if not reply.get("isError", False)}
    assert len(ran) == 1
