"""Real child processes under the supervisor of a local stack."""

import os
import signal
import socket
import sys
from pathlib import Path

import pytest

from tool_service.local.preflight import LocalFault
from tool_service.local.processes import Program, supervise

# A web server that answers 200 so many times and then ends with exit code 3.
SERVER = """
import http.server, sys
class Ready(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Ready)
for _ in range(int(sys.argv[2])):
    server.handle_request()
print("the last words")
sys.exit(3)
"""
FOREVER = 10**9


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _program(folder: Path, name: str, answers: int = FOREVER) -> Program:
    port = _free_port()
    return Program(
        name=name,
        command=(sys.executable, "-c", SERVER, str(port), str(answers)),
        environment=dict(os.environ),
        ready_url=f"http://127.0.0.1:{port}/",
        log=folder / f"{name}.log",
    )


def _listens(program: Program) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", int(program.ready_url.split(":")[2].strip("/")))) == 0


def _unexpected() -> None:
    raise AssertionError("it was never ready")


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_every_program_runs_until_somebody_asks_to_stop(tmp_path: Path, asked: signal.Signals) -> None:
    programs = [_program(tmp_path, "one"), _program(tmp_path, "two")]
    said: list[str] = []
    listening: list[bool] = []

    def stop() -> None:
        listening.extend(_listens(program) for program in programs)
        os.kill(os.getpid(), asked)

    await supervise(programs, said.append, stop)

    assert listening == [True, True]
    assert [_listens(program) for program in programs] == [False, False]
    assert said == ["Starting one and two ...", "Stopping ..."]


async def test_a_program_that_ends_before_it_is_ready_ends_the_others_and_its_log_is_shown(tmp_path: Path) -> None:
    programs = [_program(tmp_path, "one", answers=0), _program(tmp_path, "two")]

    with pytest.raises(LocalFault) as caught:
        await supervise(programs, lambda _: None, _unexpected)

    assert str(caught.value).splitlines() == [
        f"one ended by itself (with exit code 3). The end of {tmp_path / 'one.log'}:",
        "the last words",
    ]
    assert not _listens(programs[1])


async def test_a_program_that_ends_later_ends_the_others(tmp_path: Path) -> None:
    programs = [_program(tmp_path, "one", answers=1), _program(tmp_path, "two")]

    with pytest.raises(LocalFault, match="one ended by itself"):
        await supervise(programs, lambda _: None, lambda: None)

    assert not _listens(programs[1])


async def test_a_program_that_cannot_be_started_ends_the_others(tmp_path: Path) -> None:
    missing = Program("two", (str(tmp_path / "missing"),), {}, "http://127.0.0.1:1/", tmp_path / "two.log")
    programs = [_program(tmp_path, "one"), missing]

    with pytest.raises(FileNotFoundError):
        await supervise(programs, lambda _: None, _unexpected)

    assert not _listens(programs[0])
