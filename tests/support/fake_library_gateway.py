"""The library of the tool service in memory: one document, one template, one prompt, and a record of what was asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mcp_frontend.caller import Caller
from mcp_frontend.dispatch.ports import CallDetails, FailureKind, NoSuchReference, ToolFailure
from mcp_frontend.protocol.model import (
    Complete,
    Completed,
    PromptArgument,
    PromptDescription,
    PromptFilled,
    PromptMessage,
    PromptReference,
    ResourceDescription,
    ResourceRead,
)

ME = ResourceDescription("kobana://kadu/me", "me", "Who am I", "The person.", "application/json")
TASK = ResourceDescription("kobana://kadu/tasks/{id}", "task", "A task", "One task.", "application/json")
RUN_TASK = PromptDescription(
    "kadu_run_task",
    "Run a task",
    "Runs a task.",
    (PromptArgument("task", "Task", "Slug or id.", True), PromptArgument("request", "Request", "What to do.", False)),
)
NOT_FOUND = ToolFailure(FailureKind.OTHER, b"{}", 404)
SECRET_URI, BUSY_URI, BROKEN_URI = (f"kobana://kadu/{name}" for name in ("usage", "busy", "broken"))
SCOPE_MISSING = ToolFailure(FailureKind.INSUFFICIENT_SCOPE, b"{}", 403, required_scopes=frozenset({"kadu.usage.read"}))
UNREADABLE = {
    SECRET_URI: SCOPE_MISSING,
    BUSY_URI: ToolFailure(FailureKind.LIMIT_EXCEEDED, b"{}", 429, retry_after_seconds=7),
    BROKEN_URI: ToolFailure(FailureKind.INTERNAL, b"{}", 500),
}


@dataclass(slots=True)
class FakeLibraryGateway:
    """dispatch.ports.LibraryGateway."""

    fault: Exception | None = None
    """Raised in place of an answer."""
    asked: list[tuple[Caller, str, CallDetails]] = field(default_factory=list)

    async def list_resources(self, caller: Caller, details: CallDetails) -> Sequence[ResourceDescription]:
        self._note(caller, "resources", details)
        return (ME,)

    async def list_resource_templates(self, caller: Caller, details: CallDetails) -> Sequence[ResourceDescription]:
        self._note(caller, "templates", details)
        return (TASK,)

    async def read_resource(self, caller: Caller, uri: str, details: CallDetails) -> ResourceRead | ToolFailure:
        self._note(caller, uri, details)
        if uri == ME.uri:
            return ResourceRead(uri, ME.mime_type, '{"data":{}}')
        return UNREADABLE.get(uri, NOT_FOUND)

    async def list_prompts(self, caller: Caller, details: CallDetails) -> Sequence[PromptDescription]:
        self._note(caller, "prompts", details)
        return (RUN_TASK,)

    async def get_prompt(
        self, caller: Caller, name: str, arguments: Mapping[str, str], details: CallDetails
    ) -> PromptFilled | NoSuchReference:
        self._note(caller, name, details)
        if name != RUN_TASK.name:
            return NoSuchReference("Unknown prompt")
        if "task" not in arguments:
            return NoSuchReference("Missing argument: task")
        return PromptFilled(RUN_TASK.description, (PromptMessage("user", f"Run «{arguments['task']}»"),))

    async def complete(self, caller: Caller, wanted: Complete, details: CallDetails) -> Completed | NoSuchReference:
        self._note(caller, wanted.argument, details)
        known = wanted.reference == PromptReference(RUN_TASK.name) and wanted.argument == "task"
        if not known:
            return NoSuchReference("Unknown reference or argument")
        if wanted.value == "many":
            return Completed(tuple(f"task-{n}" for n in range(100)), None, has_more=True)
        return Completed(("daily", "monthly") if wanted.value == "" else (), 2 if wanted.value == "" else 0, False)

    def _note(self, caller: Caller, what: str, details: CallDetails) -> None:
        self.asked.append((caller, what, details))
        if self.fault is not None:
            raise self.fault
