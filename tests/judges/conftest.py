"""What is judged: the front end with the suite's fixtures, and a whole stack for the clients."""

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.judges import official_suite
from tests.judges.npm import install_packages
from tests.support.client_home import ClientHome, client_home
from tests.support.stack import Stack, free_port, running

STARTED_WITHIN_SECONDS = 60


@pytest.fixture(scope="session")
def packages() -> None:
    install_packages()


@pytest.fixture(scope="session")
def fixture_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """URL of the front end with the fixtures of the official suite."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    log = tmp_path_factory.mktemp("fixtures") / "server.log"
    with log.open("wb") as output:
        command = [sys.executable, "-m", "tests.conformance.fixtures.server", str(port)]
        server = subprocess.Popen(command, stdout=output, stderr=output)
    try:
        _wait(server, f"{url}/livez", log)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=30)


@pytest.fixture(scope="session")
def lanes(
    packages: None, fixture_server: str, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Mapping[str, official_suite.Verdict]]:
    """The suite's verdicts, by revision and scenario."""
    return {
        lane: official_suite.run_lane(fixture_server, lane, tmp_path_factory.mktemp(f"lane-{lane}"))
        for lane in official_suite.LANES
    }


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClientHome]:
    with client_home(tmp_path_factory.mktemp("client-home")) as home:
        yield home


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory, home: ClientHome) -> Iterator[Stack]:
    with running(tmp_path_factory.mktemp("judged-stack"), environment=home.environment) as stack:
        yield stack


def _wait(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    deadline = time.monotonic() + STARTED_WITHIN_SECONDS
    while not _answers(url):
        assert server.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        # Nothing outside of the process can tell us; ask again in a moment.
        time.sleep(0.05)


def _answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=2) as response:
            return bool(response.status == 200)
    except (URLError, OSError):
        return False
