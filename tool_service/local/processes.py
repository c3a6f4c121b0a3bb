"""The child processes of a local stack: started together, watched, and ended together."""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from tool_service.local.preflight import LocalFault

READY_LIMIT_SECONDS = 60
POLL_SECONDS = 0.1
PROGRESS_SECONDS = 5
# More than the services themselves take to finish what is in flight.
GRACE_SECONDS = 15
LOG_TAIL_LINES = 15
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Program:
    """One process to run: what people call it, its command, its environment, where it says that it is ready."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    ready_url: str
    log: Path


@dataclass(frozen=True, slots=True)
class _Child:
    program: Program
    process: asyncio.subprocess.Process


async def supervise(programs: Sequence[Program], say: Say, when_ready: Callable[[], None]) -> None:
    """Run the programs until somebody asks to stop (SIGINT, SIGTERM, SIGHUP), then end them in their grace.

    Raises:
        LocalFault: one could not start, was not ready in time, or ended by itself; the others are ended too.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in _STOP_SIGNALS:
        loop.add_signal_handler(number, stop.set)
    children: list[_Child] = []
    try:
        for program in programs:
            process = await _start(program)
            children.append(_Child(program, process))
        if await _unless_stopped(_all_ready(children, say), stop, children):
            when_ready()
            await _unless_stopped(asyncio.Event().wait(), stop, children)
        say("Stopping ...")
    finally:
        await asyncio.gather(*(_end(child, say) for child in children))
        for number in _STOP_SIGNALS:
            loop.remove_signal_handler(number)


async def _start(program: Program) -> asyncio.subprocess.Process:
    with program.log.open("wb") as log:
        return await asyncio.create_subprocess_exec(
            *program.command,
            env=program.environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=asyncio.subprocess.STDOUT,
            # Ctrl-C reaches a whole process group; each child hears it once, from us.
            start_new_session=True,
        )


async def _unless_stopped(work: Coroutine[Any, Any, Any], stop: asyncio.Event, children: Sequence[_Child]) -> bool:
    """Await the work; False when somebody asked to stop before.

    Raises:
        LocalFault: a child ended, or the work raised it.
    """
    working, stopping = asyncio.create_task(work), asyncio.create_task(stop.wait())
    endings = {asyncio.create_task(child.process.wait()): child for child in children}
    waiting = {working, stopping, *endings}
    try:
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if stopping in done:
            return False
        for ending in done & endings.keys():
            raise LocalFault(_obituary(endings[ending]))
        working.result()
        return True
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def _all_ready(children: Sequence[_Child], say: Say) -> None:
    names = " and ".join(child.program.name for child in children)
    say(f"Starting {names} ...")
    async with httpx2.AsyncClient(timeout=2) as client:
        for child in children:
            await _ready(client, child.program, say)


async def _ready(client: httpx2.AsyncClient, program: Program, say: Say) -> None:
    loop = asyncio.get_running_loop()
    started = loop.time()
    reported = 0
    while not await _answers(client, program.ready_url):
        waited = loop.time() - started
        if waited > READY_LIMIT_SECONDS:
            raise LocalFault(f"{program.name} was not ready within {READY_LIMIT_SECONDS} s; its log is {program.log}")
        if waited > (reported + 1) * PROGRESS_SECONDS:
            reported += 1
            say(f"  waiting for {program.name}: {waited:.0f} s of at most {READY_LIMIT_SECONDS} s (Ctrl-C stops)")
        await asyncio.sleep(POLL_SECONDS)


async def _answers(client: httpx2.AsyncClient, url: str) -> bool:
    try:
        return (await client.get(url)).status_code == httpx2.codes.OK
    except httpx2.TransportError:
        return False


def _obituary(child: _Child) -> str:
    program, code = child.program, child.process.returncode or 0
    how = f"with exit code {code}" if code >= 0 else f"by {signal.Signals(-code).name}"
    tail = program.log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_TAIL_LINES:]
    return "\n".join([f"{program.name} ended by itself ({how}). The end of {program.log}:", *tail])


async def _end(child: _Child, say: Say) -> None:
    if child.process.returncode is not None:
        return
    child.process.terminate()
    try:
        await asyncio.wait_for(child.process.wait(), GRACE_SECONDS)
    except TimeoutError:
        say(f"{child.program.name} did not end within {GRACE_SECONDS} s and is killed.")
        child.process.kill()
        await child.process.wait()
