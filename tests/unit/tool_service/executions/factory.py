"""An execution as a value, for rules that need no row."""

from dataclasses import replace
from typing import Any

from tests.support.clock import NOON, fake_id
from tool_service.domain.executions import Execution, MemberReference, Status, TaskReference
from tool_service.domain.tasks import Visibility

_QUEUED = Execution(
    id=fake_id(1),
    task=TaskReference(fake_id(2), "conciliacao-diaria", "Conciliação diária", Visibility.ORGANIZATION, deleted=False),
    thread_id=fake_id(3),
    parent_execution_id=None,
    turn=1,
    status=Status.QUEUED,
    status_reason=None,
    trigger="mcp",
    requested_by=MemberReference(fake_id(4), "Ana"),
    client_name="my-client",
    message="Concilie novembro.",
    params={},
    input_file_ids=(fake_id(5),),
    output_text=None,
    output_data=None,
    pending_action=None,
    error=None,
    attempt=0,
    steps=0,
    current_step=None,
    cost_cents=0,
    max_cost_cents=500,
    input_tokens=0,
    output_tokens=0,
    external_id=None,
    tags=(),
    custom_data=None,
    cancel_reason=None,
    version=1,
    queued_at=NOON,
    started_at=None,
    canceling_at=None,
    finished_at=None,
    created_at=NOON,
    updated_at=NOON,
)


def an_execution(**changes: Any) -> Execution:
    """A queued one, changed."""
    return replace(_QUEUED, **changes)
