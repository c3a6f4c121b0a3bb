"""Makes the golden files from the catalogue: `python -m tests.contract.snapshots.write`."""

import json
from pathlib import Path
from typing import Any

from tool_service import operations
from tool_service.dispatcher.tool_schemas import tool_schema
from tool_service.registry import Operation, discover
from tool_service.rest_api.openapi import openapi_document

FOLDER = Path(__file__).resolve().parent
SERVER_URL = "https://kadu.example/api/v1"
VERSION = "1.0.0"


def golden_files() -> dict[Path, str]:
    """Path and text of every golden file, as the code has it."""
    registry = discover(operations)
    files = {FOLDER / "tools" / f"{each.tool_name}.json": _text(_tool(each)) for each in registry.operations}
    return {**files, FOLDER / "openapi.json": _text(openapi_document(registry, SERVER_URL, VERSION))}


def _tool(operation: Operation) -> dict[str, Any]:
    """The tool as `tools/list` shows it."""
    return {
        "name": operation.tool_name,
        "title": operation.title,
        "description": operation.description,
        "inputSchema": tool_schema(operation),
        "annotations": {
            "readOnlyHint": operation.read_only,
            "destructiveHint": operation.destructive,
            "idempotentHint": operation.idempotent,
            "openWorldHint": False,
        },
    }


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def main() -> None:
    """Write every file, and remove those of tools that are gone."""
    wanted = golden_files()
    (FOLDER / "tools").mkdir(exist_ok=True)
    for path in set(FOLDER.rglob("*.json")) - wanted.keys():
        path.unlink()
    for path, text in wanted.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
