"""Server processes on loopback: started, waited for until they answer, and ended."""

import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

STARTED_WITHIN_SECONDS = 60


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_answers(process: subprocess.Popen[bytes], url: str, log: Callable[[], str]) -> None:
    """Return once a GET of the URL is answered with 200.

    Raises:
        AssertionError: the process ended, or did not answer in time; with its log.
    """
    deadline = time.monotonic() + STARTED_WITHIN_SECONDS
    while not _answers(url):
        assert process.poll() is None, f"ended with {process.returncode}\n{log()}"
        assert time.monotonic() < deadline, f"no answer of {url}\n{log()}"
        # Nothing outside of the process can tell us; ask again in a moment.
        time.sleep(0.05)


@contextmanager
def server(command: Sequence[str], ready_url: str, log: Path) -> Iterator[None]:
    """The server, answering; what it prints goes to the log."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
    try:
        wait_until_answers(process, ready_url, lambda: log.read_text(errors="replace"))
        yield
    finally:
        process.terminate()
        process.wait(timeout=30)


def _answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=2) as response:
            return bool(response.status == 200)
    except (HTTPError, URLError, OSError):
        return False
