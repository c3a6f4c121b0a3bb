"""A worker: it takes turns from the queue, shows that it lives, and sweeps up after those that died.

The engine lives in threads of its own, and the turns run on the loop that started the worker: the
engine's queue is polled by blocking calls, which must never stop a server in the same process.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog

from tool_service.db.engine import Database, dbos_engine
from tool_service.execution import durable_engine
from tool_service.execution.sweeper import Sweeper
from tool_service.execution.transitions import Transitions
from tool_service.execution.turn_control import Pause
from tool_service.execution.turns import Turns
from tool_service.ports import Clock, Ids, ObjectStore, Runner
from tool_service.repositories.workers import WorkerRegistry

_log = structlog.get_logger(__name__)

_RETRY_SECONDS = (1.0, 5.0, 15.0)


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """Paces and limits. `organization_concurrency` counts turns over all workers, `concurrency` those of this one."""

    concurrency: int = 4
    organization_concurrency: int = 2
    poll_seconds: float = 0.25
    heartbeat_seconds: float = 2.0
    dead_after_seconds: float = 15.0
    sweep_seconds: float = 5.0
    watch_seconds: float = 1.0
    grace_seconds: float = 10.0


class Worker:
    """One per process: the engine is a singleton. `start` and `stop` are called once each, on one loop."""

    def __init__(
        self,
        url: str,
        database: Database,
        object_store: ObjectStore,
        runner: Runner,
        clock: Clock,
        ids: Ids,
        settings: WorkerSettings = WorkerSettings(),
        pause: Pause = asyncio.sleep,
    ) -> None:
        self._url = url
        self._database = database
        self._clock = clock
        self._settings = settings
        self._pause = pause
        self._turns = Turns(database, object_store, runner, clock, ids, settings.watch_seconds, pause)
        self._transitions = Transitions(clock, ids)
        # Never used twice, since the engine takes up whatever an executor of the same name left.
        self.executor_id = f"worker-{ids.new()}"
        self._running: set[asyncio.Task[None]] = set()
        self._duties: list[asyncio.Task[None]] = []
        self._stopping = asyncio.Event()
        self._engine_thread = ThreadPoolExecutor(1, thread_name_prefix="durable-engine")

    async def start(self) -> None:
        """Begin to take turns. The engine's tables must be there (`install_tables`).

        Raises:
            DatabaseUnavailable: nothing was started.
        """
        self._loop = asyncio.get_running_loop()
        await self._in_engine_thread(durable_engine.load)
        # Before the first turn can be taken: whoever has turns and no heartbeat counts as dead.
        await self._beat()
        self._begin_duty("heartbeat", self._beat, self._settings.heartbeat_seconds)
        try:
            await self._in_engine_thread(self._launch)
        except BaseException:
            await self._end_duties()
            raise
        dead_after = timedelta(seconds=self._settings.dead_after_seconds)
        sweeper = Sweeper(self._database, self._transitions, self._client, self.executor_id, dead_after)
        self._begin_duty("sweep", sweeper.sweep, self._settings.sweep_seconds)
        _log.info("worker_started", executor_id=self.executor_id)

    async def stop(self) -> None:
        """Take no more turns, let those under way end within the grace, and hand the others back to the queue."""
        self._stopping.set()
        if self._running:
            await asyncio.wait(self._running, timeout=self._settings.grace_seconds)
        await self._end_duties()
        # It reports every turn that is cut short, which is what happens next on purpose.
        durable_engine.quiet_logs(logging.ERROR)
        await self._in_engine_thread(self._shut_down)
        if self._running:
            await asyncio.wait(self._running)
        await self._in_engine_thread(self._hand_back)
        async with self._database.begin(write=True) as connection:
            await WorkerRegistry(connection).forget(self.executor_id)
        self._engine_thread.shutdown()
        _log.info("worker_stopped", executor_id=self.executor_id)

    def _launch(self) -> None:
        from dbos import DBOS, DBOSConfig

        durable_engine.quiet_logs()
        self._engine = dbos_engine(self._url)
        self._client = durable_engine.open_client(self._engine)
        # A queue that is there before the engine starts is polled from the first moment on.
        self._client.register_queue(
            durable_engine.TURNS_QUEUE,
            worker_concurrency=self._settings.concurrency,
            partition_concurrency=self._settings.organization_concurrency,
            polling_interval_sec=self._settings.poll_seconds,
        )
        config: DBOSConfig = {
            "name": durable_engine.APPLICATION,
            "system_database_url": durable_engine.url_for_engine(self._url),
            "system_database_engine": self._engine,
            "application_version": durable_engine.APPLICATION_VERSION,
            "executor_id": self.executor_id,
            "serializer": durable_engine.serializer(),
            "run_migrations": False,
            "log_level": "WARNING",
            # Nobody waits for the engine's schedules. Its notifications are not used either, but its
            # shutdown waits for one such pause; an empty poll costs no query.
            "notification_listener_polling_interval_sec": 0.25,
            "scheduler_polling_interval_sec": 60.0,
        }
        DBOS(config=config)
        DBOS.workflow(name=durable_engine.RUN_TURN)(self._workflow())
        DBOS.launch()

    def _workflow(self) -> Callable[[str, str], Awaitable[None]]:
        async def run_turn(organization_id: str, execution_id: str) -> None:
            on_our_loop = self._perform(UUID(organization_id), UUID(execution_id))
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(on_our_loop, self._loop))

        return run_turn

    def _shut_down(self) -> None:
        """End the engine. Its workflows are canceled, which leaves them pending and not failed."""
        from dbos import DBOS

        DBOS.destroy(destroy_registry=True)

    def _hand_back(self) -> None:
        mine = self._client.list_workflows(
            status="PENDING", executor_id=self.executor_id, load_input=False, load_output=False
        )
        if mine:
            _log.info("turns_handed_back", count=len(mine))
            self._client.resume_workflows([each.workflow_id for each in mine], queue_name=durable_engine.TURNS_QUEUE)
        self._client.destroy()
        self._engine.dispose()

    async def _perform(self, organization_id: UUID, execution_id: UUID) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        try:
            if self._stopping.is_set():
                # Taken from the queue in the last moment: held until the engine ends, then handed back.
                await asyncio.Event().wait()
            await self._until_done(organization_id, execution_id)
        finally:
            self._running.discard(task)

    async def _until_done(self, organization_id: UUID, execution_id: UUID) -> None:
        """A workflow that fails would never run again, so this ends well or not at all.

        Claiming counts the attempts, and after the last one ends the execution.
        """
        delays = iter(_RETRY_SECONDS)
        while not await self._succeeds(lambda: self._turns.perform(organization_id, execution_id)):
            await self._pause(next(delays, _RETRY_SECONDS[-1]))

    async def _beat(self) -> None:
        async with self._database.begin(write=True) as connection:
            await WorkerRegistry(connection).heartbeat(self.executor_id, self._clock.now())

    def _begin_duty(self, name: str, duty: Callable[[], Awaitable[None]], seconds: float) -> None:
        async def repeat() -> None:
            while True:
                await self._pause(seconds)
                await self._succeeds(duty)

        self._duties.append(asyncio.create_task(repeat(), name=name))

    async def _succeeds(self, work: Callable[[], Awaitable[None]]) -> bool:
        """Whether the work ended without a fault. Faults are logged here, at the rim, and the worker goes on."""
        try:
            await work()
        except Exception:
            _log.exception("worker_fault", executor_id=self.executor_id)
            return False
        return True

    async def _end_duties(self) -> None:
        for duty in self._duties:
            duty.cancel()
        await asyncio.gather(*self._duties, return_exceptions=True)

    async def _in_engine_thread(self, work: Callable[[], Any]) -> None:
        await asyncio.get_running_loop().run_in_executor(self._engine_thread, work)
