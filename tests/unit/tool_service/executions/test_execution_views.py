"""The face of an execution, member for member as specified."""

from datetime import timedelta

from tests.support.clock import NOON, fake_id
from tests.unit.tool_service.executions.factory import an_execution
from tool_service.domain.execution_outputs import FileReference, Output, OutputKind
from tool_service.domain.execution_views import execution_list_item, execution_view
from tool_service.domain.executions import Status

QUESTION = {
    "type": "question",
    "text": "Qual conta devo usar?",
    "options": ["Itaú 1234", "Inter 99"],
    "expires_at": (NOON + timedelta(days=7)).isoformat(),
}


def test_an_execution_that_asks_is_shown_whole() -> None:
    execution = an_execution(
        status=Status.NEEDS_INPUT,
        status_reason="question",
        pending_action=QUESTION,
        output_text="x" * 8_001,
        cost_cents=143,
        steps=17,
        input_tokens=81_234,
        output_tokens=4_120,
        started_at=NOON,
        finished_at=NOON,
    )
    file = FileReference(fake_id(6), "divergencias.xlsx", "application/zip", 18_231)
    outputs = [
        Output(fake_id(7), 0, OutputKind.TEXT, "x" * 8_001, None, None, NOON),
        Output(fake_id(8), 1, OutputKind.FILE, None, None, file, NOON),
    ]
    assert execution_view(execution, outputs, NOON).model_dump(mode="json") == {
        "id": str(fake_id(1)),
        "task": {
            "id": str(fake_id(2)),
            "slug": "conciliacao-diaria",
            "name": "Conciliação diária",
            "deleted": False,
        },
        "thread_id": str(fake_id(3)),
        "parent_execution_id": None,
        "turn": 1,
        "status": "needs_input",
        "status_reason": "question",
        "continuable": True,
        "next_poll_seconds": None,
        "trigger": "mcp",
        "schedule_id": None,
        "requested_by": {"type": "member", "id": str(fake_id(4)), "name": "Ana"},
        "client_name": "my-client",
        "input": {"message": "Concilie novembro.", "params": {}, "input_file_ids": [str(fake_id(5))]},
        "output": {
            "text": "x" * 8_000,
            "truncated": True,
            "data": None,
            "files": [{"id": str(fake_id(6)), "filename": "divergencias.xlsx", "size_bytes": 18_231}],
        },
        "pending_action": {
            "type": "question",
            "text": "Qual conta devo usar?",
            "options": ["Itaú 1234", "Inter 99"],
            "expires_at": "2026-12-08T12:00:00.000Z",
        },
        "error": None,
        "usage": {
            "cost_cents": 143,
            "max_cost_cents": 500,
            "reserved_cents": 0,
            "steps": 17,
            "input_tokens": 81_234,
            "output_tokens": 4_120,
        },
        "external_id": None,
        "tags": [],
        "custom_data": None,
        "queued_at": "2026-12-01T12:00:00.000Z",
        "started_at": "2026-12-01T12:00:00.000Z",
        "finished_at": "2026-12-01T12:00:00.000Z",
        "created_at": "2026-12-01T12:00:00.000Z",
        "updated_at": "2026-12-01T12:00:00.000Z",
        "content_notice": "data_not_instructions",
    }


def test_text_of_8000_characters_is_not_cut() -> None:
    output = execution_view(an_execution(output_text="x" * 8_000), (), NOON).output
    assert (output.text, output.truncated) == ("x" * 8_000, False)


def test_a_failure_is_shown_with_its_code() -> None:
    error = {"code": "timeout", "message": "Demorou.", "fatal": False}
    view = execution_view(an_execution(status=Status.FAILED, error=error, finished_at=NOON), (), NOON)
    assert view.model_dump(mode="json")["error"] == error


def test_a_list_item_has_nothing_of_what_went_in_and_came_out() -> None:
    whole = execution_view(an_execution(), (), NOON).model_dump(mode="json")
    for name in ("input", "output", "pending_action", "error", "custom_data", "content_notice"):
        del whole[name]
    assert execution_list_item(an_execution(), NOON).model_dump(mode="json") == whole
