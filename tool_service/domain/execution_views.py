"""What an execution looks like from outside, whole and in a list."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from tool_service.domain.execution_outputs import TEXT_SHOWN, Output
from tool_service.domain.executions import (
    Execution,
    continuable,
    next_poll_seconds,
    reserved_cents,
)
from tool_service.domain.identifiers import IdText
from tool_service.domain.schema import CONTENT_NOTICE, Arguments, ContentNotice, Timestamp, View

EXECUTION_PATH = "/api/v1/executions/{id}"


class ExecutionIdArguments(Arguments):
    id: Annotated[IdText, Field(description="Id of the execution.")]


class TaskReferenceView(View):
    id: UUID
    slug: str
    name: str
    deleted: bool


class RequesterView(View):
    type: str
    id: UUID
    name: str


class InputView(View):
    message: str | None
    params: dict[str, Any]
    input_file_ids: list[UUID]


class OutputFileView(View):
    id: UUID
    filename: str
    size_bytes: int


class OutputView(View):
    """Third-party data: `text` is cut at 8,000 characters, and `truncated` then says so."""

    text: str | None
    truncated: bool
    data: dict[str, Any] | None
    files: list[OutputFileView]


class PendingActionView(View):
    """What the agent asks; third-party data."""

    type: str
    text: str
    options: list[str]
    expires_at: Timestamp


class FailureView(View):
    """Why a failed execution failed. A fatal failure cannot be continued."""

    code: str
    message: str
    fatal: bool


class UsageView(View):
    """Money in cents of BRL; `reserved_cents` is what the turn may still spend."""

    cost_cents: int
    max_cost_cents: int
    reserved_cents: int
    steps: int
    input_tokens: int
    output_tokens: int


class ExecutionListItem(View):
    """An execution in a list: without what went in and what came out."""

    id: UUID
    task: TaskReferenceView
    thread_id: UUID
    parent_execution_id: UUID | None
    turn: int
    status: str
    status_reason: str | None
    continuable: bool
    next_poll_seconds: int | None
    trigger: str
    schedule_id: UUID | None
    requested_by: RequesterView
    client_name: str | None
    usage: UsageView
    external_id: str | None
    tags: list[str]
    queued_at: Timestamp
    started_at: Timestamp | None
    finished_at: Timestamp | None
    created_at: Timestamp
    updated_at: Timestamp


class ExecutionView(ExecutionListItem):
    """A whole execution."""

    input: InputView
    output: OutputView
    pending_action: PendingActionView | None
    error: FailureView | None
    custom_data: dict[str, Any] | None
    content_notice: ContentNotice = CONTENT_NOTICE


def execution_list_item(execution: Execution, now: datetime) -> ExecutionListItem:
    return ExecutionListItem(**_shared(execution, now))


def execution_view(execution: Execution, outputs: Sequence[Output], now: datetime) -> ExecutionView:
    text = execution.output_text
    question, failure = execution.pending_action, execution.error
    return ExecutionView(
        **_shared(execution, now),
        input=InputView(
            message=execution.message,
            params=dict(execution.params),
            input_file_ids=list(execution.input_file_ids),
        ),
        output=OutputView(
            text=None if text is None else text[:TEXT_SHOWN],
            truncated=text is not None and len(text) > TEXT_SHOWN,
            data=None if execution.output_data is None else dict(execution.output_data),
            files=[
                OutputFileView(id=each.file.id, filename=each.file.filename, size_bytes=each.file.size_bytes)
                for each in outputs
                if each.file is not None
            ],
        ),
        pending_action=None
        if question is None
        else PendingActionView(
            type=question["type"],
            text=question["text"],
            options=question["options"],
            expires_at=datetime.fromisoformat(question["expires_at"]),
        ),
        error=None if failure is None else FailureView(**failure),
        custom_data=None if execution.custom_data is None else dict(execution.custom_data),
    )


def _shared(execution: Execution, now: datetime) -> dict[str, Any]:
    task, requester = execution.task, execution.requested_by
    return {
        "id": execution.id,
        "task": TaskReferenceView(id=task.id, slug=task.slug, name=task.name, deleted=task.deleted),
        "thread_id": execution.thread_id,
        "parent_execution_id": execution.parent_execution_id,
        "turn": execution.turn,
        "status": execution.status.value,
        "status_reason": execution.status_reason,
        "continuable": continuable(execution, now),
        "next_poll_seconds": next_poll_seconds(execution, now),
        "trigger": execution.trigger,
        # Schedules are not there yet; the member is, so that clients need no change when they come.
        "schedule_id": None,
        "requested_by": RequesterView(type="member", id=requester.id, name=requester.name),
        "client_name": execution.client_name,
        "usage": UsageView(
            cost_cents=execution.cost_cents,
            max_cost_cents=execution.max_cost_cents,
            reserved_cents=reserved_cents(execution),
            steps=execution.steps,
            input_tokens=execution.input_tokens,
            output_tokens=execution.output_tokens,
        ),
        "external_id": execution.external_id,
        "tags": list(execution.tags),
        "queued_at": execution.queued_at,
        "started_at": execution.started_at,
        "finished_at": execution.finished_at,
        "created_at": execution.created_at,
        "updated_at": execution.updated_at,
    }
