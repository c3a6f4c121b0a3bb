"""Fixtures that every level of tests may ask for, the marker by which a test claims a requirement, and how many
examples a property is tried with: `pytest --hypothesis-profile=nightly` takes twenty times as many."""

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.support.databases"]

# Examples leave no files behind, and a busy machine fails nothing.
settings.register_profile("check", max_examples=100, database=None, deadline=None, suppress_health_check=HealthCheck)
settings.register_profile("nightly", settings.get_profile("check"), max_examples=2_000)
settings.load_profile("check")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "requirement(*ids): the requirements that this test proves")
