"""From what a runner returns to what an execution holds: pure, bounded, and harmless to show."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tool_service.domain.execution_outputs import (
    DATA_LIMIT_BYTES,
    FILES_LIMIT,
    TEXT_LIMIT,
    FileReference,
    Output,
    OutputKind,
    output_id,
)
from tool_service.domain.executions import (
    FAILURE_REASONS,
    QUESTION,
    QUESTION_OPEN_FOR,
    Execution,
    Status,
    whole_cents,
)
from tool_service.domain.files import FILENAME_LENGTH
from tool_service.domain.json_text import canonical_json
from tool_service.domain.third_party_text import harmless, harmless_json, harmless_line
from tool_service.execution.transitions import ended, failure_error
from tool_service.ports import OutputFile, TurnResult

_MESSAGE_LENGTH = 2_000
_OPTION_LENGTH = 200
_OPTIONS_LIMIT = 20


class UnusableResult(Exception):
    """The runner returned more, or something else, than an execution can hold."""


@dataclass(frozen=True, slots=True)
class BoundedResult:
    """A result that can be stored as it is."""

    text: str | None
    data: dict[str, Any] | None
    files: tuple[OutputFile, ...]


def bounded(result: TurnResult) -> BoundedResult:
    """Clean and cut the result; data too large for an answer becomes a file.

    Raises:
        UnusableResult: it has more files than an execution takes, or data that is no JSON.
    """
    text = harmless(result.text)[:TEXT_LIMIT] or None
    files = list(result.files)
    data = None if result.data is None else harmless_json(result.data)
    if data is not None:
        try:
            size = len(canonical_json(data))
        except (TypeError, ValueError) as error:
            raise UnusableResult("the data is no JSON") from error
        if size > DATA_LIMIT_BYTES:
            files.append(OutputFile("data.json", "application/json", canonical_json(data)))
            data = None
    if len(files) > FILES_LIMIT:
        raise UnusableResult("too many files")
    return BoundedResult(text, data, tuple(_named(file, index) for index, file in enumerate(files)))


def _named(file: OutputFile, index: int) -> OutputFile:
    name = harmless_line(file.filename.replace("/", "_").replace("\\", "_"), FILENAME_LENGTH)
    return OutputFile(name if name.strip(".") else f"output-{index}", file.content_type, file.content)


def outputs_of(
    execution: Execution, result: BoundedResult, files: tuple[FileReference, ...], now: datetime
) -> list[Output]:
    """Text, then data, then files, numbered from 0."""
    pieces: list[tuple[OutputKind, str | None, dict[str, Any] | None, FileReference | None]] = []
    if result.text is not None:
        pieces.append((OutputKind.TEXT, result.text, None, None))
    if result.data is not None:
        pieces.append((OutputKind.DATA, None, result.data, None))
    pieces += [(OutputKind.FILE, None, None, file) for file in files]
    return [
        Output(output_id(execution.id, index), index, kind, text, data, file, now)
        for index, (kind, text, data, file) in enumerate(pieces)
    ]


def settled(execution: Execution, result: TurnResult, kept: BoundedResult, now: datetime) -> Execution:
    """The execution as the turn leaves it. What came out before a question or a failure is kept too."""
    brought: dict[str, Any] = {
        "output_text": kept.text,
        "output_data": kept.data,
        "cost_cents": whole_cents(result.cost_cents),
        "input_tokens": result.input_tokens,
        "output_tokens": result.output_tokens,
    }
    if (failure := result.failure) is not None:
        reason = failure.reason if failure.reason in FAILURE_REASONS else "agent_error"
        message = harmless(failure.message)[:_MESSAGE_LENGTH]
        error = failure_error(reason, message, fatal=failure.fatal)
        return ended(execution, now, Status.FAILED, status_reason=reason, error=error, **brought)
    if (question := result.question) is not None:
        asked = {
            "type": QUESTION,
            "text": harmless(question.text)[:_MESSAGE_LENGTH],
            "options": [harmless_line(each, _OPTION_LENGTH) for each in question.options][:_OPTIONS_LIMIT],
            "expires_at": (now + QUESTION_OPEN_FOR).isoformat(),
        }
        return ended(execution, now, Status.NEEDS_INPUT, status_reason=QUESTION, pending_action=asked, **brought)
    return ended(execution, now, Status.COMPLETED, status_reason=None, **brought)
