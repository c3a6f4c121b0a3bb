"""What a newcomer meets: `python -m tool_service local`, the text that it prints, the tutorial."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tool_service.adapters.local_keys import generate_missing_rings
from tool_service.local.layout import Layout

ROOT = Path(__file__).resolve().parents[2]
LAST_LINE = "END"


@dataclass
class Stack:
    """A running local stack, as its terminal shows it."""

    process: subprocess.Popen[str]
    folder: Path
    ports: list[str]
    text: str


def _command(folder: Path, ports: list[str]) -> list[str]:
    options = ["--data-dir", str(folder), "--mcp-port", ports[0], "--api-port", ports[1], "--grpc-port", ports[2]]
    return [sys.executable, "-m", "tool_service", "local", *options]


def _start(folder: Path, ports: list[str]) -> Stack:
    process = subprocess.Popen(_command(folder, ports), cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if line.strip() == LAST_LINE:
            break
    return Stack(process, folder, ports, "".join(lines))


def _stop(stack: Stack) -> int:
    stack.process.send_signal(signal.SIGINT)
    stack.process.communicate(timeout=40)
    return stack.process.returncode


def _free_ports() -> list[str]:
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
    ports = [str(probe.getsockname()[1]) for probe in probes]
    for probe in probes:
        probe.close()
    return ports


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    started = _start(tmp_path_factory.mktemp("local") / "data", _free_ports())
    yield started
    if started.process.poll() is None:
        _stop(started)


def _bash(script: str, folder: Path) -> str:
    # The python that people type is the one with the packages.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_curl_line_that_is_printed_lists_the_tools(stack: Stack) -> None:
    line = next(line for line in stack.text.splitlines() if line.startswith("curl "))
    assert '"name":"kadu_tasks_run"' in _bash(line, stack.folder)


def test_the_python_client_that_is_printed_lists_the_tools(stack: Stack) -> None:
    snippet = "python3 - " + stack.text.split("python3 - ")[1]
    assert "'kadu_tasks_run'" in _bash(snippet, stack.folder)


def test_the_tutorial_ends_with_the_report_of_the_statement(stack: Stack) -> None:
    text = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    script = "".join(blocks).replace("make run\n", "")
    # `make` itself would first look whether the environment of this very run is current.
    demo_env = f"{sys.executable} -m tool_service demo-env --data-dir {stack.folder}"
    script = script.replace("make demo-env", demo_env)
    assert "make" not in script

    printed = _bash(script, ROOT)

    # The movements of the sample, as its README tells them.
    assert "R$ 25.082,57" in printed
    assert "R$ 25.353,27" in printed


def test_a_second_stack_on_the_same_ports_is_refused_with_one_sentence(stack: Stack, tmp_path: Path) -> None:
    second = subprocess.run(
        _command(tmp_path / "other", stack.ports), cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert second.returncode == 1
    assert second.stdout.startswith(f"Port {stack.ports[0]} is in use")
    assert len(second.stdout.splitlines()) == 1


def test_it_ends_when_asked_and_the_next_start_finds_the_data(stack: Stack) -> None:
    made = _bash(f"{sys.executable} -m tool_service demo-env --data-dir {stack.folder}", ROOT)
    task = re.findall(r"KADU_DISPOSABLE_TASK_ID=(\S+)", made)[0]
    assert _stop(stack) == 0

    again = _start(stack.folder, stack.ports)
    url = f"http://127.0.0.1:{stack.ports[1]}/api/v1/tasks/{task}"
    found = _bash(f'curl -sS {url} -H "Authorization: Bearer $(cat tokens/api)"', stack.folder)

    assert _stop(again) == 0
    assert "Added the demo organization" not in again.text
    assert f'"id":"{task}"' in found


def _demo_env(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tool_service", "demo-env", "--data-dir", str(folder)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_demo_env_in_a_folder_without_a_stack_says_how_to_start_one(tmp_path: Path) -> None:
    asked = _demo_env(tmp_path / "empty")
    assert (asked.returncode, asked.stdout) == (1, "")
    assert asked.stderr == (
        f"No local stack was ever started in {tmp_path / 'empty'}; start it in another terminal with: make run\n"
    )


def test_demo_env_for_a_stack_that_has_ended_says_how_to_start_it(tmp_path: Path) -> None:
    ended = Layout(tmp_path, *map(int, _free_ports()))
    ended.remember()
    generate_missing_rings(ended.keys)

    asked = _demo_env(tmp_path)

    assert (asked.returncode, asked.stdout) == (1, "")
    assert asked.stderr == (f"Kadu does not answer at {ended.issuer}; start it in another terminal with: make run\n")
