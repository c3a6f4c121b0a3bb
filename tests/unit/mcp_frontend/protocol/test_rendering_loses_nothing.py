"""Whatever a handler comes to, a client that reads the reply of its era has exactly that."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_frontend.protocol.model import (
    Completed,
    Failed,
    Outcome,
    PromptArgument,
    PromptDescription,
    PromptFilled,
    PromptMessage,
    PromptsListed,
    QuestionAsked,
    ResourceDescription,
    ResourceMissing,
    ResourceRead,
    ResourcesListed,
    ResourceTemplatesListed,
    ScopeMissing,
    ToolAnswered,
    ToolDescription,
    ToolsListed,
)
from tests.support.wire import HANDSHAKE, STATELESS, Post, answered, handshake, stateless

JSON_OBJECTS = st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text()))
SCHEMAS = st.dictionaries(st.text(), st.integers() | st.text()).map(lambda members: {**members, "type": "object"})
MESSAGES = st.builds(PromptMessage, role=st.sampled_from(["user", "assistant"]))
CODES = st.integers(-32768, -1)

Result = Mapping[str, Any]
# How a client reads a result; written from the specification, not from our own encoder.
Reader = Callable[[Result], Outcome]


def _tool(read: Result) -> ToolDescription:
    hints = read["annotations"]
    assert hints["title"] == read["title"]
    return ToolDescription(
        read["name"],
        read["title"],
        read["description"],
        read["inputSchema"],
        hints["readOnlyHint"],
        hints["destructiveHint"],
        hints["idempotentHint"],
    )


def _resource(key: str) -> Callable[[Result], ResourceDescription]:
    return lambda read: ResourceDescription(
        read[key], read["name"], read["title"], read["description"], read["mimeType"]
    )


def _prompt(read: Result) -> PromptDescription:
    arguments = [
        PromptArgument(each["name"], each["title"], each["description"], each["required"]) for each in read["arguments"]
    ]
    return PromptDescription(read["name"], read["title"], read["description"], arguments)


def _answer(result: Result) -> ToolAnswered:
    (content,) = result["content"]
    assert content["type"] == "text"
    return ToolAnswered(content["text"], result.get("isError", False))


def _document(result: Result) -> ResourceRead:
    (content,) = result["contents"]
    return ResourceRead(content["uri"], content["mimeType"], content["text"])


def _filled(result: Result) -> PromptFilled:
    messages = [PromptMessage(each["role"], each["content"]["text"]) for each in result["messages"]]
    return PromptFilled(result["description"], messages)


def _completed(result: Result) -> Completed:
    completion = result["completion"]
    return Completed(completion["values"], completion.get("total"), completion["hasMore"])


RESOURCES = st.lists(st.builds(ResourceDescription), max_size=3)
TEXTS = st.lists(st.text(), max_size=5)
PROMPT = st.builds(PromptDescription, arguments=st.lists(st.builds(PromptArgument), max_size=3))

CASES: dict[str, tuple[str, Mapping[str, Any], st.SearchStrategy[Outcome], Reader]] = {
    "tools": (
        "tools/list",
        {},
        st.builds(ToolsListed, st.lists(st.builds(ToolDescription, input_schema=SCHEMAS), max_size=3)),
        lambda result: ToolsListed([_tool(each) for each in result["tools"]]),
    ),
    "answer": ("tools/call", {"name": "x"}, st.builds(ToolAnswered), _answer),
    "resources": (
        "resources/list",
        {},
        st.builds(ResourcesListed, RESOURCES),
        lambda result: ResourcesListed([_resource("uri")(each) for each in result["resources"]]),
    ),
    "templates": (
        "resources/templates/list",
        {},
        st.builds(ResourceTemplatesListed, RESOURCES),
        lambda result: ResourceTemplatesListed(
            [_resource("uriTemplate")(each) for each in result["resourceTemplates"]]
        ),
    ),
    "document": ("resources/read", {"uri": "kobana://kadu/docs"}, st.builds(ResourceRead), _document),
    "prompts": (
        "prompts/list",
        {},
        st.builds(PromptsListed, st.lists(PROMPT, max_size=3)),
        lambda result: PromptsListed([_prompt(each) for each in result["prompts"]]),
    ),
    "prompt": (
        "prompts/get",
        {"name": "x"},
        st.builds(PromptFilled, messages=st.lists(MESSAGES, max_size=3)),
        _filled,
    ),
    "suggestions": (
        "completion/complete",
        {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": ""}},
        st.builds(Completed, values=TEXTS),
        _completed,
    ),
}


def _asked(version: str, method: str, params: Mapping[str, Any]) -> Post:
    return stateless(method, params) if version == STATELESS else handshake(method, params)


@pytest.mark.parametrize("version", [STATELESS, HANDSHAKE])
@pytest.mark.parametrize("case", CASES)
def test_a_result_reads_as_the_outcome_that_it_was(version: str, case: str) -> None:
    method, params, outcomes, read = CASES[case]
    message = _asked(version, method, params)

    @given(outcomes)
    def check(outcome: Outcome) -> None:
        answer = answered(message, outcome)
        assert (answer.status, answer.headers) == (200, {"MCP-Protocol-Version": version})
        assert read(answer.body["result"]) == outcome

    check()


@given(st.builds(QuestionAsked))
def test_a_question_reads_as_the_question_that_it_was(question: QuestionAsked) -> None:
    result = answered(stateless("tools/call", {"name": "x"}), question).body["result"]
    ((key, asked),) = result["inputRequests"].items()
    form = asked["params"]
    ((name, field),) = form["requestedSchema"]["properties"].items()
    assert name == key
    read = QuestionAsked(key, form["message"], field["title"], field.get("description", ""), result["requestState"])
    assert read == question


@pytest.mark.parametrize("version", [STATELESS, HANDSHAKE])
@given(st.builds(Failed, code=CODES, data=st.none() | JSON_OBJECTS, retry_after_seconds=st.none() | st.integers(1)))
def test_a_failure_reads_as_the_failure_that_it_was(version: str, failed: Failed) -> None:
    answer = answered(_asked(version, "tools/list", {}), failed)
    error = answer.body["error"]
    retry = failed.retry_after_seconds
    assert (error["code"], error["message"]) == (failed.code, failed.message)
    assert answer.headers.get("Retry-After") == (None if retry is None else str(retry))
    expected = dict(failed.data or {}) if retry is None else {**(failed.data or {}), "retryAfter": retry}
    assert error.get("data", {}) == expected


@pytest.mark.parametrize(("version", "code"), [(STATELESS, -32602), (HANDSHAKE, -32002)])
@given(st.text())
def test_a_missing_document_is_named(version: str, code: int, uri: str) -> None:
    error = answered(_asked(version, "resources/read", {"uri": "kobana://kadu/docs"}), ResourceMissing(uri)).body[
        "error"
    ]
    assert (error["code"], error["data"]) == (code, {"uri": uri})


@pytest.mark.parametrize("version", [STATELESS, HANDSHAKE])
@given(st.frozensets(st.text(), min_size=1))
def test_missing_scopes_are_named(version: str, scopes: frozenset[str]) -> None:
    answer = answered(_asked(version, "tools/call", {"name": "x"}), ScopeMissing(scopes))
    assert (answer.status, set(answer.body["error"]["data"]["requiredScopes"])) == (403, scopes)
