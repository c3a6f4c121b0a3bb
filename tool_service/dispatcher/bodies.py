"""Results and errors as the bytes that every face shows."""

import json
from typing import Any

from tool_service.dispatcher.answers import Answered, Refused
from tool_service.domain.error_catalogue import CATALOGUE
from tool_service.domain.errors import InsufficientScope, OperationError
from tool_service.domain.language import Language
from tool_service.domain.schema import NoContent, Page, Success


def answered(result: Success[Any] | Page[Any] | NoContent) -> Answered:
    match result:
        case NoContent():
            return Answered(204, b"")
        case Success(data=data, status=status, headers=headers):
            return Answered(status, b'{"data":' + data.model_dump_json().encode() + b"}", headers)
        case Page(data=items, next_cursor=next_cursor, limit=limit):
            meta = json.dumps({"next_cursor": next_cursor, "limit": limit}, separators=(",", ":"))
            listed = ",".join(item.model_dump_json() for item in items)
            return Answered(200, f'{{"data":[{listed}],"meta":{meta}}}'.encode())


def refused(error: OperationError, language: Language, request_id: str) -> Refused:
    return Refused(
        kind=type(error).__name__,
        status=CATALOGUE[error.code].status,
        body=error_body(error, language, request_id),
        headers={"Content-Language": language.value},
        retry_after_seconds=error.retry_after_seconds,
        required_scopes=error.required if isinstance(error, InsufficientScope) else frozenset(),
    )


def error_body(error: OperationError, language: Language, request_id: str) -> bytes:
    """The error in the house's shape; status and titles come from the catalogue, by code."""
    items: list[dict[str, Any]] = []
    for problem in error.problems:
        entry = CATALOGUE[problem.code]
        title = entry.title.in_(language)
        items.append(
            {
                "code": problem.code,
                "title": title,
                "param": problem.param,
                "detail": title if problem.detail is None else problem.detail.in_(language),
                "hint": entry.hint,
            }
        )
    body = {
        "status": CATALOGUE[error.code].status,
        "errors": items,
        "request_id": request_id,
        "retry_after": error.retry_after_seconds,
    }
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
