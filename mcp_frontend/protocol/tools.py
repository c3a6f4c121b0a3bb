"""Tools on the wire, as far as all eras say the same: reading calls, writing descriptions and answers."""

from collections.abc import Sequence
from typing import Any

from mcp_frontend.protocol.model import CallTool, ListTools, ToolAnswered, ToolDescription
from mcp_frontend.protocol.params import Params, optional_object, refuse_cursor, required_text


def read_list_tools(params: Params) -> ListTools:
    """Raises InvalidParams when a cursor is given."""
    refuse_cursor(params)
    return ListTools()


def read_call_tool(params: Params) -> CallTool:
    """A call without answers to our questions, which not every era can carry.

    Raises:
        InvalidParams: `name` is no string or `arguments` no object.
    """
    return CallTool(required_text(params, "name"), optional_object(params, "arguments") or {})


def tool_objects(tools: Sequence[ToolDescription]) -> list[dict[str, Any]]:
    """The `tools` member of a list, in the order given."""
    return [_tool_object(tool) for tool in tools]


def answer_members(answer: ToolAnswered) -> dict[str, Any]:
    """`content` as one text block, and `isError` only where it is true."""
    members: dict[str, Any] = {"content": [{"type": "text", "text": answer.text}]}
    if answer.is_error:
        members["isError"] = True
    return members


def _tool_object(tool: ToolDescription) -> dict[str, Any]:
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "annotations": {
            # The oldest revision knows a title only here.
            "title": tool.title,
            # All four are stated: left out, each means the dangerous value.
            "readOnlyHint": tool.read_only,
            "destructiveHint": tool.destructive,
            "idempotentHint": tool.idempotent,
            "openWorldHint": False,
        },
    }
