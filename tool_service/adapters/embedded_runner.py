"""The runner that needs no model and no key: fixed rules over bank statements and ledgers.

The rules are pure and sliced (domain/statements); here each slice runs in a worker thread, and between
two of them the observer is asked, so that progress shows, cancel works and the event loop stays free.
"""

import asyncio
from collections.abc import Generator

from tool_service.domain.language import choose_language
from tool_service.domain.statements.analysis import Request, Step, analyse
from tool_service.domain.statements.errors import StatementError
from tool_service.domain.statements.model import SourceFile
from tool_service.domain.statements.plan import InvalidParams, Question
from tool_service.domain.statements.reports.outcome import Outcome
from tool_service.ports import OutputFile, Turn, TurnFailure, TurnObserver, TurnQuestion, TurnResult

_INPUT_REJECTED = "input_rejected"


class EmbeddedRunner:
    """ports.Runner. Costs nothing: no model is called. A file that cannot be read fails as input_rejected."""

    async def run(self, turn: Turn, observer: TurnObserver) -> TurnResult:
        language = choose_language(turn.language)
        request = Request(
            files=[SourceFile(file.filename, file.content) for file in turn.files],
            instructions=turn.instructions,
            message=turn.message,
            params=turn.params,
            language=language,
        )
        work = analyse(request)
        try:
            while isinstance(reached := await asyncio.to_thread(_advance, work), Step):
                await observer.step(reached.kind, reached.title)
        except StatementError as error:
            return TurnResult(failure=TurnFailure(_INPUT_REJECTED, error.message(language)))
        except InvalidParams as error:
            return TurnResult(failure=TurnFailure(_INPUT_REJECTED, error.what.in_(language)))
        if isinstance(reached, Question):
            return TurnResult(question=TurnQuestion(reached.text, reached.options))
        files = [OutputFile(each.filename, each.content_type, each.content) for each in reached.documents]
        return TurnResult(text=reached.text, data=dict(reached.data), files=files)


def _advance(work: Generator[Step, None, Outcome | Question]) -> Step | Outcome | Question:
    """The next step, or what the work ends with: StopIteration cannot cross a future."""
    try:
        return next(work)
    except StopIteration as end:
        return end.value
