"""A runner that a test conducts: it tells when a turn began, and goes on when it is told to."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID

from tool_service.ports import Turn, TurnObserver, TurnResult

Play = Callable[[Turn, TurnObserver], Awaitable[TurnResult]]
TIME_LIMIT_SECONDS = 20


class StagedRunner:
    """ports.Runner that plays what the test wrote; `turns` holds every turn that it was given, in order."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self.turns: list[Turn] = []
        self._arrivals: asyncio.Queue[UUID] = asyncio.Queue()

    async def run(self, turn: Turn, observer: TurnObserver) -> TurnResult:
        self.turns.append(turn)
        self._arrivals.put_nowait(turn.execution_id)
        return await self._play(turn, observer)

    async def next_begun(self) -> UUID:
        """The next execution whose turn begins."""
        return await asyncio.wait_for(self._arrivals.get(), TIME_LIMIT_SECONDS)


def returning(result: TurnResult) -> StagedRunner:
    """A runner that takes one step and is done."""

    async def play(_turn: Turn, observer: TurnObserver) -> TurnResult:
        await observer.step("reading", "extrato.ofx")
        return result

    return StagedRunner(play)


def blocking() -> StagedRunner:
    """A runner that never ends by itself and takes no step, as one that waits for a model."""

    async def play(_turn: Turn, _observer: TurnObserver) -> TurnResult:
        await asyncio.Event().wait()
        raise AssertionError("unreachable")

    return StagedRunner(play)
