"""A worker as a process of its own, for tests that kill it. Run as a module: URL of the database, then a stage.

Stage "run" stops for ever inside the runner, "store" once the first output file is stored. Every
line that it writes is the name of a stage that it has reached.
"""

import asyncio
import sys
from collections.abc import AsyncIterator

from tests.contract.executions.durable import QUICK
from tests.support.clock import FakeClock
from tests.support.fake_object_store import FakeObjectStore
from tool_service.adapters.system import SystemClock, UuidV7
from tool_service.db.engine import Database
from tool_service.execution.worker import Worker
from tool_service.ports import OutputFile, StoredObject, Turn, TurnObserver, TurnResult


class _Stage:
    def __init__(self, stops_at: str) -> None:
        self._stops_at = stops_at

    async def reach(self, name: str) -> None:
        sys.stdout.write(name + "\n")
        sys.stdout.flush()
        if name == self._stops_at:
            await asyncio.Event().wait()


class _Runner:
    def __init__(self, stage: _Stage) -> None:
        self._stage = stage

    async def run(self, turn: Turn, observer: TurnObserver) -> TurnResult:
        await observer.step("reading", "extrato.ofx")
        await self._stage.reach("run")
        return TurnResult(text="Pronto.", files=[OutputFile("resumo.csv", "text/csv", b"a;b\n")])


class _Store(FakeObjectStore):
    def __init__(self, stage: _Stage) -> None:
        super().__init__(FakeClock())
        self._stage = stage

    async def write(self, key: str, chunks: AsyncIterator[bytes]) -> StoredObject:
        stored = await super().write(key, chunks)
        await self._stage.reach("store")
        return stored


async def main(url: str, stops_at: str) -> None:
    stage = _Stage(stops_at)
    database = Database(url)
    worker = Worker(url, database, _Store(stage), _Runner(stage), SystemClock(), UuidV7(), QUICK)
    await worker.start()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
