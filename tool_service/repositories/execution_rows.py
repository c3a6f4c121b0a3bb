"""How executions and their outputs lie in rows, and how they come out of them."""

from typing import Any
from uuid import UUID

import sqlalchemy as sa

from tool_service.db.tables import files, people, tasks
from tool_service.domain.execution_outputs import FileReference, Output, OutputKind
from tool_service.domain.executions import Execution, MemberReference, Status, TaskReference
from tool_service.domain.tasks import Visibility

# What an execution shows of its task and of who asked for it.
REFERENCES = (
    tasks.c.slug.label("task_slug"),
    tasks.c.name.label("task_name"),
    tasks.c.visibility.label("task_visibility"),
    tasks.c.deleted_at.label("task_deleted_at"),
    people.c.name.label("requester_name"),
)
FILE_REFERENCES = (
    files.c.filename.label("filename"),
    files.c.content_type.label("content_type"),
    files.c.size_bytes.label("size_bytes"),
)

_AS_THEY_ARE = [
    name for name in Execution.__dataclass_fields__ if name not in {"id", "task", "requested_by", "input_file_ids"}
]


def execution_from(row: sa.RowMapping) -> Execution:
    values = {name: row[name] for name in _AS_THEY_ARE}
    values["status"] = Status(values["status"])
    values["tags"] = tuple(values["tags"])
    return Execution(
        **values,
        id=row["id"],
        input_file_ids=tuple(UUID(text) for text in row["input_file_ids"]),
        task=TaskReference(
            id=row["task_id"],
            slug=row["task_slug"],
            name=row["task_name"],
            visibility=Visibility(row["task_visibility"]),
            deleted=row["task_deleted_at"] is not None,
        ),
        requested_by=MemberReference(id=row["requested_by"], name=row["requester_name"]),
    )


def execution_columns(execution: Execution) -> dict[str, Any]:
    """Every column but the id, which never changes."""
    return {
        **{name: getattr(execution, name) for name in _AS_THEY_ARE},
        "status": execution.status.value,
        "tags": list(execution.tags),
        "task_id": execution.task.id,
        "requested_by": execution.requested_by.id,
        "input_file_ids": [str(each) for each in execution.input_file_ids],
    }


def output_from(row: sa.RowMapping) -> Output:
    file_id = row["file_id"]
    return Output(
        id=row["id"],
        index=row["index"],
        kind=OutputKind(row["kind"]),
        text=row["text"],
        data=row["data"],
        file=None
        if file_id is None
        else FileReference(file_id, row["filename"], row["content_type"], row["size_bytes"]),
        created_at=row["created_at"],
    )


def output_columns(execution_id: UUID, output: Output) -> dict[str, Any]:
    return {
        "id": output.id,
        "execution_id": execution_id,
        "index": output.index,
        "kind": output.kind.value,
        "text": output.text,
        "data": output.data,
        "file_id": None if output.file is None else output.file.id,
        "created_at": output.created_at,
        "updated_at": output.created_at,
    }
