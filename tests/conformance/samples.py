"""Outcomes for the protocol to render, and the JSON that the specification makes of them."""

from typing import Any

from mcp_frontend.protocol.model import Failed, QuestionAsked, ToolAnswered, ToolDescription, ToolsListed

LIST_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"limit": {"type": "integer", "description": "How many, at most 100", "maximum": 100}},
    "additionalProperties": False,
}
DELETE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"id": {"type": "string", "description": "The task, by id or slug"}},
    "required": ["id"],
    "additionalProperties": False,
}
TOOLS = ToolsListed(
    (
        ToolDescription("kadu_tasks_list", "List tasks", "Lists tasks.", LIST_SCHEMA, True, False, True),
        ToolDescription("kadu_tasks_delete", "Delete a task", "Deletes «a» task.", DELETE_SCHEMA, False, True, True),
    )
)
TOOLS_JSON: list[dict[str, Any]] = [
    {
        "name": "kadu_tasks_list",
        "title": "List tasks",
        "description": "Lists tasks.",
        "inputSchema": LIST_SCHEMA,
        "annotations": {
            "title": "List tasks",
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
    },
    {
        "name": "kadu_tasks_delete",
        "title": "Delete a task",
        "description": "Deletes «a» task.",
        "inputSchema": DELETE_SCHEMA,
        "annotations": {
            "title": "Delete a task",
            "readOnlyHint": False,
            "destructiveHint": True,
            "idempotentHint": True,
            "openWorldHint": False,
        },
    },
]

TEXT = '{"data":[{"name":"Conciliação \\"diária\\" 😀"}],"meta":{"next_cursor":null,"limit":10}}'
ANSWER = ToolAnswered(TEXT, is_error=False)
ERROR_ANSWER = ToolAnswered('{"error":{"code":"not_found"}}', is_error=True)

QUESTION = QuestionAsked(
    key="confirm",
    message='Excluir a tarefa "Conciliação"? A ação não pode ser desfeita.',
    field_title="Confirmar",
    field_description="Marque para excluir",
    state="v1.sealed-state-of-ours",
)
QUESTION_JSON: dict[str, Any] = {
    "confirm": {
        "method": "elicitation/create",
        "params": {
            "mode": "form",
            "message": 'Excluir a tarefa "Conciliação"? A ação não pode ser desfeita.',
            "requestedSchema": {
                "type": "object",
                "properties": {
                    "confirm": {
                        "type": "boolean",
                        "title": "Confirmar",
                        "description": "Marque para excluir",
                        "default": False,
                    }
                },
                "required": ["confirm"],
            },
        },
    }
}

UNKNOWN_TOOL = Failed(-32602, "Unknown tool: kadu_no_such_tool")
