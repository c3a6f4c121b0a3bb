"""What comes of the requests for documents, prompts and suggestions."""

import pytest

from mcp_frontend.caller import Caller
from mcp_frontend.dispatch.library import perform_library_request
from mcp_frontend.dispatch.ports import CallDetails
from mcp_frontend.protocol.errors import INTERNAL_ERROR, INVALID_PARAMS, RATE_LIMITED
from mcp_frontend.protocol.model import (
    Complete,
    Completed,
    Failed,
    GetPrompt,
    LibraryRequest,
    ListPrompts,
    ListResources,
    ListResourceTemplates,
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
    ScopeMissing,
)
from tests.support.fake_library_gateway import BROKEN_URI, BUSY_URI, ME, RUN_TASK, SECRET_URI, TASK, FakeLibraryGateway

CALLER = Caller("iss", "person-1", "organization-1", "client-1", "Client", frozenset(), "token-1", 0)
DETAILS = CallDetails("request-1")


@pytest.mark.parametrize(
    ("request_", "outcome"),
    [
        (ListResources(), ResourcesListed((ME,))),
        (ListResourceTemplates(), ResourceTemplatesListed((TASK,))),
        (ReadResource(ME.uri), ResourceRead(ME.uri, "application/json", '{"data":{}}')),
        (ReadResource("kobana://kadu/nothing"), ResourceMissing("kobana://kadu/nothing")),
        (ReadResource(SECRET_URI), ScopeMissing(frozenset({"kadu.usage.read"}))),
        (
            ReadResource(BUSY_URI),
            Failed(RATE_LIMITED, "Rate limit exceeded", before_handler=True, retry_after_seconds=7),
        ),
        (ReadResource(BROKEN_URI), Failed(INTERNAL_ERROR, "Internal error", {"requestId": "request-1"})),
        (ListPrompts(), PromptsListed((RUN_TASK,))),
        (
            GetPrompt(RUN_TASK.name, {"task": "daily"}),
            PromptFilled("Runs a task.", (PromptMessage("user", "Run «daily»"),)),
        ),
        (GetPrompt("no-such", {}), Failed(INVALID_PARAMS, "Unknown prompt")),
        (GetPrompt(RUN_TASK.name, {}), Failed(INVALID_PARAMS, "Missing argument: task")),
        (
            Complete(PromptReference(RUN_TASK.name), "task", "", {}),
            Completed(("daily", "monthly"), 2, has_more=False),
        ),
        (
            Complete(ResourceReference("kobana://kadu/x/{id}"), "id", "", {}),
            Failed(INVALID_PARAMS, "Unknown reference or argument"),
        ),
    ],
)
async def test_each_request_comes_to_its_outcome(request_: LibraryRequest, outcome: Outcome) -> None:
    assert await perform_library_request(request_, CALLER, DETAILS, FakeLibraryGateway()) == outcome
