"""ports.Runner: one suite for the fake and for the embedded runner."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

import pytest

from tests.support.clock import fake_id
from tests.support.staged_runner import StagedRunner
from tool_service.adapters.embedded_runner import EmbeddedRunner
from tool_service.ports import (
    InputFile,
    OutputFile,
    Runner,
    Turn,
    TurnCanceled,
    TurnFailure,
    TurnObserver,
    TurnQuestion,
    TurnResult,
)

TIME_LIMIT_SECONDS = 20
KINDS = {"tool", "reading", "writing", "check"}
GOOD = b"data;valor\n03/11/2026;1,00\n"
BAD = b"data;valor\n03/11/2026;um\n"


@dataclass(slots=True)
class Observer:
    """Keeps the steps; asks to stop at the step of that number, from 1."""

    stop_at: int | None = None
    steps: list[tuple[str, str]] = field(default_factory=list)

    async def step(self, kind: str, title: str) -> None:
        self.steps.append((kind, title))
        if len(self.steps) == self.stop_at:
            raise TurnCanceled


def turn_with(*contents: bytes, language: str = "pt-BR", number: int = 1) -> Turn:
    files = [InputFile(fake_id(place), f"{place}.csv", "text/csv", each) for place, each in enumerate(contents, 1)]
    return Turn(fake_id(number), "", "", {}, files, language)


async def _play(turn: Turn, observer: TurnObserver) -> TurnResult:
    for file in turn.files:
        await observer.step("reading", file.filename)
        if file.content == BAD:
            return TurnResult(failure=TurnFailure("input_rejected", file.filename))
    if not turn.files:
        return TurnResult(question=TurnQuestion("?"))
    return TurnResult(text="ok", data={}, files=[OutputFile("a.md", "text/markdown", b"a")])


@pytest.fixture(params=[lambda: StagedRunner(_play), EmbeddedRunner], ids=["fake", "embedded"])
def runner(request: pytest.FixtureRequest) -> Runner:
    make: Callable[[], Runner] = request.param
    return make()


async def test_a_turn_ends_with_text_data_and_files_after_at_least_one_step(runner: Runner) -> None:
    observer = Observer()
    result = await runner.run(turn_with(GOOD), observer)
    assert result.text
    assert result.data is not None
    assert all(file.filename and file.content_type and file.content for file in result.files)
    assert (result.question, result.failure) == (None, None)
    assert observer.steps
    assert all(kind in KINDS and title for kind, title in observer.steps)


async def test_a_file_that_cannot_be_read_is_a_failure_of_the_input_and_not_an_exception(runner: Runner) -> None:
    result = await runner.run(turn_with(BAD), Observer())
    assert result.failure is not None
    assert (result.failure.reason, result.question) == ("input_rejected", None)
    assert "1.csv" in result.failure.message


async def test_what_is_missing_is_asked_for(runner: Runner) -> None:
    result = await runner.run(turn_with(), Observer())
    assert result.question is not None
    assert (bool(result.question.text), result.failure) == (True, None)


async def test_the_observer_stops_a_turn_at_any_step(runner: Runner) -> None:
    whole = Observer()
    await runner.run(turn_with(GOOD, GOOD), whole)
    for number in range(1, len(whole.steps) + 1):
        observer = Observer(stop_at=number)
        with pytest.raises(TurnCanceled):
            await runner.run(turn_with(GOOD, GOOD), observer)
        assert observer.steps == whole.steps[:number]


async def test_the_same_turn_gives_the_same_result(runner: Runner) -> None:
    first, again = [await runner.run(turn_with(GOOD, GOOD), Observer()) for _ in range(2)]
    assert first == again


async def test_turns_that_run_at_once_do_not_mix(runner: Runner) -> None:
    turns = [turn_with(GOOD), turn_with(BAD), turn_with(), turn_with(GOOD, GOOD)]
    alone = [await runner.run(turn, Observer()) for turn in turns]
    numbered = [replace(turn, execution_id=_id(number)) for number, turn in enumerate(turns)]
    together: Sequence[TurnResult] = await asyncio.gather(*[runner.run(turn, Observer()) for turn in numbered])
    assert list(together) == alone


async def test_canceling_the_coroutine_ends_it_while_a_step_waits(runner: Runner) -> None:
    waiting = asyncio.Event()

    class Stuck:
        async def step(self, kind: str, title: str) -> None:
            waiting.set()
            await asyncio.Event().wait()

    running = asyncio.create_task(runner.run(turn_with(GOOD), Stuck()))
    await asyncio.wait_for(waiting.wait(), TIME_LIMIT_SECONDS)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(running, TIME_LIMIT_SECONDS)


def _id(number: int) -> UUID:
    return fake_id(100 + number)
