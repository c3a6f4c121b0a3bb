"""Resources, prompts and completions on the wire of every revision."""

from typing import Any

import pytest

from mcp_frontend.protocol.model import (
    Complete,
    Completed,
    GetPrompt,
    Outcome,
    PromptFilled,
    PromptMessage,
    PromptReference,
    PromptsListed,
    ReadResource,
    ResourceMissing,
    ResourceRead,
    ResourceReference,
    ResourcesListed,
    ResourceTemplatesListed,
)
from tests.support.fake_library_gateway import ME, RUN_TASK, TASK
from tests.support.official_types import assert_official_error, assert_official_result
from tests.support.wire import (
    EMPTY_ARRAY,
    EMPTY_OBJECT,
    FIRST_HANDSHAKE,
    HANDSHAKE,
    SERVER_META,
    STATELESS,
    Post,
    answered,
    error_body,
    exchanged,
    handshake,
    stateless,
)

READ = ResourceRead(ME.uri, "application/json", '{"data":{}}')
FILLED = PromptFilled("Runs a task.", (PromptMessage("user", "Rode «conciliação»."),))
COMPLETED = Completed(("daily", "monthly"), 2, has_more=False)
COMPLETE: dict[str, Any] = {
    "ref": {"type": "ref/prompt", "name": "kadu_run_task"},
    "argument": {"name": "task", "value": "da"},
    "context": {"arguments": {"language": "en"}},
}
CACHING = {"ttlMs": 0, "cacheScope": "private"}
ME_JSON = {
    "uri": "kobana://kadu/me",
    "name": "me",
    "title": "Who am I",
    "description": "The person.",
    "mimeType": "application/json",
}
TASK_JSON = {
    "uriTemplate": "kobana://kadu/tasks/{id}",
    "name": "task",
    "title": "A task",
    "description": "One task.",
    "mimeType": "application/json",
}
RUN_TASK_JSON = {
    "name": "kadu_run_task",
    "title": "Run a task",
    "description": "Runs a task.",
    "arguments": [
        {"name": "task", "title": "Task", "description": "Slug or id.", "required": True},
        {"name": "request", "title": "Request", "description": "What to do.", "required": False},
    ],
}

CASES: list[tuple[str, dict[str, Any], Outcome, dict[str, Any], bool]] = [
    ("resources/list", {}, ResourcesListed((ME,)), {"resources": [ME_JSON]}, True),
    ("resources/list", {}, ResourcesListed(()), {"resources": []}, True),
    ("resources/templates/list", {}, ResourceTemplatesListed((TASK,)), {"resourceTemplates": [TASK_JSON]}, True),
    (
        "resources/read",
        {"uri": ME.uri},
        READ,
        {"contents": [{"uri": ME.uri, "mimeType": "application/json", "text": '{"data":{}}'}]},
        True,
    ),
    ("prompts/list", {}, PromptsListed((RUN_TASK,)), {"prompts": [RUN_TASK_JSON]}, True),
    (
        "prompts/get",
        {"name": "kadu_run_task", "arguments": {"task": "x"}},
        FILLED,
        {
            "description": "Runs a task.",
            "messages": [{"role": "user", "content": {"type": "text", "text": "Rode «conciliação»."}}],
        },
        False,
    ),
    (
        "completion/complete",
        COMPLETE,
        COMPLETED,
        {"completion": {"values": ["daily", "monthly"], "total": 2, "hasMore": False}},
        False,
    ),
    (
        "completion/complete",
        COMPLETE,
        Completed((), 0, has_more=False),
        {"completion": {"values": [], "total": 0, "hasMore": False}},
        False,
    ),
]


def in_every_version(method: str, params: dict[str, Any]) -> list[tuple[str, Post]]:
    return [
        (STATELESS, stateless(method, params)),
        (HANDSHAKE, handshake(method, params)),
        (FIRST_HANDSHAKE, handshake(method, params, version=None)),
    ]


@pytest.mark.requirement("library.lists", "library.read", "library.prompt", "library.completion")
@pytest.mark.requirement("library.not-reusable")
@pytest.mark.parametrize(("method", "params", "outcome", "members", "cached"), CASES)
def test_each_result_has_its_members_in_every_version(
    method: str, params: dict[str, Any], outcome: Outcome, members: dict[str, Any], cached: bool
) -> None:
    complete = {"resultType": "complete", **members, **(CACHING if cached else {}), "_meta": SERVER_META}
    for version, message in in_every_version(method, params):
        body = answered(message, outcome).body
        assert body["result"] == (complete if version == STATELESS else members)
        assert_official_result(method, version, body)


@pytest.mark.requirement("library.completion")
def test_more_than_a_hundred_values_are_cut_and_said_to_go_on() -> None:
    outcome = Completed(tuple(str(n) for n in range(250)), None, has_more=False)
    completion = answered(stateless("completion/complete", COMPLETE), outcome).body["result"]["completion"]
    assert completion == {"values": [str(n) for n in range(100)], "hasMore": True}


@pytest.mark.requirement("library.not-found-stateless", "library.not-found-handshake")
@pytest.mark.parametrize("uri", ["kobana://kadu/nothing", "kobana://kadu/tasks/%C3%A9", ""])
def test_a_missing_resource_has_the_code_of_its_era_and_names_the_uri(uri: str) -> None:
    for version, message in in_every_version("resources/read", {"uri": uri}):
        answer = answered(message, ResourceMissing(uri))
        code = -32602 if version == STATELESS else -32002
        assert (answer.status, answer.body) == (200, error_body(1, code, "Resource not found", {"uri": uri}))
        assert_official_error(answer.body)


@pytest.mark.requirement("library.params")
def test_what_is_asked_reaches_the_handler_as_it_was_sent() -> None:
    for _, message in in_every_version("completion/complete", COMPLETE):
        wanted = Complete(PromptReference("kadu_run_task"), "task", "da", {"language": "en"})
        assert exchanged(message).request == wanted
    template = {"ref": {"type": "ref/resource", "uri": TASK.uri}, "argument": {"name": "id", "value": ""}}
    for _, message in in_every_version("completion/complete", template):
        assert exchanged(message).request == Complete(ResourceReference(TASK.uri), "id", "", {})
    for _, message in in_every_version("prompts/get", {"name": "p"}):
        assert exchanged(message).request == GetPrompt("p", {})
    for _, message in in_every_version("resources/read", {"uri": "kobana://kadu/a%20b"}):
        assert exchanged(message).request == ReadResource("kobana://kadu/a%20b")


@pytest.mark.requirement("library.params", "library.lists")
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("resources/list", {"cursor": "x"}),
        ("resources/templates/list", {"cursor": 1}),
        ("prompts/list", {"cursor": ""}),
        ("resources/read", EMPTY_OBJECT),
        ("resources/read", {"uri": 1}),
        ("prompts/get", {"arguments": EMPTY_OBJECT}),
        ("prompts/get", {"name": "p", "arguments": EMPTY_ARRAY}),
        ("prompts/get", {"name": "p", "arguments": {"task": 1}}),
        ("completion/complete", EMPTY_OBJECT),
        ("completion/complete", {**COMPLETE, "ref": {"type": "ref/tool", "name": "x"}}),
        ("completion/complete", {**COMPLETE, "ref": {"type": "ref/prompt"}}),
        ("completion/complete", {**COMPLETE, "argument": {"name": "task"}}),
        ("completion/complete", {**COMPLETE, "argument": {"name": "task", "value": 1}}),
        ("completion/complete", {**COMPLETE, "context": {"arguments": {"a": 1}}}),
    ],
)
def test_params_of_the_wrong_shape_are_refused_inside_a_200(method: str, params: dict[str, Any]) -> None:
    for _, message in in_every_version(method, params):
        answer = answered(message)
        assert (answer.status, answer.body["error"]["code"]) == (200, -32602)


@pytest.mark.requirement("confirmation.only-calls")
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("resources/list", EMPTY_OBJECT),
        ("resources/read", {"uri": ME.uri}),
        ("prompts/list", EMPTY_OBJECT),
        ("prompts/get", {"name": "p"}),
        ("completion/complete", COMPLETE),
        ("tools/list", EMPTY_OBJECT),
        ("server/discover", EMPTY_OBJECT),
    ],
)
def test_answers_and_states_of_no_call_change_nothing(method: str, params: dict[str, Any]) -> None:
    retry = {"inputResponses": {"confirm": {"action": "accept"}}, "requestState": "v1.made-up"}
    assert exchanged(stateless(method, {**params, **retry})) == exchanged(stateless(method, params))
