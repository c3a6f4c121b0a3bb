"""Fixtures that every level of tests may ask for, and the marker by which a test claims a requirement."""

import pytest

pytest_plugins = ["tests.support.databases"]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "requirement(*ids): the requirements that this test proves")
