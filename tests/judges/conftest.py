"""What is judged: the front end with the suite's fixtures, and a whole stack for the clients."""

import sys
from collections.abc import Iterator, Mapping

import pytest

from tests.judges import official_suite
from tests.judges.npm import install_packages
from tests.support.client_home import ClientHome, client_home
from tests.support.server_process import free_port, server
from tests.support.stack import Stack, running


@pytest.fixture(scope="session")
def packages() -> None:
    install_packages()


@pytest.fixture(scope="session")
def fixture_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """URL of the front end with the fixtures of the official suite."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "tests.conformance.fixtures.server", str(port)]
    with server(command, f"{url}/livez", tmp_path_factory.mktemp("fixtures") / "server.log"):
        yield url


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
